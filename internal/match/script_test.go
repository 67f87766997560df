package match_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

var update = flag.Bool("update", false, "rewrite what the scripts in testdata expect")

// dawn is when every script begins.
const dawn match.Instant = 1764000000000

// TestScripts plays the games in testdata. A script has one command a line:
//
//	+1.5s black place h8
//
// that is the time since the line before, who, and what; words of the form
// key=value follow (id, lag, ply). Who is "black" or "white" for whoever plays
// that side now, "service", or a player's id. The indented lines below a command
// are what came of it; go test -update writes them, to be read as a diff.
// Lines that begin with # say why.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d scripts, error %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := play(t, string(want))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			differ(t, file, got, string(want))
		})
	}
}

// differ names the first line in which two texts differ.
func differ(t *testing.T, file, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		a, b := "(the end)", "(the end)"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Fatalf("%s:%d\n got %s\nwant %s", file, i+1, a, b)
		}
	}
}

// table is a room while its script is played.
type table struct {
	t     testing.TB
	state *match.State
	log   []match.Event
	now   match.Instant
}

// play runs a script and returns it with what came of each command, and the log.
func play(t testing.TB, script string) (string, []match.Event) {
	t.Helper()
	var out strings.Builder
	tab := &table{t: t, state: new(match.State), now: dawn}
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, " ") {
			continue // what was expected the last time
		}
		out.WriteString(line)
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			for _, came := range tab.line(words) {
				fmt.Fprintf(&out, "    %s\n", came)
			}
		}
	}
	tab.refold()
	return out.String(), tab.log
}

// line runs one line of a script.
func (tab *table) line(words []string) []string {
	tab.t.Helper()
	if len(words) < 3 {
		tab.t.Fatalf("%q is no command", words)
	}
	wait := span(tab.t, strings.TrimPrefix(words[0], "+"))
	switch words[1] {
	case "show":
		tab.now += match.Instant(wait)
		return tab.show(words[2])
	case "both": // the sides play the points in turn, each after the same time
		var came []string
		for _, point := range words[2:] {
			tab.now += match.Instant(wait)
			came = append(came, tab.command(tab.state.Turn().String(), []string{"place", point})...)
		}
		return came
	}
	tab.now += match.Instant(wait)
	return tab.command(words[1], words[2:])
}

// command decides and folds one command and tells what came of it.
func (tab *table) command(who string, words []string) []string {
	tab.t.Helper()
	by := tab.player(who)
	var events []match.Event
	var err error
	if words[0] == "new" {
		events, err = tab.create(by, words[1:])
	} else {
		events, err = match.Decide(tab.state, command(tab, by, words), tab.now)
	}
	var repeated match.Repeated
	switch {
	case errors.As(err, &repeated):
		return []string{fmt.Sprintf("repeated: version %d", repeated.Version)}
	case err != nil:
		return []string{"error: " + err.Error()}
	case len(events) == 0:
		return []string{"nothing"}
	}
	var came []string
	for _, e := range events {
		came = append(came, tab.describe(tab.fold(e)))
	}
	return came
}

// fold stores an event as a server would, in writing, and folds what is read.
func (tab *table) fold(e match.Event) match.Event {
	tab.t.Helper()
	data, err := match.Encode(e)
	if err != nil {
		tab.t.Fatal(err)
	}
	if e, err = match.Decode(data); err != nil {
		tab.t.Fatal(err)
	}
	if err := tab.state.Apply(e); err != nil {
		tab.t.Fatal(err)
	}
	tab.log = append(tab.log, e)
	return e
}

// refold checks that the whole log leads to the state that was reached step by
// step.
func (tab *table) refold() {
	tab.t.Helper()
	again, err := match.Fold(tab.log)
	if err != nil {
		tab.t.Fatal(err)
	}
	if !same(again, tab.state) {
		tab.t.Errorf("folding the log anew gives\n%+v\nwant\n%+v", again, tab.state)
	}
}

// player is whom a script means by a name.
func (tab *table) player(who string) match.Player {
	switch who {
	case "black":
		return tab.state.Seats.Black.Player
	case "white":
		return tab.state.Seats.White.Player
	case "service":
		return match.Player{}
	case "robot":
		return match.Player{ID: who, Name: who, Bot: "seven-step"}
	}
	return match.Player{ID: who, Name: who}
}

// show tells what a script asks to see.
func (tab *table) show(what string) []string {
	tab.t.Helper()
	s := tab.state
	switch what {
	case "board":
		return strings.Split(strings.TrimSuffix(s.Board().String(), "\n"), "\n")
	case "moves":
		return []string{fmt.Sprint(points(s.Moves))}
	case "clocks":
		return []string{fmt.Sprintf("black %s, white %s",
			clock(s.ClockOf(rules.Black, tab.now)), clock(s.ClockOf(rules.White, tab.now)))}
	case "score":
		return []string{fmt.Sprintf("game %d: black %s %d, white %s %d, in half points", s.Number,
			s.Seats.Black.ID, s.Seats.Black.Points, s.Seats.White.ID, s.Seats.White.Points)}
	case "offers":
		return []string{fmt.Sprintf("draw by %s, takeback by %s, rematch by %s",
			s.Offers.Draw, s.Offers.Takeback, s.Offers.Rematch)}
	case "away":
		return []string{fmt.Sprintf("black since %s, white since %s",
			moment(s.Seats.Black.Away), moment(s.Seats.White.Away))}
	case "wake":
		return []string{moment(s.Wake())}
	}
	tab.t.Fatalf("%q cannot be shown", what)
	return nil
}

// moment writes a time as what has passed since the script's beginning.
func moment(at match.Instant) string {
	if at == 0 {
		return "never"
	}
	return "dawn+" + (time.Duration(at-dawn) * time.Millisecond).String()
}

func clock(c match.Clock) string {
	text := (time.Duration(c.Main) * time.Millisecond).String()
	if c.Periods > 0 {
		text += fmt.Sprintf("+%d periods", c.Periods)
	}
	return text
}

func span(t testing.TB, text string) match.Millis {
	t.Helper()
	if text == "0" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return match.Millis(d.Milliseconds())
}

// points writes moves as records do: h8, or pass.
func points(moves []match.Move) []string {
	list := make([]string, len(moves))
	for i, m := range moves {
		if list[i] = m.Point.String(); m.Pass {
			list[i] = "pass"
		}
	}
	return list
}
