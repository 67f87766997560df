// Package house_test holds the rules of the repository that a compiler does not.
package house_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mayImport says on which of our packages each may rest: only on floors below.
func mayImport() map[string][]string {
	return map[string][]string{
		"internal/rules":            {},
		"internal/session":          {},
		"internal/quota":            {},
		"internal/store":            {},
		"internal/store/follow":     {"internal/store"},
		"internal/store/boltstore":  {"internal/store", "internal/store/follow"},
		"internal/store/redisstore": {"internal/store", "internal/store/follow"},
		"internal/store/redistest":  {},
		"internal/store/storetest":  {"internal/store"},
		"internal/match":            {"internal/rules"},
		"internal/ai":               {"internal/rules"},
		"internal/ai/bots":          {"internal/ai", "internal/rules"},
		"internal/ai/tengen":        {"internal/ai", "internal/rules"},
		"internal/ai/opponents":     {"internal/ai", "internal/ai/bots", "internal/ai/tengen"},
		"internal/gomocup":          {"internal/rules"},
		"internal/gomocup/brain":    {"internal/ai", "internal/gomocup", "internal/rules"},
		"internal/gomocup/external": {"internal/ai", "internal/gomocup", "internal/rules"},
		"internal/lab":              {"internal/ai", "internal/rules"},
		"internal/hub":              {"internal/ai", "internal/match", "internal/quota", "internal/rules", "internal/session", "internal/store"},
		"internal/jobs":             {"internal/ai", "internal/store"},
		"internal/chaos":            {"internal/match", "internal/rules", "internal/store/redisstore", "internal/store/redistest"},
		"internal/web":              {"internal/hub", "internal/match", "internal/quota", "internal/rules", "internal/session", "internal/store"},
		"internal/load":             {"internal/match", "internal/rules"},
		"frontend":                  {},
	}
}

// sources calls fn with the imports and the comment of every package of ours.
func sources(t *testing.T, fn func(dir string, imports []string, documented bool)) {
	t.Helper()
	imports, documented := map[string][]string{}, map[string]bool{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir := path.Dir(filepath.ToSlash(name))
		imports[dir] = append(imports[dir], "")
		for _, i := range file.Imports {
			imports[dir] = append(imports[dir], strings.Trim(i.Path.Value, `"`))
		}
		documented[dir] = documented[dir] || file.Doc != nil
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(imports) < 10 {
		t.Fatalf("found only %d packages", len(imports))
	}
	for dir := range imports {
		fn(dir, imports[dir], documented[dir])
	}
}

func TestImportsPointOneWay(t *testing.T) {
	allowed := mayImport()
	sources(t, func(dir string, imports []string, _ bool) {
		if strings.HasPrefix(dir, "cmd/") {
			return // wires them all
		}
		below, known := allowed[dir]
		if !known {
			t.Errorf("%s is new: say in house_test.go on what it may rest", dir)
		}
		for _, i := range imports {
			ours, is := strings.CutPrefix(i, "gomokud/")
			if is && !slices.Contains(below, ours) {
				t.Errorf("%s imports %s", dir, ours)
			}
		}
	})
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	sources(t, func(dir string, _ []string, documented bool) {
		if !documented {
			t.Errorf("%s has no package comment", dir)
		}
	})
}

func TestTheLockfileNamesNoRegistry(t *testing.T) {
	lock, err := os.ReadFile("frontend/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`"resolved": *"https?:[^"]*"`).Find(lock); found != nil {
		t.Errorf("package-lock.json has %s", found)
	}
}

func TestEveryFlagIsInItsHelp(t *testing.T) {
	for _, command := range []string{"serve", "worker"} {
		source, err := os.ReadFile("cmd/gomokud/" + command + ".go")
		if err != nil {
			t.Fatal(err)
		}
		_, fields, found := strings.Cut(string(source), "type "+command+" struct {")
		if !found {
			t.Fatalf("%s has no flags", command)
		}
		fields, _, _ = strings.Cut(fields, "\n}")
		for line := range strings.Lines(fields) {
			if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, `help:"`) {
				t.Errorf("%s: a flag without help: %s", command, line)
			}
		}
	}
}
