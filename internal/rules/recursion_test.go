package rules_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"gomokud/internal/rules"
	"pgregory.net/rapid"
)

// A recursion is a position in which the answer for one point is found only
// after so many levels of double-threes that depend on each other.
type recursion struct {
	levels int
	want   string // "forbidden" or "allowed"
	board  *rules.Board
	asked  rules.Point
}

// recursions reads testdata/recursion.txt: headings such as "depth 3: forbidden",
// each with a drawn board under it on which the point is marked *.
func recursions(t testing.TB) (all []recursion) {
	t.Helper()
	text, err := os.ReadFile("testdata/recursion.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		heading, drawing, _ := strings.Cut(block, "\n")
		var r recursion
		if _, err := fmt.Sscanf(heading, "depth %d: %s", &r.levels, &r.want); err != nil {
			t.Fatalf("%q: %v", heading, err)
		}
		r.board, r.asked = parseAsked(t, drawing)
		all = append(all, r)
	}
	return all
}

func TestRecursion(t *testing.T) {
	seen := map[int]bool{}
	for _, r := range recursions(t) {
		seen[r.levels] = true
		want := rules.NoFoul
		if r.want == "forbidden" {
			want = rules.DoubleThree
		}
		if got := rules.Forbidden(r.board, r.asked); got != want {
			t.Errorf("%d levels: %v: got %q, want %q\n%v", r.levels, r.asked, got, want, r.board)
		}
	}
	for levels := 1; levels <= 9; levels++ {
		if !seen[levels] {
			t.Errorf("no position that needs %d levels", levels)
		}
	}
}

// The positions are what they say: with one level less the slow definitions
// give the wrong answer, with one more the right one.
func TestRecursionNeedsItsLevels(t *testing.T) {
	for _, r := range recursions(t) {
		pos := positionOf(r.board)
		if !wrongAt(pos, r.asked, r.levels-1) {
			t.Errorf("%d levels are enough for %v\n%v", r.levels-1, r.asked, r.board)
		}
		if wrongAt(pos, r.asked, r.levels) {
			t.Errorf("%d levels are not enough for %v\n%v", r.levels, r.asked, r.board)
		}
	}
}

// nearlyRecursive generates boards a few stones away from the positions above.
func nearlyRecursive(t testing.TB) *rapid.Generator[*rules.Board] {
	known := rapid.SampledFrom(recursions(t))
	change := points(square(15))
	return rapid.Custom(func(t *rapid.T) *rules.Board {
		b := known.Draw(t, "position").board.Clone()
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			p := change.Draw(t, "point")
			if b.At(p) != rules.Empty {
				b.Remove(p)
			} else {
				b.Place(p, colors().Draw(t, "color"))
			}
		}
		return b
	})
}
