package bots

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gomokud/internal/rules"
)

// pictured counts the shapes through a point as the text says: by looking for
// each picture in the string of the line. The edge is one 'x' at either end.
func pictured(b *rules.Board, at, d rules.Point, side rules.Color, shapes []shape) (sum int) {
	line, middle := "x", 0
	first := 0
	for {
		if _, inside := stepFrom(b.Size(), at, d, first-1); !inside {
			break
		}
		first--
	}
	for i := first; ; i++ {
		p, inside := stepFrom(b.Size(), at, d, i)
		if !inside {
			break
		}
		if i == 0 {
			middle = len(line)
		}
		line += map[rules.Color]string{side: "o", rules.Empty: "_", side.Opponent(): "x"}[b.At(p)]
	}
	line += "x"
	for _, s := range shapes {
		for from := range line {
			if strings.HasPrefix(line[from:], s.cells) && from <= middle && middle < from+len(s.cells) {
				sum += s.score
			}
		}
	}
	return sum
}

func TestTheTableFindsWhatThePicturesShow(t *testing.T) {
	table, shapes := newShapeTable(sevenStepShapes()), sevenStepShapes()
	rapid.Check(t, func(t *rapid.T) {
		b := position(t).Board()
		side := rapid.SampledFrom([]rules.Color{rules.Black, rules.White}).Draw(t, "side")
		for at := range b.Size().All() {
			for _, d := range directions {
				w := windowAt(b, at, d, side)
				if got, want := int(w.tally(table).sum), pictured(b, at, d, side, shapes); got != want {
					t.Fatalf("%v at %v along %v: %d, want %d on\n%v", side, at, d, got, want, b)
				}
			}
		}
	})
}

func TestTheSumOfAllLinesFollowsTheStones(t *testing.T) {
	table := newShapeTable(sevenStepShapes())
	rapid.Check(t, func(t *rapid.T) {
		b := position(t).Board()
		for at := range b.Size().All() {
			if b.At(at) != rules.Empty {
				continue
			}
			for _, side := range []rules.Color{rules.Black, rules.White} {
				before, lost := wholeSum(b, side, table), lossAt(b, at, side, table)
				gain := gainAt(b, rules.Freestyle, at, side, table)
				b.Place(at, side)
				with := wholeSum(b, side, table)
				b.Remove(at)
				b.Place(at, side.Opponent())
				without := wholeSum(b, side, table)
				b.Remove(at)
				if before+gain.sum != with || before+lost != without {
					t.Fatalf("%v, %v: %d%+d and %d%+d, want %d and %d on\n%v", side, at, before, gain.sum, before, lost, with, without, b)
				}
			}
			return // one empty point of a board is enough
		}
	})
}

func TestWhatAStoneMakes(t *testing.T) {
	type made struct {
		five, straight bool
		fours, threes  int
	}
	for _, tt := range []struct {
		row  string
		rule rules.Rule
		want made
	}{
		{"____*____", rules.Freestyle, made{}},
		{"__aa*____", rules.Freestyle, made{threes: 1}},
		{"__a_*a___", rules.Freestyle, made{threes: 1}},
		{"_x_aa*_x_", rules.Freestyle, made{}}, // five free cells: no straight four
		{"xaa*_____", rules.Freestyle, made{}},
		{"_aaa*____", rules.Freestyle, made{straight: true, fours: 1}},
		{"xaaa*____", rules.Freestyle, made{fours: 1}},
		{"_aaa_*___", rules.Freestyle, made{fours: 1}},
		{"a_aa*_a__", rules.Freestyle, made{fours: 2}}, // two on one line
		{"_aaaa*___", rules.Freestyle, made{five: true}},
		{"aaaa_*___", rules.Standard, made{fours: 0}}, // six at the gap is no five
		{"a_aaa*___", rules.Standard, made{fours: 1}}, // one of the ends would make six
		{"a_aaa*___", rules.Freestyle, made{straight: true, fours: 1}},
		{"xaaa*_x__", rules.Caro, made{}}, // a five there has stones at both ends
		{"xaaa*_x__", rules.Freestyle, made{fours: 1}},
		{"aaaa*____", rules.Caro, made{five: true}},
		{"a_aaa*_a_", rules.Standard, made{fours: 0}}, // both would make six
	} {
		b, at := row(t, tt.row)
		g := gainAt(b, tt.rule, at, rules.Black, newShapeTable(sevenStepShapes()))
		if got := (made{g.five, g.straight, g.fours, g.threes}); got != tt.want {
			t.Errorf("%s under %v: %+v, want %+v", tt.row, tt.rule, got, tt.want)
		}
	}
}
