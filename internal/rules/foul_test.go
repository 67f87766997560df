package rules_test

import (
	"strings"
	"testing"

	"gomokud/internal/rules"
)

// One line at a time, from edge to edge of the board, in all four directions:
// a black stone on * commits the foul.
func TestFoulsInOneLine(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		want       rules.Foul
	}{
		{"a three", ". . . X * X . . .", rules.NoFoul},
		{"a four", "O X X * X . . . .", rules.NoFoul},
		{"a four with a gap", ". . X X * . X . .", rules.NoFoul},
		{"a straight four is one four", ". . X X * X . . .", rules.NoFoul},
		{"a five", ". . X X * X X . .", rules.NoFoul},
		{"a five from edge to edge", "X X * X X", rules.NoFoul},

		{"two fours, three apart", "X X X . * . X X X", rules.DoubleFour},
		{"two fours, two apart", "X X . X * . X X .", rules.DoubleFour},
		{"two fours, one apart", ". X . X * X . X .", rules.DoubleFour},
		{"two fours in the middle of one", ". X . * X X . X .", rules.DoubleFour},
		{"two fours between walls", "O X . X * X . X O", rules.DoubleFour},
		{"two fours between edges", "X . X * X . X", rules.DoubleFour},
		{"two fours, both with stones beyond two cells", "X . X . X * X . X . X", rules.DoubleFour},
		{"one of two fours would be six", "X X . X * . X X X", rules.NoFoul},
		{"both of two fours would be six", "X X X . X * X . X X X", rules.NoFoul},
		{"one of two fours is stopped", "X X X O * . X X X", rules.NoFoul},
		{"three and two with a gap would be six", ". X X X . X * . .", rules.NoFoul},
		{"four, and six beyond", ". X X X * . X . .", rules.NoFoul},

		{"six", ". X X * X X X . .", rules.Overline},
		{"seven", "O X X X * X X X O", rules.Overline},
		{"six at its end", "X X X X X * . . .", rules.Overline},
		{"nine from edge to edge", "X X X X * X X X X", rules.Overline},
		{"a gap makes no six", ". X X * X . X X .", rules.NoFoul},
		{"White's stones are no six", ". O O * O O O . .", rules.NoFoul},
	} {
		boards, points := laid(t, tt.line)
		i := strings.Index(strings.ReplaceAll(tt.line, " ", ""), "*")
		for d, b := range boards {
			if got := rules.Forbidden(b, points[d][i]); got != tt.want {
				t.Errorf("%s: got %q, want %q\n%v", tt.name, got, tt.want, b)
			}
		}
	}
}
