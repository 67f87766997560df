package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The first stage of the Dockerfile: the pages from their sources alone, as
// nothing that was built before goes into an image.
func TestTheImagesPagesAreBuilt(t *testing.T) {
	src := t.TempDir()
	pages := filepath.Join(src, "frontend")
	for _, dir := range []string{"src", "public", "test", "e2e"} {
		if err := os.CopyFS(filepath.Join(pages, dir), os.DirFS(filepath.Join("../frontend", dir))); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{
		"frontend/index.html", "frontend/package.json", "frontend/svelte.config.js", "frontend/tsconfig.json", "frontend/vite.config.ts",
		"docs/protocol.md",
	} {
		to := filepath.Join(src, file)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(read(t, file)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	modules, err := filepath.Abs("../frontend/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(pages, "node_modules")); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "npm", "run", "build")
	build.Dir = pages
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("npm run build: %v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(pages, "dist/index.html")); err != nil {
		t.Error(err)
	}
}
