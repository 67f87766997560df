// Package deploy_test holds what is written for operators against the program:
// whatever has a name there must exist here.
package deploy_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

const manual = "docs/operations.md"

// read returns a file of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// written is everything that an operator reads or runs, by file.
func written(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{manual: read(t, manual), "docker-compose.yml": read(t, "docker-compose.yml")}
	walk(t, "deploy", func(name string) bool { return !strings.HasSuffix(name, ".go") }, func(name string) {
		all[name] = read(t, name)
	})
	return all
}

// walk calls fn with the files under a folder whose name fits.
func walk(t *testing.T, dir string, fits func(string) bool, fn func(name string)) {
	t.Helper()
	found := 0
	err := filepath.WalkDir(filepath.Join("..", dir), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !fits(name) {
			return err
		}
		found++
		name, err = filepath.Rel("..", name)
		fn(filepath.ToSlash(name))
		return err
	})
	if err != nil || found == 0 {
		t.Fatalf("%d files in %s: %v", found, dir, err)
	}
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

func parse(t *testing.T, name string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, read(t, name), 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// flags are the names of the program's flags and of their variables.
func flags(t *testing.T) (names, variables map[string]bool) {
	t.Helper()
	names, variables = map[string]bool{}, map[string]bool{}
	walk(t, "cmd/gomokud", isSource, func(name string) {
		ast.Inspect(parse(t, name), func(n ast.Node) bool {
			field, ok := n.(*ast.Field)
			if !ok || field.Tag == nil || len(field.Names) != 1 {
				return true
			}
			text, _ := strconv.Unquote(field.Tag.Value)
			tag := reflect.StructTag(text)
			if _, is := tag.Lookup("help"); !is {
				return true
			}
			flag, variable := tag.Get("name"), tag.Get("env")
			if flag == "" {
				flag = kebab(field.Names[0].Name)
			}
			if variable == "" {
				variable = "GOMOKUD_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
			}
			names[flag], variables[variable] = true, true
			return true
		})
	})
	return names, variables
}

// kebab is how a field is named as a flag.
func kebab(field string) string {
	var b strings.Builder
	for i, r := range field {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func TestEveryVariableIsAFlags(t *testing.T) {
	_, known := flags(t)
	all := written(t)
	// Some are the files' own, for the operator to set.
	for _, m := range regexp.MustCompile(`\{\$?(GOMOKUD_[A-Z_]+):`).FindAllStringSubmatch(all["docker-compose.yml"]+all["deploy/caddy/Caddyfile"], -1) {
		known[m[1]] = true
	}
	seen := 0
	for file, text := range all {
		for _, name := range regexp.MustCompile(`\bGOMOKUD_[A-Z_]+\b`).FindAllString(text, -1) {
			if seen++; !known[name] {
				t.Errorf("%s: nothing reads %s", file, name)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d variables were found", seen)
	}
}

func TestEveryFlagInTheManualIsOne(t *testing.T) {
	known, _ := flags(t)
	found := regexp.MustCompile("`--([a-z-]+)").FindAllStringSubmatch(read(t, manual), -1)
	for _, m := range found {
		if !known[m[1]] {
			t.Errorf("%s: there is no flag --%s", manual, m[1])
		}
	}
	if len(found) < 20 {
		t.Errorf("only %d flags were found", len(found))
	}
}

// metrics are the names under which the program counts. They are put together
// by helpers that know the beginning: func(name, ...) { ..."gomokud_" + name... }.
func metrics(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	inspect := func(file *ast.File) {
		beginning := map[string]string{}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt: // a helper
				if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
					return true
				}
				name, named := n.Lhs[0].(*ast.Ident)
				if helper, is := n.Rhs[0].(*ast.FuncLit); is && named {
					ast.Inspect(helper, func(n ast.Node) bool {
						if sum, is := n.(*ast.BinaryExpr); is && strings.HasPrefix(literal(sum.X), "gomokud_") {
							beginning[name.Name] = literal(sum.X)
						}
						return true
					})
				}
			case *ast.CallExpr: // of a helper
				if name, is := n.Fun.(*ast.Ident); is && beginning[name.Name] != "" && len(n.Args) > 0 {
					names[beginning[name.Name]+literal(n.Args[0])] = true
				}
			case *ast.KeyValueExpr: // Name: "gomokud_..."
				if name := literal(n.Value); strings.HasPrefix(name, "gomokud_") {
					names[name] = true
				}
			}
			return true
		})
	}
	for _, dir := range []string{"cmd/gomokud", "internal"} {
		walk(t, dir, isSource, func(name string) { inspect(parse(t, name)) })
	}
	return names
}

func literal(e ast.Expr) string {
	if lit, is := e.(*ast.BasicLit); is && lit.Kind == token.STRING {
		text, _ := strconv.Unquote(lit.Value)
		return text
	}
	return ""
}

func TestEveryMetricIsCounted(t *testing.T) {
	known := metrics(t)
	if len(known) < 30 {
		t.Errorf("the program counts only %d things", len(known))
	}
	seen := map[string]bool{}
	for file, text := range written(t) {
		for _, name := range regexp.MustCompile(`\bgomokud_[a-z_]+\b`).FindAllString(text, -1) {
			name = regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")
			if seen[name] = true; !known[name] {
				t.Errorf("%s: nothing counts %s", file, name)
			}
		}
	}
	for name := range known {
		if !seen[name] {
			t.Errorf("no operator hears of %s", name)
		}
	}
}

func TestEveryAlertIsExplained(t *testing.T) {
	var alerts, explained []string
	for _, m := range regexp.MustCompile(`(?m)^ +- alert: (\w+)$`).FindAllStringSubmatch(read(t, "deploy/prometheus/alerts.yml"), -1) {
		alerts = append(alerts, m[1])
	}
	_, trouble, found := strings.Cut(read(t, manual), "\n## Live trouble explained\n")
	if !found || len(alerts) < 10 {
		t.Fatalf("%d alerts, explained: %v", len(alerts), found)
	}
	trouble, _, _ = strings.Cut(trouble, "\n## ")
	for _, m := range regexp.MustCompile(`(?m)^### (\w+)$`).FindAllStringSubmatch(trouble, -1) {
		explained = append(explained, m[1])
	}
	if !slices.Equal(alerts, explained) {
		t.Errorf("alerts   %v\nexplained %v", alerts, explained)
	}
	for _, m := range regexp.MustCompile(`alertname: (\w+)`).FindAllStringSubmatch(read(t, "deploy/prometheus/alerts_test.yml"), -1) {
		if !slices.Contains(alerts, m[1]) {
			t.Errorf("there is no alert %s to test", m[1])
		}
	}
}

func TestTheLogSaysWhatTheManualQuotes(t *testing.T) {
	var sources strings.Builder
	for _, dir := range []string{"cmd/gomokud", "internal"} {
		walk(t, dir, isSource, func(name string) { sources.WriteString(read(t, name)) })
	}
	_, lines, found := strings.Cut(read(t, manual), "\n## What the log says\n")
	if !found {
		t.Fatal("the manual does not say what the log says")
	}
	lines, _, _ = strings.Cut(lines, "\n## ")
	quoted := 0
	for row := range strings.Lines(lines) {
		cells := strings.Split(row, "|")
		if len(cells) < 4 {
			continue
		}
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[1], -1) {
			if quoted++; !strings.Contains(sources.String(), strconv.Quote(m[1])) {
				t.Errorf("the log never says %q", m[1])
			}
		}
	}
	if quoted < 10 {
		t.Errorf("only %d lines are quoted", quoted)
	}
}

func TestTheDashboardIsWhole(t *testing.T) {
	var board struct {
		Panels []struct {
			ID      int
			Type    string
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "deploy/grafana/gomokud.json")), &board); err != nil {
		t.Fatal(err)
	}
	ids := map[int]bool{}
	for _, p := range board.Panels {
		if ids[p.ID] || p.Title == "" {
			t.Errorf("panel %d %q: its number is taken or it has no title", p.ID, p.Title)
		}
		ids[p.ID] = true
		if p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("panel %q shows nothing", p.Title)
		}
		for _, target := range p.Targets {
			if target.Expr == "" {
				t.Errorf("panel %q has a target without a question", p.Title)
			}
		}
	}
	if len(ids) < 10 {
		t.Errorf("only %d panels", len(ids))
	}
}

func TestImagesArePinned(t *testing.T) {
	for _, m := range regexp.MustCompile(`(?m)^ +image: (\S+)$`).FindAllStringSubmatch(read(t, "docker-compose.yml"), -1) {
		if m[1] != "gomokud" && !regexp.MustCompile(`:v?\d+\.\d+\.\d+$`).MatchString(m[1]) {
			t.Errorf("%s has no version", m[1])
		}
	}
}
