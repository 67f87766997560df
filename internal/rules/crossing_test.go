package rules_test

import (
	"testing"

	"gomokud/internal/rules"
)

// Lines that cross: a black stone on * commits the foul.
func TestFoulsInSeveralLines(t *testing.T) {
	for _, tt := range []struct {
		name    string
		want    rules.Foul
		drawing string
	}{
		{"two threes", rules.DoubleThree, `
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . X X * . . .
			. . . . . X . . .
			. . . . . X . . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"two threes with gaps", rules.DoubleThree, `
			. . . . . . . . .
			. X . . . . . . .
			. . . . . . . . .
			. . . X . . . . .
			. . . . * . X X .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"three threes", rules.DoubleThree, `
			. . . . . . . . .
			. . X . X . . . .
			. . . X X . . . .
			. . X X * . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"two threes through their middles", rules.DoubleThree, `
			. . . . . . . . .
			. . . . . . . . .
			. . . . X . . . .
			. . . X * X . . .
			. . . . X . . . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"one three is stopped at one end", rules.NoFoul, `
			. . . . . . . . .
			. . . . . . . . .
			. . . . X . . . .
			. . O X * X . . .
			. . . . X . . . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"the edge stops one three", rules.NoFoul, `
			. . . . . . . . .
			. . . . . . . . .
			. X . . . . . . .
			X * X . . . . . .
			. X . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"one three has five cells: no straight four", rules.NoFoul, `
			. . . . . . . . .
			. . . . . . . . .
			. . . . X . . . .
			. O . X * X . O .
			. . . . X . . . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"one three has six cells: one straight four will do", rules.DoubleThree, `
			. . . . . . . . .
			. . . . . . . . .
			. . . . X . . . .
			. O . X * X . . O
			. . . . X . . . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"the only straight four of one three would be six at one end", rules.NoFoul, `
			. . . . . . . . . .
			. . . . . . . . . .
			. . . . . X . . . .
			X . . X X * . O . .
			. . . . . X . . . .
			. . . . . . . . . .
			. . . . . . . . . .
		`},
		{"both straight fours of one three would be six at one end", rules.NoFoul, `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . X . . . . .
			. X . . X * X . . X .
			. . . . . X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
		`},
		{"a four and a three", rules.NoFoul, `
			. . . . . . . . .
			. . . . . . . . .
			. . . . X . . . .
			O X X X * . . . .
			. . . . X . . . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"a straight four and a three", rules.NoFoul, `
			. . . . . . . . .
			. . . . . . . . .
			. . . . X . . . .
			. X X X * . . . .
			. . . . X . . . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"a four and two threes", rules.DoubleThree, `
			. . . . . . . . .
			. . X . . . . . .
			. . . X X . . . .
			O X X X * . . . .
			. . . . X . . . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"two fours", rules.DoubleFour, `
			. . . . O . . . .
			. . . . X . . . .
			. . . . X . . . .
			. . . . X . . . .
			. X X . * X . . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"two straight fours", rules.DoubleFour, `
			. . . . . . . . .
			. . . . X . . . .
			. . . . X . . . .
			. . . . X . . . .
			. X X X * . . . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"one of two fours would be six", rules.NoFoul, `
			. . . . O . . . .
			. . . . X . . . .
			. . . . X . . . .
			. . . . X . . . .
			O X X X * . X . .
			. . . . . . . . .
			. . . . . . . . .
		`},
		{"a five and six and two fours", rules.NoFoul, `
			. . . . X . . . .
			. . . . X . . . .
			X . X . X . . . .
			. X . X X . . . .
			X X X X * X . . .
			. . . X . . . . .
			. . . . . . . . .
		`},
		{"a five and two threes", rules.NoFoul, `
			. . . . . . . . . .
			. . . . . . . . . .
			. . X . X . X . . .
			. . . X X X . . . .
			X X X X * . . . . .
			. . . . . . . . . .
			. . . . . . . . . .
			. . . . . . . . . .
		`},
		{"six and two threes", rules.Overline, `
			. . . . . . . . . .
			. . . . . . . . . .
			. . X . X . X . . .
			. . . X X X . . . .
			X X X X * X . . . .
			. . . . . . . . . .
			. . . . . . . . . .
			. . . . . . . . . .
		`},
	} {
		b, p := parseAsked(t, tt.drawing)
		if got := rules.Forbidden(b, p); got != tt.want {
			t.Errorf("%s: %v: got %q, want %q\n%v", tt.name, p, got, tt.want, b)
		}
	}
}
