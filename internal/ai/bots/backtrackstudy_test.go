package bots

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// studied is the study of a board to which no stone was added.
func studied(t interface {
	Context() context.Context
	Fatal(...any)
}, rule rules.Rule, b *rules.Board) *study {
	p := ai.Position{Rule: rule, Size: b.Size(), ToMove: rules.Black}
	for at := range b.Size().All() {
		if c := b.At(at); c != rules.Empty {
			p.Stones = append(p.Stones, ai.Stone{Point: at, Color: c})
		}
	}
	s, err := newStudy(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const alongRow = 0 // of directions

func TestWhatAStoneMakesOfALine(t *testing.T) {
	plain := func(stones uint8) outlook { return outlook{stones: stones} }
	breakable := func(stones uint8) outlook { return outlook{stones, true, true} }
	lasting := func(stones uint8) outlook { return outlook{stones, true, false} }
	for _, tt := range []struct {
		row  string
		rule rules.Rule
		want outlook
	}{
		{"_aaaa*___", rules.Freestyle, plain(5)},
		{"__aaa*___", rules.Freestyle, breakable(4)},
		{"xaaa*____", rules.Freestyle, plain(4)},
		{"_aaa_*___", rules.Freestyle, plain(4)},
		{"aaa*_____", rules.Freestyle, plain(4)}, // the edge
		{"__aa*____", rules.Freestyle, breakable(3)},
		{"__a_*a___", rules.Freestyle, breakable(3)},
		{"____aa_*_____", rules.Freestyle, lasting(3)}, // an active two stays beside
		{"_xaa*_____", rules.Freestyle, plain(3)},
		{"xaa*_x___", rules.Freestyle, plain(0)}, // no room for five
		{"x_aa*_x__", rules.Freestyle, plain(3)}, // room for one five only
		{"x_*__x___", rules.Freestyle, plain(0)},
		{"_______a*____", rules.Freestyle, breakable(2)},
		{"______a_*____", rules.Freestyle, lasting(2)},
		{"______*______", rules.Freestyle, lasting(1)},
		{"aaa*aa___", rules.Freestyle, plain(5)},
		{"aaa*aa___", rules.Standard, plain(0)}, // six
		{"aaa*aa___", rules.Renju, plain(0)},
		{"a_aaa*___", rules.Freestyle, breakable(4)},
		{"a_aaa*___", rules.Standard, plain(4)}, // one of its ends makes six
		{"a_aaa*___", rules.Renju, plain(4)},
		{"xaaaa*x__", rules.Freestyle, plain(5)},
		{"xaaaa*x__", rules.Caro, plain(0)}, // both ends are stopped
		{"xaaaa*___", rules.Caro, plain(5)},
		{"aaaa*x___", rules.Caro, plain(5)},     // the edge does not stop
		{"x_aaa*_x_", rules.Caro, breakable(4)}, // either five has one end free
	} {
		b, at := row(t, tt.row)
		if got := studied(t, tt.rule, b).outlooks(at, rules.Black)[alongRow]; got != tt.want {
			t.Errorf("%s under %v: %+v, want %+v", tt.row, tt.rule, got, tt.want)
		}
	}
}

func TestWhiteMayMakeSixUnderRenju(t *testing.T) {
	b, at := row(t, "xxx*xx___")
	if got := studied(t, rules.Renju, b).outlooks(at, rules.White)[alongRow].stones; got != 5 {
		t.Errorf("White has %d stones, want 5", got)
	}
}

// slowOutlook says by the rules of the game what a stone of the side on the
// point makes of the board's only line.
func slowOutlook(b *rules.Board, rule rules.Rule, at rules.Point, side rules.Color) (o outlook) {
	cell := func(i int) byte { return seen(b, at, directions[alongRow], i, side) }
	// mayWin: stones on the five cells from there on win.
	mayWin := func(from int) bool {
		filled := b.Clone()
		for i := from; i < from+5; i++ {
			switch cell(i) {
			case other:
				return false
			case vacant:
				p, _ := stepFrom(b.Size(), at, directions[alongRow], i)
				filled.Place(p, side)
			}
		}
		p, _ := stepFrom(b.Size(), at, directions[alongRow], from)
		return rule.Wins(filled, p)
	}
	stones := func(from, to int) (n uint8) {
		for i := from; i < to; i++ {
			if cell(i) == own {
				n++
			}
		}
		return n
	}
	active := func(from int, n uint8) bool {
		return cell(from-1) == vacant && cell(from+4) == vacant && stones(from, from+4) == n && mayWin(from-1) && mayWin(from)
	}
	b.Place(at, side)
	for from := -4; from <= 0; from++ {
		if mayWin(from) {
			o.stones = max(o.stones, stones(from, from+5))
		}
	}
	for from := -3; from <= 0 && o.stones > 0; from++ {
		o.active = o.active || active(from, o.stones)
	}
	b.Remove(at)
	b.Place(at, side.Opponent())
	defer b.Remove(at)
	o.broken = o.active
	for _, from := range []int{-7, -6, -5, 2, 3, 4} {
		o.broken = o.broken && (o.stones == 4 || !active(from, o.stones-1))
	}
	return o
}

func TestTheOutlookIsWhatTheRulesSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawing := rapid.StringMatching(`[ax_]{2,9}[a_]{1,4}[_a]{2,5}[x_]{0,3}[ax_]{0,4}`).Draw(t, "row")
		rule := rapid.SampledFrom([]rules.Rule{rules.Freestyle, rules.Standard, rules.Caro, rules.Renju}).Draw(t, "rule")
		b := rules.NewBoard(rules.Size{Width: max(len(drawing), 5), Height: 5})
		for x, c := range drawing {
			switch p := (rules.Point{X: int8(x), Y: 2}); c {
			case 'a':
				b.Place(p, rules.Black)
			case 'x':
				b.Place(p, rules.White)
			}
		}
		s := studied(t, rule, b)
		for x := range drawing {
			at := rules.Point{X: int8(x), Y: 2}
			if b.At(at) != rules.Empty {
				continue
			}
			for _, side := range []rules.Color{rules.Black, rules.White} {
				if got, want := s.outlooks(at, side)[alongRow], slowOutlook(b, rule, at, side); got != want {
					t.Fatalf("%s: %v at %d under %v: %+v, want %+v", drawing, side, x, rule, got, want)
				}
			}
		}
	})
}

func TestFiveStonesAreTheFiveOfTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := position(t)
		s := studied(t, p.Rule, p.Board())
		for at := range p.Size.All() {
			if s.board.At(at) != rules.Empty {
				continue
			}
			for _, side := range []rules.Color{rules.Black, rules.White} {
				l := made(s.outlooks(at, side))
				if got, want := l.plain[5] > 0, completes(s.board, p.Rule, at, side); got != want {
					t.Fatalf("%v at %v under %v: five is %v, want %v on\n%v", side, at, p.Rule, got, want, s.board)
				}
			}
		}
	})
}

func TestTheStudyFollowsTheStones(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := position(t)
		s := studied(t, p.Rule, p.Board())
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "play"), 0))
		var played []rules.Point
		for range 12 {
			at := rules.Point{X: int8(random.IntN(p.Size.Width)), Y: int8(random.IntN(p.Size.Height))}
			if s.board.At(at) == rules.Empty {
				s.play(at, rules.Color(1+random.IntN(2)))
				played = append(played, at)
			}
		}
		for range random.IntN(len(played) + 1) {
			s.take(played[len(played)-1])
			played = played[:len(played)-1]
		}
		fresh := studied(t, p.Rule, s.board)
		for at := range p.Size.All() {
			if s.board.At(at) != rules.Empty {
				continue
			}
			for _, side := range []rules.Color{rules.Black, rules.White} {
				if got, want := *s.outlooks(at, side), *fresh.outlooks(at, side); got != want {
					t.Fatalf("%v at %v: %+v, want %+v on\n%v", side, at, got, want, s.board)
				}
			}
		}
	})
}

func TestAStudyEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newStudy(ctx, ai.Position{Size: rules.Size{Width: 5, Height: 5}, ToMove: rules.Black}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
