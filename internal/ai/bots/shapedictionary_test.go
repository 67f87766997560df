package bots

import (
	"math"
	"testing"

	"gomokud/internal/rules"
)

// row makes a board whose middle row, of nine points, is the drawing; 'a' is
// Black, 'x' White, and '*' the point that is asked about.
func row(t *testing.T, drawing string) (*rules.Board, rules.Point) {
	t.Helper()
	b := rules.NewBoard(rules.Size{Width: len(drawing), Height: 5})
	var at rules.Point
	for x, c := range drawing {
		p := rules.Point{X: int8(x), Y: 2}
		switch c {
		case 'a':
			b.Place(p, rules.Black)
		case 'x':
			b.Place(p, rules.White)
		case '*':
			at = p
		}
	}
	return b, at
}

func TestTheScanReadsAsTheSeedDoes(t *testing.T) {
	for _, tt := range []struct{ row, want string }{
		{"____*____", "___a___"}, // in turn, from the left
		{"_aa_*____", "_aa_a__"}, // left: empty; right: empty; left: two own stones and an empty cell
		{"aaaa*____", "aaaaa__"}, // own stones are read on to the edge, then the right has the rest
		{"*aaaa____", "aaaaa__"}, // at the left edge
		{"____*aaaa", "__aaaaa"}, // the right ends at the edge: then the left goes on to seven
		{"__xa*____", "aa____"},  // the opponent's stone ends the left
		{"__xa*ax__", "aaa"},     // both sides ended
		{"x_*_x____", "_a_"},
		{"a_a*_a_a_", "a_aa_a_"}, // empty cells hand over in turn
	} {
		b, at := row(t, tt.row)
		got := scanLine(b, at, rules.Point{X: 1}, rules.Black)
		if got != tt.want {
			t.Errorf("%s reads %q, want %q", tt.row, got, tt.want)
		}
	}
}

func TestTheDearestEntryCounts(t *testing.T) {
	for _, tt := range []struct {
		row  string
		want float32
	}{
		{"__a*_____", 500}, {"_aa*_____", 10000}, {"_aaa*____", 100000}, {"_aaaa*___", math.MaxFloat32},
		{"xaaa*____", 15000}, {"xaa*_____", 1000}, {"xa*______", 100}, {"_a_a*____", 9000}, {"aa_*a____", 15000},
		{"x*_a_a_x_", 1000}, {"____*____", 0}, {"xaaa*x___", 0},
	} {
		b, at := row(t, tt.row)
		if got := lookUp(worth(), scanLine(b, at, rules.Point{X: 1}, rules.Black), true); got != tt.want {
			t.Errorf("%s is worth %v, want %v", tt.row, got, tt.want)
		}
	}
}

func TestBothSidesCount(t *testing.T) {
	b, at := row(t, "_aa*xx___")
	// White would have a closed three, which the dictionary has ("aaa__"); Black
	// its mirror image, which the text has struck out.
	if got, want := pointScore(b, rules.Freestyle, at, worth()), float32(1000+0); got != want {
		t.Errorf("the sum is %v, want %v", got, want)
	}
}
