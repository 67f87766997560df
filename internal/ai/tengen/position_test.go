package tengen

import (
	"fmt"
	"iter"
	"testing"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// drawn is the board of a position, read off its stones.
func (p *position) drawn() ai.Position {
	from := ai.Position{Rule: p.tables.rule, Size: p.size, ToMove: p.turn.stone()}
	for at := range p.size.All() {
		switch p.points[squareOf(at)].stone {
		case blackStone:
			from.Stones = append(from.Stones, ai.Stone{Point: at, Color: rules.Black})
		case whiteStone:
			from.Stones = append(from.Stones, ai.Stone{Point: at, Color: rules.White})
		}
	}
	return from
}

// someFree is the nth free square.
func someFree(p *position, n int) square {
	for at := range p.size.All() {
		if s := squareOf(at); p.points[s].stone == blank {
			if n--; n < 0 {
				return s
			}
		}
	}
	return nowhere
}

// differ says in what two positions differ.
func differ(a, b *position) string {
	a.value()
	b.value()
	for at := range a.size.All() {
		s := squareOf(at)
		x, y := &a.points[s], &b.points[s]
		if x.stone != y.stone {
			return fmt.Sprintf("stone of %v: %v %v", at, x, y)
		}
		if x.stone == blank && (x.code != y.code || x.class != y.class) {
			return fmt.Sprintf("pattern or class of %v: %v %v", at, x, y)
		}
	}
	switch {
	case a.strips != b.strips:
		return "strips"
	case a.count != b.count:
		return fmt.Sprintf("counts: %v %v", a.count, b.count)
	case a.worth != b.worth:
		return fmt.Sprintf("worths: %v %v", a.worth, b.worth)
	case a.empty != b.empty || a.free != b.free:
		return "free squares"
	case a.near != b.near:
		return "near squares"
	case a.hash != b.hash || a.hash != a.hashOf():
		return "hash"
	case a.turn != b.turn:
		return "turn"
	}
	for c := range a.at {
		for k := noKind + 1; k < kinds; k++ {
			if a.at[c][k] != b.at[c][k] {
				return fmt.Sprintf("set %d of %v", k, color(c).stone())
			}
		}
	}
	if a.judge != nil && a.judge.String() != b.judge.String() {
		return "the judge's board"
	}
	return ""
}

func TestPositionsCountWhatIsThere(t *testing.T) {
	p := loaded(played(t, rules.Renju, side(15), "h8 i9 h9 i8 h7"))
	for c := range color(2) {
		count, sets := [classes]uint16{}, [kinds]set{}
		for at := range p.size.All() {
			if o := &p.points[squareOf(at)]; o.stone == blank {
				count[o.class[c].counted()]++
				sets[kindOf[o.class[c]]].add(squareOf(at))
			}
		}
		if count != p.count[c] {
			t.Errorf("%v: %v are counted, %v are there", c.stone(), p.count[c], count)
		}
		for k := noKind + 1; k < kinds; k++ {
			if sets[k] != p.at[c][k] {
				t.Errorf("%v: set %d is not what is there", c.stone(), k)
			}
		}
	}
}

// What follows sees a board with package rules only.

// fivePoints returns the points of a sequence where a colour makes a five.
func fivePoints(b *rules.Board, rule rules.Rule, c color, among iter.Seq[rules.Point]) (list []rules.Point) {
	for at := range among {
		if b.Size().Contains(at) && b.At(at) == rules.Empty && makesFive(b, rule, c, at) {
			list = append(list, at)
		}
	}
	return list
}

func makesFive(b *rules.Board, rule rules.Rule, c color, at rules.Point) bool {
	b.Place(at, c.stone())
	defer b.Remove(at)
	return rule.Wins(b, at)
}

// stopsOf returns the points where one stone of the other colour leaves none of
// the fives, whether that colour may play there or not.
func stopsOf(b *rules.Board, rule rules.Rule, c color, fives []rules.Point) (list []rules.Point) {
	tried := map[rules.Point]bool{}
	for at := range around(fives[0], 5) { // what stops all of them stops this one
		if !b.Size().Contains(at) || b.At(at) != rules.Empty || tried[at] {
			continue
		}
		tried[at] = true
		b.Place(at, c.stone().Opponent())
		left := false
		for _, five := range fives {
			left = left || five != at && makesFive(b, rule, c, five)
		}
		b.Remove(at)
		if !left {
			list = append(list, at)
		}
	}
	return list
}

// around yields the points so far away in the lines through a point, and itself.
func around(at rules.Point, far int8) iter.Seq[rules.Point] {
	return func(yield func(rules.Point) bool) {
		if !yield(at) {
			return
		}
		for i := -far; i <= far; i++ {
			if i == 0 {
				continue
			}
			for _, q := range [directions]rules.Point{{X: at.X + i, Y: at.Y}, {X: at.X, Y: at.Y + i}, {X: at.X + i, Y: at.Y + i}, {X: at.X - i, Y: at.Y + i}} {
				if !yield(q) {
					return
				}
			}
		}
	}
}
