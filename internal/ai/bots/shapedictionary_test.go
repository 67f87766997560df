package bots

import (
	"math"
	"testing"

	"pgregory.net/rapid"

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

// asPublished is the loop of the seed's CheckOneLine, word for word but for the
// size of the board.
func asPublished(b *rules.Board, pos, offset rules.Point, chess rules.Color) string {
	width, height := b.Size().Width, b.Size().Height
	grid := func(i, j int) rules.Color { return b.At(rules.Point{X: int8(i), Y: int8(j)}) }
	x, y, dx, dy := int(pos.X), int(pos.Y), int(offset.X), int(offset.Y)

	lFirst, lStop, rStop := true, false, false
	allNum := 1
	str := "a"
	ri, rj := dx, dy
	li, lj := -dx, -dy
	for allNum < 7 && (!lStop || !rStop) {
		if lFirst {
			if x+li >= 0 && x+li < width && y+lj >= 0 && y+lj < height && !lStop {
				if grid(x+li, y+lj) == chess {
					allNum++
					str = "a" + str
				} else if grid(x+li, y+lj) == 0 {
					allNum++
					str = "_" + str
					if !rStop {
						lFirst = false
					}
				} else {
					lStop = true
					if !rStop {
						lFirst = false
					}
				}
				li -= dx
				lj -= dy
			} else {
				lStop = true
				if !rStop {
					lFirst = false
				}
			}
		} else {
			if x+ri >= 0 && x+ri < width && y+rj >= 0 && y+rj < height && !lFirst {
				if grid(x+ri, y+rj) == chess {
					allNum++
					str += "a"
				} else if grid(x+ri, y+rj) == 0 {
					allNum++
					str += "_"
					if !lStop {
						lFirst = true
					}
				} else {
					rStop = true
					if !lStop {
						lFirst = true
					}
				}
				ri += dx
				rj += dy
			} else {
				rStop = true
				if !lStop {
					lFirst = true
				}
			}
		}
	}
	return str
}

func TestTheScanIsThePublishedOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		board := position(t).Board()
		for at := range board.Size().All() {
			if board.At(at) != rules.Empty {
				continue
			}
			for _, side := range []rules.Color{rules.Black, rules.White} {
				for _, d := range directions {
					got, want := scanLine(board, at, d, side), asPublished(board, at, d, side)
					if got != want {
						t.Fatalf("%v at %v along %v reads %q, want %q on\n%v", side, at, d, got, want, board)
					}
				}
			}
		}
	})
}

func TestEveryEntryIsFoundInItself(t *testing.T) {
	for _, tt := range []struct {
		want    float32
		entries []string
	}{
		{100, []string{"aa__", "__aa", "__a_a", "_a__a", "a__a", "a__a_", "a_a__"}},
		{500, []string{"__aa__", "__aa_", "_a_a_", "_a__a_", "_aa__"}},
		{1000, []string{"a_a_a", "_aa_a", "a_aa_", "_a_aa", "aa_a_", "aa__a", "aaa__"}},
		{9000, []string{"_aa_a_", "_a_aa_"}},
		{10000, []string{"_aaa_"}},
		{15000, []string{"a_aaaa", "aa_aa", "_aaaa", "aaa_a", "aaaa_", "a_aaa"}},
		{100000, []string{"_aaaa_"}},
		{math.MaxFloat32, []string{"aaaaa"}},
		{100, []string{"__aaa"}},                   // struck out: no more than a closed two
		{0, []string{"aaa", "aaaa", "_a_", "aa_"}}, // not in it
	} {
		for _, line := range tt.entries {
			if got := lookUp(worth(), line, true); got != tt.want {
				t.Errorf("%q is worth %v, want %v", line, got, tt.want)
			}
		}
	}
}

func TestOfEqualSumsTheLastColumnFromTheLeftWins(t *testing.T) {
	// Black has a single stone, and White nothing anywhere. One or two points
	// from it, along any of the four lines, Black would have an open two (500).
	// Three points from it the window is wide enough for "_a__a_" (500) only to
	// the right of the stone, as the scan begins on the left. That is the
	// rightmost column with such points, i, and i9 is its highest.
	p := drawn(t, rules.Freestyle, rules.White, `
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . X . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .`)
	bot, _ := Find("shape-dictionary")
	if got, want := think(t, bot, p).String(), "i9"; got != want {
		t.Errorf("plays %s, want %s", got, want)
	}
}

func TestAFiveThatDoesNotWinIsWorthNothing(t *testing.T) {
	for _, tt := range []struct {
		row  string
		rule rules.Rule
		want float32
	}{
		{"_aaa*aa__", rules.Freestyle, math.MaxFloat32},
		{"_aaa*aa__", rules.Standard, 0},
		{"xaaa*ax__", rules.Standard, math.MaxFloat32},
		{"xaaa*ax__", rules.Caro, 0},
		{"xaaa*a___", rules.Caro, math.MaxFloat32},
	} {
		b, at := row(t, tt.row)
		if got := pointScore(b, tt.rule, at, worth()); got != tt.want {
			t.Errorf("%s under %v is worth %v, want %v", tt.row, tt.rule, got, tt.want)
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
