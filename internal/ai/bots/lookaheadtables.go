package bots

import (
	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// number is a shape's: the more important the shape, the larger it is.
type number uint8

// The text gives the numbers of the open three and the simple four.
const (
	noShape     number = 0
	closedOne   number = 1
	openOne     number = 2
	closedTwo   number = 4
	closedThree number = 8
	openTwo     number = 10
	openThree   number = 15
	simpleFour  number = 20
	openFour    number = 40
	wholeFive   number = 50
)

// shapeTables are a board and what a stone on each of its empty points would
// make there, brought up to date with every stone.
type shapeTables struct {
	board *rules.Board
	rule  rules.Rule
	// the text's Computer[x][y][4] and Player[x][y][4], Black's first, its points
	// row by row from a1; zero where a stone is
	numbers [2][rules.MaxSide * rules.MaxSide][4]number
	// the lines in each direction as Black sees them, a line's first cell at bit
	// 2*sight
	lines [4][2*rules.MaxSide - 1]lineMasks
}

func newShapeTables(p ai.Position) *shapeTables {
	t := &shapeTables{board: p.Board(), rule: p.Rule}
	for at := range p.Size.All() {
		t.mark(at)
	}
	for at := range p.Size.All() {
		for i := range directions {
			t.fill(at, i)
		}
	}
	return t
}

// of is what a stone of the side on the point makes in the four directions.
func (t *shapeTables) of(at rules.Point, side rules.Color) *[4]number {
	return &t.numbers[side-rules.Black][int(at.Y)*rules.MaxSide+int(at.X)]
}

func (t *shapeTables) play(at rules.Point, side rules.Color) {
	t.board.Place(at, side)
	t.refill(at)
}

func (t *shapeTables) take(at rules.Point) {
	t.board.Remove(at)
	t.refill(at)
}

// refill brings the tables up to date with the point: the shapes of points that
// are up to five cells away may change, as a row of four and what is beside a
// five reach so far.
func (t *shapeTables) refill(at rules.Point) {
	t.mark(at)
	for i, d := range directions {
		for steps := -5; steps <= 5; steps++ {
			if p, inside := stepFrom(t.board.Size(), at, d, steps); inside {
				t.fill(p, i)
			}
		}
	}
}

// line returns the line through a point, and the point's cell on it.
func (t *shapeTables) line(at rules.Point, direction int) (l *lineMasks, cell int) {
	x, y := int(at.X), int(at.Y)
	n, cell := 0, x // directions of increasing columns number their cells by them
	switch d := directions[direction]; {
	case d.X == 0:
		n, cell = x, y
	case d.Y == 0:
		n = y
	case d.Y > 0:
		n = x - y + rules.MaxSide - 1
	default:
		n = x + y
	}
	return &t.lines[direction][n], cell
}

// mark enters on its lines what is on the point.
func (t *shapeTables) mark(at rules.Point) {
	for i := range directions {
		l, cell := t.line(at, i)
		bit := uint64(1) << (2*sight + cell)
		l.own, l.other, l.vacant = l.own&^bit, l.other&^bit, l.vacant&^bit
		switch t.board.At(at) {
		case rules.Black:
			l.own |= bit
		case rules.White:
			l.other |= bit
		default:
			l.vacant |= bit
		}
	}
}

// fill enters a point's numbers in one direction.
func (t *shapeTables) fill(at rules.Point, direction int) {
	l, cell := t.line(at, direction)
	black := l.around(cell)
	white := black
	white.own, white.other = black.other, black.own
	mine, theirs := noShape, noShape
	if black.vacant>>sight&1 != 0 {
		mine, theirs = black.number(t.rule, rules.Black), white.number(t.rule, rules.White)
	}
	t.of(at, rules.Black)[direction], t.of(at, rules.White)[direction] = mine, theirs
}

// number is that of the shape that a stone of the side makes on the empty point.
// From there it walks to the left over own stones, then to the right; what the
// walk ends at, and what is beyond, says whether the row is open.
func (m lineMasks) number(rule rules.Rule, side rules.Color) number {
	const point = 1 << sight
	m.own, m.vacant = m.own|point, m.vacant&^point
	left, right := sight, sight
	for left > 0 && m.own>>(left-1)&1 != 0 {
		left--
	}
	for m.own>>(right+1)&1 != 0 {
		right++
	}
	stones := right - left + 1
	fives := m.fives(rule, side)
	if stones >= 5 {
		row := m.own & (m.own >> 1) & (m.own >> 2) & (m.own >> 3) & (m.own >> 4)
		if fives&row&(point|point>>1|point>>2|point>>3|point>>4) != 0 {
			return wholeFive
		}
		return noShape
	}
	// where five cells that hold the row begin; four may not begin at the first
	around := uint64(1)<<(left+1) - uint64(1)<<(right-4)
	switch {
	case fives&around == 0:
		return noShape
	case m.actives(fives, stones)&around&(around<<1) != 0:
		return [...]number{1: openOne, openTwo, openThree, openFour}[stones]
	}
	return [...]number{1: closedOne, closedTwo, closedThree, simpleFour}[stones]
}

// promise is what the four directions of a point come to.
type promise uint8

const (
	quietPoint  promise = iota
	forcesThree         // an open three
	forcesFour          // a simple four
	doubleThree         // this and more win unless the opponent is quicker
	fourThree           // or a double four
	straightFour
	winsAtOnce
)

// promise is what a stone of the side on the point comes to. Threes and fours of
// Black under renju do not add up, except to a four-three.
func (t *shapeTables) promise(at rules.Point, side rules.Color) promise {
	threes, fours, largest := 0, 0, noShape
	for _, n := range t.of(at, side) {
		largest = max(largest, n)
		switch n {
		case openThree:
			threes++
		case simpleFour:
			fours++
		}
	}
	bans := t.rule == rules.Renju && side == rules.Black
	switch {
	case largest == wholeFive:
		return winsAtOnce
	case largest == openFour:
		return straightFour
	case fours > 0 && threes > 0, fours > 1 && !bans:
		return fourThree
	case threes > 1 && !bans:
		return doubleThree
	case fours > 0:
		return forcesFour
	case threes > 0:
		return forcesThree
	}
	return quietPoint
}

// bestPromise is the best of a side's points.
func (t *shapeTables) bestPromise(side rules.Color) (best promise) {
	for at := range t.board.Size().All() {
		if p := t.promise(at, side); p > best && ai.MayPlay(t.board, t.rule, side, at) {
			best = p
		}
	}
	return best
}
