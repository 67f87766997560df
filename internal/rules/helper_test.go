package rules_test

import (
	"slices"
	"strings"
	"testing"

	"gomokud/internal/rules"
)

// parse reads a drawn board.
func parse(t testing.TB, drawing string) *rules.Board {
	t.Helper()
	b, err := rules.ParseBoard(drawing)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// parseAsked reads a drawn board on which one empty point is marked * and
// returns that point too.
func parseAsked(t testing.TB, drawing string) (*rules.Board, rules.Point) {
	t.Helper()
	asked := parse(t, strings.NewReplacer("X", ".", "O", ".", "*", "X").Replace(drawing))
	for p := range asked.Size().All() {
		if asked.At(p) != rules.Empty {
			return parse(t, strings.Replace(drawing, "*", ".", 1)), p
		}
	}
	t.Fatalf("no point is marked:\n%s", drawing)
	return nil, rules.Point{}
}

// point reads the name of a point.
func point(t testing.TB, name string) rules.Point {
	t.Helper()
	p, err := rules.ParsePoint(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func square(side int) rules.Size { return rules.Size{Width: side, Height: side} }

// laid puts a drawn line on four square boards, across it in each of the four
// directions from edge to edge, and returns them with the points of the line.
// Points marked * stay empty.
func laid(t testing.TB, line string) (boards [4]*rules.Board, points [4][]rules.Point) {
	t.Helper()
	line = strings.ReplaceAll(line, " ", "")
	side := len(line)
	for d := range boards {
		boards[d] = rules.NewBoard(square(side))
		for i := range side {
			p := [4]cell{{i, side / 2}, {side / 2, i}, {i, i}, {i, side - 1 - i}}[d].point()
			points[d] = append(points[d], p)
			switch line[i] {
			case 'X':
				boards[d].Place(p, rules.Black)
			case 'O':
				boards[d].Place(p, rules.White)
			}
		}
	}
	return boards, points
}

// names returns the points' names in alphabetical order.
func names(points []rules.Point) []string {
	var all []string
	for _, p := range points {
		all = append(all, p.String())
	}
	slices.Sort(all)
	return all
}

// mustPanic fails the test unless f panics.
func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}
