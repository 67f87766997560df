package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"gomokud/internal/ai"
	"gomokud/internal/lab"
	"gomokud/internal/rules"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// output runs the command and returns what it printed.
func output(t *testing.T, want int, args ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "out")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = f
	code := run(t.Context(), args)
	os.Stdout = stdout
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if code != want {
		t.Fatalf("%v: exit code %d, want %d\n%s", args, code, want, text)
	}
	return string(text)
}

func TestWrongFlagsExitWithTwo(t *testing.T) {
	for _, args := range []string{
		"", "dance", "match", "match seven-step", "match seven-step nobody", "match seven-step seven-step",
		"match seven-step influence -n 0", "match seven-step influence --rule go", "match seven-step influence --size 4",
		"match seven-step influence --size 15x", "match seven-step influence --sprt 5", "match seven-step influence --sprt 5,0",
		"match seven-step influence -j 0", "match seven-step influence --nodes=-1", "match seven-step:nodes=0 influence",
		"match seven-step:speed=2 influence", "match seven-step:threads=2 influence", "match seven-step:time=soon influence",
		"match x=/nowhere/at/all influence", "match seven-step influence --openings /nowhere/at/all",
		"roundrobin seven-step seven-step", "roundrobin", "torture nobody", "torture -n 0",
	} {
		if code := run(t.Context(), strings.Fields(args)); code != exitUsage {
			t.Errorf("%s: exit code %d, want %d", args, code, exitUsage)
		}
	}
}

func TestHelpExplains(t *testing.T) {
	for _, args := range []string{"--help", "match --help", "roundrobin --help", "torture --help", "openings --help"} {
		if text := output(t, exitOK, strings.Fields(args)...); !strings.Contains(text, "Usage: lab") {
			t.Errorf("%s:\n%s", args, text)
		}
	}
}

func TestPlayersAreParsed(t *testing.T) {
	for _, tt := range []struct {
		text, name string
		budget     ai.Budget
	}{
		{"tengen", "tengen", ai.Budget{}},
		{"tengen-3", "tengen-3", ai.Budget{}},
		{"tengen:nodes=2000", "tengen:nodes=2000", ai.Budget{Nodes: 2000}},
		{"old=tengen:threads=2,memory=8,depth=6", "old", ai.Budget{Depth: 6}},
		{"seven-step:time=1s,nodes=5", "seven-step:time=1s,nodes=5", ai.Budget{Time: 1e9, Nodes: 5}},
	} {
		p, err := parsePlayer(tt.text, rules.Freestyle, nil)
		if err != nil || p.Name != tt.name || p.Budget != tt.budget || p.New() == nil {
			t.Errorf("%s: %+v, %v", tt.text, p, err)
		}
	}
}

// TestAPlayerMayHaveANetworkOfItsOwn, for the rule that is played.
func TestAPlayerMayHaveANetworkOfItsOwn(t *testing.T) {
	networks := "../../internal/ai/tengen/weights/"
	for _, tt := range []struct {
		text string
		rule rules.Rule
		ok   bool
	}{
		{"new=tengen:network=" + networks + "freestyle.net,nodes=100", rules.Freestyle, true},
		{"tengen:network=" + networks + "renju.net", rules.Renju, true},
		{"tengen:network=" + networks + "renju.net", rules.Freestyle, false},
		{"tengen:network=" + networks + "freestyle.net", rules.Renju, false},
		{"tengen:network=" + t.TempDir() + "/none.net", rules.Freestyle, false},
		{"seven-step:network=" + networks + "freestyle.net", rules.Freestyle, false},
	} {
		if p, err := parsePlayer(tt.text, tt.rule, nil); (err == nil) != tt.ok || tt.ok && p.New() == nil {
			t.Errorf("%s for %v: %v", tt.text, tt.rule, err)
		}
	}
}

func TestEveryNameThatIsListedPlays(t *testing.T) {
	names := strings.Fields(output(t, exitOK, "players"))
	if len(names) < 10 || names[0] != "tengen" {
		t.Errorf("players: %v", names)
	}
	if _, err := parsePlayers(names, rules.Freestyle); err != nil {
		t.Error(err)
	}
}

// TestAMatchCanBePlayedAgain, move by move, from what it recorded.
func TestAMatchCanBePlayedAgain(t *testing.T) {
	games := func() (all [][]rules.Point) {
		name := filepath.Join(t.TempDir(), "games.jsonl")
		text := output(t, exitOK, "match", "seven-step", "influence", "-n", "6", "--depth", "2", "-q", "--json", "-o", name, "--rule", "renju")
		var result lab.MatchResult
		if err := json.Unmarshal([]byte(text), &result); err != nil || result.Score.Games() != 6 || result.Pairs.Pairs() != 3 {
			t.Fatalf("%v:\n%s", err, text)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var r lab.Record
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil || r.Rule != rules.Renju || r.Reason.Fault() {
				t.Fatalf("%v:\n%s", err, lines.Text())
			}
			all = append(all, r.Moves)
		}
		return all
	}
	one, two := games(), games()
	if len(one) != 6 {
		t.Fatalf("%d games were recorded", len(one))
	}
	for i := range one {
		if lab.Opening(one[i]).String() != lab.Opening(two[i]).String() {
			t.Errorf("game %d: %v, then %v", i, one[i], two[i])
		}
	}
}

func TestOpeningsFromAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "openings")
	if err := os.WriteFile(name, []byte(output(t, exitOK, "openings", "-n", "4", "-s", "20x15")), 0o600); err != nil {
		t.Fatal(err)
	}
	text := output(t, exitOK, "roundrobin", "seven-step", "influence", "shape-dictionary",
		"-n", "2", "-s", "20x15", "-q", "--openings", name, "--anchor", "influence", "--elo", "900", "--json")
	var table lab.Table
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&table); err != nil || table.Games != 6 || table.Anchor != "influence" {
		t.Errorf("%v:\n%s", err, text)
	}
}

func TestTortureExitsWithOneAfterAFault(t *testing.T) {
	text := output(t, exitOK, "torture", "seven-step", "influence", "-n", "10", "-q", "--time", "1m")
	if !strings.Contains(text, "10 games") || !strings.Contains(text, "0 faults, 0 late answers") {
		t.Errorf("%s", text)
	}
	// A program that says nothing loses every game.
	text = output(t, exitFailed, "torture", "mute=/bin/cat", "-n", "2", "-q")
	if !strings.Contains(text, "2 faults") {
		t.Errorf("%s", text)
	}
}
