package rules_test

import (
	"testing"

	"gomokud/internal/rules"
)

// RIF 9.3: two threes are allowed if one of them cannot become a straight four
// by a permitted stone. In all these positions f7 makes a three downwards, and
// one in its row that only e7 can make a straight four.
func TestDoubleThreeThatIsAllowed(t *testing.T) {
	for _, tt := range []struct {
		name    string
		want    rules.Foul
		drawing string
	}{
		{"e7 is permitted", rules.DoubleThree, `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . X X . * . . . . .
			. . . . . X . . . . .
			. . . . . X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
		`},
		{"e7 makes six", rules.NoFoul, `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . X . . . . . .
			. . . . X . . . . . .
			. . X X . * . . . . .
			. . . . X X . . . . .
			. . . . X X . . . . .
			. . . . X . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
		`},
		{"e7 makes another four", rules.NoFoul, `
			. . . . O . . . . . .
			. . . . X . . . . . .
			. . . . X . . . . . .
			. . . . X . . . . . .
			. . X X . * . . . . .
			. . . . . X . . . . .
			. . . . . X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
		`},
		{"e7 makes two more threes", rules.NoFoul, `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . X . . . . . .
			. . . . X . . . . . .
			. . X X . * . . . . .
			. . . X . X . . . . .
			. . X . . X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
		`},
		{"e7 makes two more threes, one of which is stopped", rules.DoubleThree, `
			. . . . . . . . . . .
			. . . . O . . . . . .
			. . . . X . . . . . .
			. . . . X . . . . . .
			. . X X . * . . . . .
			. . . X . X . . . . .
			. . X . . X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
		`},
		{"e7 makes a five, so it makes no straight four", rules.NoFoul, `
			. . . . X . . . . . .
			. . . . X . . . . . .
			. . . . X . . . . . .
			. . . . X . . . . . .
			. . X X . * . . . . .
			. . . . . X . . . . .
			. . . . . X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
		`},
	} {
		b, p := parseAsked(t, tt.drawing)
		if got := rules.Forbidden(b, p); got != tt.want {
			t.Errorf("%s: %v: got %q, want %q\n%v", tt.name, p, got, tt.want, b)
		}
	}
}
