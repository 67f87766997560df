package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFitReplacesWeightsOnlyByWeights: what is there stays until there is
// something to put in its place, and nothing else is left behind.
func TestFitReplacesWeightsOnlyByWeights(t *testing.T) {
	dir := t.TempDir()
	games, out := filepath.Join(dir, "games"), filepath.Join(dir, "weights")
	if code := run(t.Context(), []string{"match", "--nodes", "50", "-n", "2", "--record", games, "tengen", "influence"}); code != exitOK {
		t.Fatalf("match: exit code %d", code)
	}
	if err := os.WriteFile(out, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	old, err := os.Open(out) // who reads it meanwhile reads all of it
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if code := run(t.Context(), []string{"fit", games, "--passes", "1", "--out", out}); code != exitOK {
		t.Fatalf("fit: exit code %d", code)
	}
	text := make([]byte, 10)
	if n, _ := old.Read(text); string(text[:n]) != "old" {
		t.Errorf("the file was written over: it begins with %q", text[:n])
	}
	if info, err := os.Stat(out); err != nil || info.Size() < 1000 {
		t.Errorf("the new weights: %v, %v", info, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("left behind: %v, %v", files, err)
	}
	if code := run(t.Context(), []string{"fit", games, "--passes", "1", "--out", filepath.Join(dir, "none", "weights")}); code != exitFailed {
		t.Errorf("into no folder: exit code %d", code)
	}
}
