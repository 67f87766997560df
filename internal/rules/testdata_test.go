package rules_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gomokud/internal/rules"
)

// records reads a file of published positions, one JSON value a line. They are
// kept beside the repository, not in it.
func records[T any](t *testing.T, name string) []T {
	t.Helper()
	folder := filepath.Join("..", "..", "..", "shared", "testdata")
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no published positions: %s does not exist", folder)
	}
	f, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []T
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var record T
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatalf("%s: record %d: %v", name, len(all)+1, err)
		}
		all = append(all, record)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatalf("%s: no records", name)
	}
	return all
}

func boardOf(side int, black, white []rules.Point) *rules.Board {
	b := rules.NewBoard(square(side))
	for _, p := range black {
		b.Place(p, rules.Black)
	}
	for _, p := range white {
		b.Place(p, rules.White)
	}
	return b
}

func TestPublishedForbiddenPoints(t *testing.T) {
	type record struct {
		ID           string
		Size         int
		Black, White []rules.Point
		Forbidden    struct {
			DoubleThree []rules.Point `json:"double_three"`
			DoubleFour  []rules.Point `json:"double_four"`
			Overline    []rules.Point
		}
	}
	for _, r := range records[record](t, "forbidden_cases.jsonl") {
		want := map[rules.Point][]rules.Foul{}
		add := func(foul rules.Foul, points []rules.Point) {
			for _, p := range points {
				want[p] = append(want[p], foul)
			}
		}
		add(rules.DoubleThree, r.Forbidden.DoubleThree)
		add(rules.DoubleFour, r.Forbidden.DoubleFour)
		add(rules.Overline, r.Forbidden.Overline)

		b := boardOf(r.Size, r.Black, r.White)
		got := rules.AppendForbidden(nil, b)
		if len(got) != len(want) {
			t.Errorf("%s: got %v, want %v\n%v", r.ID, got, want, b)
		}
		for _, f := range got {
			if !slices.Contains(want[f.Point], f.Foul) {
				t.Errorf("%s: %v is %v, want %v\n%v", r.ID, f.Point, f.Foul, want[f.Point], b)
			}
		}
	}
}

func TestPublishedOutcomes(t *testing.T) {
	type record struct {
		ID, Rule, Expected string
		Size               int
		Black, White       []rules.Point
		Move               rules.Point
		Color              rules.Color
	}
	for _, r := range records[record](t, "outcome_cases.jsonl") {
		if r.Rule == "caro_overline" { // not one of our rules
			continue
		}
		rule, err := rules.ParseRule(r.Rule)
		if err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		b := boardOf(r.Size, r.Black, r.White)
		if got := outcome(rule, b, r.Move, r.Color); got != r.Expected {
			t.Errorf("%s: %s, %v on %v: got %s, want %s\n%v", r.ID, rule, r.Color, r.Move, got, r.Expected, b)
		}
	}
}

// outcome plays a stone and says what comes of it, in the words of the records.
func outcome(rule rules.Rule, b *rules.Board, p rules.Point, c rules.Color) string {
	if rule == rules.Renju && c == rules.Black && rules.Forbidden(b, p) != rules.NoFoul {
		return "forbidden"
	}
	b.Place(p, c)
	if rule.Wins(b, p) {
		return c.String() + "_wins"
	}
	return "continues"
}

func TestPublishedGames(t *testing.T) {
	type record struct {
		ID, Result, End string
		Rule            rules.Rule
		Size            int
		Moves           []rules.Point
	}
	for _, r := range records[record](t, "games.jsonl") {
		b := rules.NewBoard(square(r.Size))
		last, side := "continues", rules.Black
		for i, p := range r.Moves {
			if last != "continues" {
				t.Fatalf("%s: over before move %d: %s\n%v", r.ID, i+1, last, b)
			}
			last = outcome(r.Rule, b, p, side)
			side = side.Opponent()
		}
		want := "continues"
		if r.End == "five" {
			want = r.Result + "_wins"
		}
		if last != want {
			t.Errorf("%s: got %s, want %s\n%v", r.ID, last, want, b)
		}
	}
}

// In the published wins by continuous fours every stone may be placed and only
// the last wins; where Black cannot stop a four, the only stop is a foul.
func TestPublishedSolutions(t *testing.T) {
	type record struct {
		ID           string
		Rule         rules.Rule
		Size         int
		Black, White []rules.Point
		ToMove       rules.Color `json:"to_move"`
		Solution     []*rules.Point
	}
	for _, r := range records[record](t, "puzzles_vcf.jsonl") {
		b, side := boardOf(r.Size, r.Black, r.White), r.ToMove
		for i, p := range r.Solution {
			switch last := i == len(r.Solution)-1; {
			case p == nil:
				if stop := *r.Solution[i+1]; rules.Forbidden(b, stop) == rules.NoFoul {
					t.Errorf("%s: Black may stop the four on %v\n%v", r.ID, stop, b)
				}
			case last:
				if got, want := outcome(r.Rule, b, *p, side), side.String()+"_wins"; got != want {
					t.Errorf("%s: move %d, %v: got %s, want %s\n%v", r.ID, i+1, p, got, want, b)
				}
			default:
				if got := outcome(r.Rule, b, *p, side); got != "continues" {
					t.Errorf("%s: move %d, %v: got %s\n%v", r.ID, i+1, p, got, b)
				}
			}
			side = side.Opponent()
		}
	}
}
