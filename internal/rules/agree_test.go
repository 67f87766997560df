package rules_test

import (
	"fmt"
	"slices"
	"testing"

	"gomokud/internal/rules"
	"pgregory.net/rapid"
)

// disagreement compares the forbidden points of the position with the slow
// definitions, point by point. It returns nil if they agree.
func disagreement(b *rules.Board) error {
	before := *b
	pos := positionOf(b)
	var all []rules.ForbiddenPoint
	for p := range b.Size().All() {
		got := rules.Forbidden(b, p)
		if got != rules.NoFoul {
			all = append(all, rules.ForbiddenPoint{Point: p, Foul: got})
		}
		var want []rules.Foul
		if b.At(p) == rules.Empty {
			want = pos.fouls(cellOf(p), unlimited)
		}
		if got == rules.NoFoul && len(want) > 0 || got != rules.NoFoul && !slices.Contains(want, got) {
			return fmt.Errorf("%v: got %q, want one of %q\n%v", p, got, want, b)
		}
	}
	if got := rules.AppendForbidden(nil, b); !slices.Equal(got, all) {
		return fmt.Errorf("all forbidden points: got %v, want %v\n%v", got, all, b)
	}
	if *b != before {
		return fmt.Errorf("judging changed the board to\n%vfrom\n%v", b, &before)
	}
	return nil
}

func TestForbiddenAgreesWithTheDefinitions(t *testing.T) {
	for name, boards := range map[string]*rapid.Generator[*rules.Board]{
		"scattered": scattered(),
		"crowded":   crowded(),
		"recursive": nearlyRecursive(t),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				if err := disagreement(boards.Draw(t, "board")); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// The comparison above is worth something only if the recursion runs: the
// generators must make positions in which looking fewer levels deep gives a
// wrong answer.
func TestGeneratorsReachTheRecursion(t *testing.T) {
	const boards = 400
	for name, tt := range map[string]struct {
		boards *rapid.Generator[*rules.Board]
		levels int
	}{
		"crowded":   {crowded(), 3},
		"recursive": {nearlyRecursive(t), 9},
	} {
		deepest := 0
		for seed := range boards {
			pos := positionOf(tt.boards.Example(seed))
			for p := range pos.size.All() {
				for pos.at(cellOf(p)) == rules.Empty && wrongAt(pos, p, deepest) {
					deepest++
				}
			}
		}
		t.Logf("%s: needs %d levels", name, deepest)
		if deepest < tt.levels {
			t.Errorf("%s: %d boards need %d levels, want %d", name, boards, deepest, tt.levels)
		}
	}
}

// wrongAt reports whether a limit to so many levels changes the answer for p.
func wrongAt(pos *position, p rules.Point, levels int) bool {
	limited, full := pos.fouls(cellOf(p), levels), pos.fouls(cellOf(p), unlimited)
	return !slices.Equal(limited, full)
}

// What is forbidden does not depend on how the board lies.
func TestForbiddenIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := positions().Draw(t, "board")
		turned := rules.NewBoard(rules.Size{Width: b.Size().Height, Height: b.Size().Width})
		turn := func(p rules.Point) rules.Point {
			return rules.Point{X: p.Y, Y: int8(b.Size().Width-1) - p.X}
		}
		for p := range b.Size().All() {
			if c := b.At(p); c != rules.Empty {
				turned.Place(turn(p), c)
			}
		}
		for p := range b.Size().All() {
			if got, want := rules.Forbidden(turned, turn(p)), rules.Forbidden(b, p); got != want {
				t.Fatalf("%v after a quarter turn: got %q, want %q\n%v", p, got, want, b)
			}
		}
	})
}
