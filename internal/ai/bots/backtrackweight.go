package bots

import (
	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// outlook is what a stone on an empty point makes of one line for its side.
type outlook struct {
	stones uint8 // in the fullest five cells through the point that may become a five
	active bool  // four cells through it hold as many, with an empty one on either side
	broken bool  // active, and not even one stone less is, once the other side has the point
}

// lines counts what a stone makes of the four lines through its point.
type lines struct {
	plain       [6]int // lines with so many stones that are not active
	active      [6]int // lines with so many stones that are
	activeThree int    // those with three, even if the other side cannot break them
}

// made counts lines as their own side sees them.
func made(of *[4]outlook) (l lines) {
	for _, o := range of {
		l.add(o.stones, o.active)
	}
	return l
}

// threatened counts lines as the other side sees them: to be active they must be
// such as a stone on the point breaks.
func threatened(of *[4]outlook) (l lines) {
	for _, o := range of {
		l.add(o.stones, o.broken)
		if o.active && o.stones == 3 {
			l.activeThree++
		}
	}
	return l
}

func (l *lines) add(stones uint8, active bool) {
	if active {
		l.active[stones]++
	} else {
		l.plain[stones]++
	}
}

// What the rows of the text's list are worth.
const (
	makesFive         = 150_000
	stopsFive         = 140_000
	makesOpenFour     = 130_000 // or two fours
	makesFourAndOpen  = 120_000
	makesFourAndThree = 110_000
	stopsOpenFour     = 100_000 // or two fours
	stopsFourAndOpen  = 90_000
	stopsOpenThrees   = 80_000
	stopsFourAndThree = 70_000
)

// weight is the first row of the list that a point fits into, from what it makes
// for the side and what for the opponent, or the sum of its lines. The list
// says "a four or a three" in the rows of 110,000 and 70,000, which stand amid
// those of two threats: "and" must be meant.
func weight(own, their *lines) int {
	switch {
	case own.plain[5] > 0:
		return makesFive
	case their.plain[5] > 0:
		return stopsFive
	case own.active[4] > 0 || own.plain[4] > 1:
		return makesOpenFour
	case own.plain[4] > 0 && own.active[3] > 0:
		return makesFourAndOpen
	case own.plain[4] > 0 && own.plain[3] > 0:
		return makesFourAndThree
	case their.active[4] > 0 || their.plain[4] > 1:
		return stopsOpenFour
	case their.plain[4] > 0 && their.activeThree > 0:
		return stopsFourAndOpen
	case their.active[3] > 1:
		return stopsOpenThrees
	case their.plain[4] > 0 && their.plain[3] > 0:
		return stopsFourAndThree
	}
	return 5*own.sum() + their.sum()
}

// sum adds up what lines are worth that are no threat together: five times as
// much for each stone more, and active ones as much as one stone more. The most
// that four lines can be worth to both sides is less than any row of the list.
func (l *lines) sum() (sum int) {
	for i, worth := range [...]int{1: 8, 2: 40, 3: 200, 4: 1000} {
		sum += worth * l.plain[i]
		if i > 0 {
			sum += worth * l.active[i-1]
		}
	}
	return sum
}

// weightAt is what the empty point is worth to the side.
func (s *study) weightAt(at rules.Point, side rules.Color) int {
	opponent := side.Opponent()
	own, their := made(s.outlooks(at, side)), threatened(s.outlooks(at, opponent))
	// Only a stone that does much on several lines may be forbidden.
	if their.crossing() && !ai.MayPlay(s.board, s.rule, opponent, at) {
		their = lines{}
	}
	return weight(&own, &their)
}

// crossing reports whether the lines are threats on more than one.
func (l *lines) crossing() bool {
	return l.plain[4]+l.active[4]+l.active[3]+l.activeThree > 1
}
