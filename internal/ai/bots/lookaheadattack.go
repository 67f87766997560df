package bots

import (
	"cmp"
	"context"
	"slices"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// lookingAhead tries stones on the tables.
type lookingAhead struct {
	*shapeTables
	plies int
	nodes int64 // stones that may be tried; 0: any number
	tried int64
	limit int64 // of tried, for one attack or defence
	cut   bool  // not all was tried
}

// attack is the side's shortest attack if it were to move, with the predicted
// answers, or nil.
func (l *lookingAhead) attack(ctx context.Context, side rules.Color) []rules.Point {
	l.limit = l.tried + mostTried
	return l.deepen(ctx, side)
}

func (l *lookingAhead) deepen(ctx context.Context, side rules.Color) []rules.Point {
	for plies := 1; plies <= l.plies; plies += 2 {
		if line := l.search(ctx, side, plies); line != nil {
			return line
		}
	}
	return nil
}

// more reports whether another stone may be tried.
func (l *lookingAhead) more(ctx context.Context) bool {
	more := l.tried < l.limit && (l.nodes <= 0 || l.tried < l.nodes) && ai.Breathe(ctx) == nil
	l.cut = l.cut || !more
	return more
}

// search looks for an attack of that many plies at most.
func (l *lookingAhead) search(ctx context.Context, side rules.Color, plies int) []rules.Point {
	least := forcesThree
	if plies < 3 {
		least = doubleThree
	}
	for _, f := range l.forcing(side, least) {
		if !l.more(ctx) {
			return nil
		}
		l.tried++
		l.play(f.at, side)
		line := l.follow(ctx, f, side, plies)
		l.take(f.at)
		if line != nil {
			return line
		}
	}
	return nil
}

// follow goes on after a forcing stone was played.
func (l *lookingAhead) follow(ctx context.Context, f forcing, side rules.Color, plies int) []rules.Point {
	if f.promise == winsAtOnce {
		return []rules.Point{f.at}
	}
	them := side.Opponent()
	danger := l.bestPromise(them)
	byThrees := f.promise == forcesThree || f.promise == doubleThree
	switch {
	case danger == winsAtOnce, byThrees && danger >= fourThree:
		return nil // they need not answer
	case f.promise >= doubleThree:
		return []rules.Point{f.at}
	case plies < 3:
		return nil
	}
	answer, found := l.largest(them)
	if !found {
		return nil
	}
	l.play(answer.at, them)
	rest := l.search(ctx, side, plies-2)
	l.take(answer.at)
	if rest == nil {
		return nil
	}
	return append([]rules.Point{f.at, answer.at}, rest...)
}

// forcing is a point and what a stone there promises.
type forcing struct {
	at      rules.Point
	promise promise
}

// forcing are the points that promise so much to a side, the best first.
func (l *lookingAhead) forcing(side rules.Color, least promise) (list []forcing) {
	for at := range l.board.Size().All() {
		if p := l.promise(at, side); p >= least && ai.MayPlay(l.board, l.rule, side, at) {
			list = append(list, forcing{at, p})
		}
	}
	slices.SortStableFunc(list, func(a, b forcing) int { return cmp.Compare(b.promise, a.promise) })
	return list
}

// takeAway is where the side defends against an attack: of its points and the
// one with the largest number the first, by their numbers, that leaves none,
// else the one that leaves the longest.
func (l *lookingAhead) takeAway(ctx context.Context, attack []rules.Point, side rules.Color, largest choice) rules.Point {
	l.limit = l.tried + mostTried
	list := []choice{largest}
	for _, at := range l.stakes(attack, side.Opponent()) {
		if at != largest.at && ai.MayPlay(l.board, l.rule, side, at) {
			list = append(list, l.choice(at, side))
		}
	}
	slices.SortStableFunc(list, func(a, b choice) int { return b.compare(a) })
	slowest, best := 0, largest.at
	for _, c := range list {
		l.play(c.at, side)
		left := l.deepen(ctx, side.Opponent())
		l.take(c.at)
		switch {
		case !l.more(ctx):
			return best
		case left == nil:
			return c.at
		case len(left) > slowest:
			slowest, best = len(left), c.at
		}
	}
	return best
}

// stakes are the points of an attack, and the empty points at the ends of the
// rows that its last stone makes.
func (l *lookingAhead) stakes(attack []rules.Point, side rules.Color) []rules.Point {
	points := slices.Clone(attack)
	color := side
	for _, at := range attack {
		l.play(at, color)
		color = color.Opponent()
	}
	last := attack[len(attack)-1]
	for _, d := range directions {
		for _, way := range [2]int{-1, 1} {
			steps := way
			for seen(l.board, last, d, steps, side) == own {
				steps += way
			}
			if seen(l.board, last, d, steps, side) == vacant {
				end, _ := stepFrom(l.board.Size(), last, d, steps)
				points = append(points, end)
			}
		}
	}
	for _, at := range attack {
		l.take(at)
	}
	return points
}

// choice is an empty point and what its numbers say to the side to move.
type choice struct {
	at     rules.Point
	number number // the largest
	own    bool   // it is the side's own
	sum    int    // of all numbers
	far    int    // from the centre, doubled and squared
}

func (t *shapeTables) choice(at rules.Point, side rules.Color) choice {
	size := t.board.Size()
	dx, dy := 2*int(at.X)-size.Width+1, 2*int(at.Y)-size.Height+1
	c := choice{at: at, own: true, far: dx*dx + dy*dy}
	for _, n := range t.of(at, side) {
		c.number = max(c.number, n)
		c.sum += int(n)
	}
	for _, n := range t.of(at, side.Opponent()) {
		c.own = c.own && n <= c.number
		c.number = max(c.number, n)
		c.sum += int(n)
	}
	return c
}

// compare is positive if c is the better one.
func (c choice) compare(d choice) int {
	ours := 0
	switch {
	case c.own && !d.own:
		ours = 1
	case d.own && !c.own:
		ours = -1
	}
	return cmp.Or(cmp.Compare(c.number, d.number), ours, cmp.Compare(c.sum, d.sum), cmp.Compare(d.far, c.far))
}

// largest is the point with the largest number in either table.
func (t *shapeTables) largest(side rules.Color) (best choice, found bool) {
	for at := range t.board.Size().All() {
		if t.board.At(at) != rules.Empty {
			continue
		}
		if c := t.choice(at, side); (!found || c.compare(best) > 0) && ai.MayPlay(t.board, t.rule, side, at) {
			best, found = c, true
		}
	}
	return best, found
}
