package bots

import (
	"testing"

	"pgregory.net/rapid"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// tabled are the tables of a board to which no stone was added.
func tabled(rule rules.Rule, b *rules.Board) *shapeTables {
	p := ai.Position{Rule: rule, Size: b.Size(), ToMove: rules.Black}
	for at := range b.Size().All() {
		if c := b.At(at); c != rules.Empty {
			p.Stones = append(p.Stones, ai.Stone{Point: at, Color: c})
		}
	}
	return newShapeTables(p)
}

func TestTheNumberOfWhatTheWalkFinds(t *testing.T) {
	for _, tt := range []struct {
		row  string
		rule rules.Rule
		want number
	}{
		{"_aaaa*___", rules.Freestyle, 50},
		{"_aa*aa___", rules.Freestyle, 50},
		{"__aaa*___", rules.Freestyle, 40},
		{"__a*aa___", rules.Freestyle, 40},
		{"_xaaa*___", rules.Freestyle, 20},
		{"aaa*_____", rules.Freestyle, 20}, // the edge
		{"x_aaa*x__", rules.Freestyle, 20},
		{"_xaaa*x__", rules.Freestyle, 0},
		{"__aa*____", rules.Freestyle, 15},
		{"__a*a____", rules.Freestyle, 15},
		{"x_aa*__x_", rules.Freestyle, 15},
		{"_x_aa*_x_", rules.Freestyle, 8}, // both ends are empty, but nothing more fits
		{"_xaa*____", rules.Freestyle, 8},
		{"_xaa*_x__", rules.Freestyle, 0}, // no room for five
		{"___a*____", rules.Freestyle, 10},
		{"__xa*____", rules.Freestyle, 4},
		{"____*____", rules.Freestyle, 2},
		{"x__*_x___", rules.Freestyle, 0},
		{"*________", rules.Freestyle, 1},
		// the walk ends at an empty cell: a four and a three with gaps are none
		{"xaaa_*___", rules.Freestyle, 1},
		{"__aa_*____", rules.Freestyle, 2},
		{"xaa_a*___", rules.Freestyle, 10},
		{"__a_a*___", rules.Freestyle, 10},
		// and the rules say what would win
		{"aaa*aa___", rules.Freestyle, 50},
		{"aaa*aa___", rules.Standard, 0},
		{"aaa*aa___", rules.Renju, 0},
		{"a_aaa*___", rules.Freestyle, 40},
		{"a_aaa*___", rules.Standard, 20}, // one of its ends makes six
		{"a_aaa*_a_", rules.Standard, 0},
		{"a_aa*__a_", rules.Standard, 8},
		{"xaaaa*x__", rules.Freestyle, 50},
		{"xaaaa*x__", rules.Caro, 0},
		{"xaaaa*___", rules.Caro, 50},
		{"aaaa*x___", rules.Caro, 50}, // the edge does not stop
		{"xaaa*_x__", rules.Caro, 0},
	} {
		b, at := row(t, tt.row)
		if got := tabled(tt.rule, b).of(at, rules.Black)[alongRow]; got != tt.want {
			t.Errorf("%s under %v: %d, want %d", tt.row, tt.rule, got, tt.want)
		}
	}
}

func TestAPointHasFourNumbersForEitherSide(t *testing.T) {
	tables := lookingAt(t, rules.Freestyle, `
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . X . . . O . .
		. . O X X . . X X
		. . . . X . . . .
		. . . X . . . . .
		. . . . . . O . .
		. . . . . . . . .`)
	at, err := rules.ParsePoint("f5")
	if err != nil {
		t.Fatal(err)
	}
	// along the row, rising, falling, up
	if got, want := *tables.of(at, rules.Black), [4]number{closedThree, closedThree, openOne, openOne}; got != want {
		t.Errorf("Black's are %v, want %v", got, want)
	}
	if got, want := *tables.of(at, rules.White), [4]number{noShape, noShape, openOne, openOne}; got != want {
		t.Errorf("White's are %v, want %v", got, want)
	}
}

// slowNumber walks from the point and asks the rules what the row may become.
func slowNumber(b *rules.Board, rule rules.Rule, at, d rules.Point, side rules.Color) number {
	b = b.Clone()
	b.Place(at, side)
	cell := func(i int) byte { return seen(b, at, d, i, side) }
	left, right := 0, 0
	for cell(left-1) == own {
		left--
	}
	for cell(right+1) == own {
		right++
	}
	stones := right - left + 1
	// grown is the board with an unbroken row of own stones; false if something
	// is in the way, or if another row than the walk's is taken in.
	grown := func(from, to int, over bool) (*rules.Board, bool) {
		c := b.Clone()
		for i := from; i <= to; i++ {
			switch {
			case cell(i) == vacant:
				p, _ := stepFrom(b.Size(), at, d, i)
				c.Place(p, side)
			case cell(i) == other, !over && (i < left || i > right):
				return nil, false
			}
		}
		return c, true
	}
	wins := func(c *rules.Board) bool { // along this line
		alone := rules.NewBoard(c.Size())
		for i := -rules.MaxSide; i <= rules.MaxSide; i++ {
			if p, inside := stepFrom(c.Size(), at, d, i); inside && c.At(p) != rules.Empty {
				alone.Place(p, c.At(p))
			}
		}
		return rule.Wins(alone, at)
	}
	if stones >= 5 {
		if wins(b) {
			return wholeFive
		}
		return noShape
	}
	possible := false
	for from := right - 4; from <= left; from++ {
		c, ok := grown(from, from+4, true)
		possible = possible || ok && wins(c)
	}
	open := false
	for from := right - 3; from <= left; from++ {
		four, ok := grown(from, from+3, false)
		if !ok {
			continue
		}
		ends := 0
		for _, i := range [2]int{from - 1, from + 4} {
			if p, inside := stepFrom(b.Size(), at, d, i); inside && four.At(p) == rules.Empty {
				five := four.Clone()
				five.Place(p, side)
				if wins(five) {
					ends++
				}
			}
		}
		open = open || ends == 2
	}
	switch {
	case open:
		return [...]number{1: 2, 10, 15, 40}[stones]
	case possible:
		return [...]number{1: 1, 4, 8, 20}[stones]
	}
	return noShape
}

func TestTheNumbersAreWhatTheRulesSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := position(t)
		tables := newShapeTables(p)
		at := rules.Point{
			X: int8(rapid.IntRange(0, p.Size.Width-1).Draw(t, "x")),
			Y: int8(rapid.IntRange(0, p.Size.Height-1).Draw(t, "y")),
		}
		for _, side := range []rules.Color{rules.Black, rules.White} {
			for i, d := range directions {
				want := noShape
				if tables.board.At(at) == rules.Empty {
					want = slowNumber(tables.board, p.Rule, at, d, side)
				}
				if got := tables.of(at, side)[i]; got != want {
					t.Fatalf("%v at %v along %v under %v: %d, want %d on\n%v", side, at, d, p.Rule, got, want, tables.board)
				}
			}
		}
	})
}

func TestTheTablesFollowTheStones(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := position(t)
		tables := newShapeTables(p)
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			at := rules.Point{
				X: int8(rapid.IntRange(0, p.Size.Width-1).Draw(t, "x")),
				Y: int8(rapid.IntRange(0, p.Size.Height-1).Draw(t, "y")),
			}
			if tables.board.At(at) == rules.Empty {
				tables.play(at, rapid.SampledFrom([]rules.Color{rules.Black, rules.White}).Draw(t, "side"))
			} else {
				tables.take(at)
			}
		}
		anew := tabled(p.Rule, tables.board)
		if tables.numbers != anew.numbers || tables.lines != anew.lines {
			t.Fatalf("the tables are not those of\n%v", tables.board)
		}
	})
}
