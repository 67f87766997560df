package bots

import (
	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// gain is what a stone brings its side.
type gain struct {
	sum      int  // of all shapes, more than before
	five     bool // it wins
	straight bool // it makes a straight four
	fours    int  // it makes so many fours
	threes   int  // it makes so many open threes, on lines without a four
}

// crossing reports whether the stone makes more threats than one stone can
// parry.
func (g gain) crossing() bool { return g.straight || g.fours+g.threes > 1 }

// gainAt is what a stone of the side on the empty point brings it: nothing if
// the rules forbid it to play there. The shapes say where to look for fours,
// the rules whether the fives that would follow are any.
func gainAt(b *rules.Board, rule rules.Rule, at rules.Point, side rules.Color, table *shapeTable) (g gain) {
	if !ai.MayPlay(b, rule, side, at) {
		return gain{}
	}
	b.Place(at, side)
	defer b.Remove(at)
	g.five = rule.Wins(b, at)
	for _, d := range directions {
		if !isSequence(b.Size(), at, d) {
			continue
		}
		w := windowAt(b, at, d, side)
		after := w.tally(table)
		w[reach] = vacant
		before := w.tally(table)
		g.sum += int(after.sum - before.sum)

		fives := 0
		if after.four || after.straight {
			fives = completions(b, rule, at, d, side)
		}
		switch {
		case after.straight && fives > 1:
			g.straight = true
			g.fours++
		case fives > 0:
			g.fours += fives
		case after.three:
			g.threes++
		}
	}
	return g
}

// lossAt is how the side's sum changes when the other side takes the point.
func lossAt(b *rules.Board, at rules.Point, side rules.Color, table *shapeTable) (sum int) {
	for _, d := range directions {
		if !isSequence(b.Size(), at, d) {
			continue
		}
		w := windowAt(b, at, d, side)
		before := w.tally(table)
		w[reach] = other
		sum += int(w.tally(table).sum - before.sum)
	}
	return sum
}

// completions counts the points of a line at which the side would win with a
// row through its stone at the point.
func completions(b *rules.Board, rule rules.Rule, at, d rules.Point, side rules.Color) (n int) {
	for _, sign := range [2]int{-1, 1} {
		for steps := 1; steps < 5; steps++ {
			kind := seen(b, at, d, sign*steps, side)
			if kind == own {
				continue
			}
			if kind == vacant {
				p, _ := stepFrom(b.Size(), at, d, sign*steps)
				if completes(b, rule, p, side) {
					n++
				}
			}
			break
		}
	}
	return n
}
