package bots

import (
	"context"
	"math/bits"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// study is a board with what a stone of either side would make of the four lines
// through every empty point, brought up to date with every stone.
type study struct {
	board *rules.Board
	rule  rules.Rule
	// what is known of the empty points, row by row from a1; Black's first
	outlook [2][rules.MaxSide * rules.MaxSide][4]outlook
}

func newStudy(ctx context.Context, p ai.Position) (*study, error) {
	s := &study{board: p.Board(), rule: p.Rule}
	for at := range p.Size.All() {
		if at.X == 0 {
			if err := ai.Breathe(ctx); err != nil {
				return nil, err
			}
		}
		for i, d := range directions {
			cells := s.cellsAround(at, d)
			s.read(at, i, cells.around(0))
		}
	}
	return s, nil
}

// outlooks are what a stone of the side on the empty point would make.
func (s *study) outlooks(at rules.Point, side rules.Color) *[4]outlook {
	return &s.outlook[side-rules.Black][int(at.Y)*rules.MaxSide+int(at.X)]
}

func (s *study) play(at rules.Point, side rules.Color) {
	s.board.Place(at, side)
	s.update(at)
}

func (s *study) take(at rules.Point) {
	s.board.Remove(at)
	s.update(at)
}

// update reads the lines through a point that has changed.
func (s *study) update(at rules.Point) {
	for i, d := range directions {
		cells := s.cellsAround(at, d)
		for steps := -sight; steps <= sight; steps++ {
			if p, inside := stepFrom(s.board.Size(), at, d, steps); inside {
				s.read(p, i, cells.around(steps))
			}
		}
	}
}

// read finds out what stones on a point make of its line.
func (s *study) read(at rules.Point, direction int, c lineMasks) {
	if c.vacant>>sight&1 == 0 {
		return // a stone is there; the point is read when it is taken
	}
	white := c
	white.own, white.other = c.other, c.own
	s.outlooks(at, rules.Black)[direction] = c.outlook(s.rule, rules.Black)
	s.outlooks(at, rules.White)[direction] = white.outlook(s.rule, rules.White)
}

// sight is how many cells to either side may matter for what a stone makes.
const sight = 9

// lineMasks are the cells of a line, a bit for each, with the point in question
// at bit sight, or at twice that if they are to be looked at from others too.
type lineMasks struct{ own, other, vacant uint64 }

// cellsAround reads a line as Black sees it, twice as far as the sight.
func (s *study) cellsAround(at, d rules.Point) (m lineMasks) {
	for steps := -2 * sight; steps <= 2*sight; steps++ {
		p, inside := stepFrom(s.board.Size(), at, d, steps)
		if !inside {
			continue
		}
		bit := uint64(1) << (steps + 2*sight)
		switch s.board.At(p) {
		case rules.Empty:
			m.vacant |= bit
		case rules.Black:
			m.own |= bit
		case rules.White:
			m.other |= bit
		}
	}
	return m
}

// around are the cells in sight of the point that is some steps away.
func (m lineMasks) around(steps int) lineMasks {
	const cells = 1<<(2*sight+1) - 1
	from := sight + steps
	return lineMasks{m.own >> from & cells, m.other >> from & cells, m.vacant >> from & cells}
}

// fives has a bit for the first of any five cells that may become a five of the
// side: without a stone of the other side, and such that the five would win.
func (m lineMasks) fives(rule rules.Rule, side rules.Color) uint64 {
	free := m.own | m.vacant
	five := free & (free >> 1) & (free >> 2) & (free >> 3) & (free >> 4)
	if rule != rules.Freestyle && !(rule == rules.Renju && side == rules.White) {
		five &^= m.own<<1 | m.own>>5 // it would be an overline
	}
	if rule == rules.Caro {
		five &^= m.other << 1 & (m.other >> 5)
	}
	return five
}

// actives has a bit for the first of any four cells that hold so many stones and
// make a five with either of the cells beside them, which are empty.
func (m lineMasks) actives(fives uint64, stones int) (first uint64) {
	for open := fives & (fives << 1) & (m.vacant << 1) & (m.vacant >> 4); open != 0; open &= open - 1 {
		if bits.OnesCount64(m.own>>bits.TrailingZeros64(open)&0b1111) == stones {
			first |= open & -open
		}
	}
	return first
}

// outlook is what a stone of the side on the point makes of the line.
func (m lineMasks) outlook(rule rules.Rule, side rules.Color) (o outlook) {
	const (
		point    = 1 << sight
		throughs = point | point>>1 | point>>2 | point>>3 // where four cells through the point begin
		besides  = (point>>7 | point>>6 | point>>5) | (point<<2 | point<<3 | point<<4)
	)
	with := lineMasks{m.own | point, m.other, m.vacant &^ point}
	fives := with.fives(rule, side)
	stones := 0
	for in := fives & (throughs | point>>4); in != 0; in &= in - 1 {
		stones = max(stones, bits.OnesCount64(with.own>>bits.TrailingZeros64(in)&0b11111))
	}
	o.stones = uint8(stones)
	if stones == 0 || stones == 5 {
		return o
	}
	o.active = with.actives(fives, stones)&throughs != 0
	if o.active {
		without := lineMasks{m.own, m.other | point, m.vacant &^ point}
		o.broken = stones == 4 || without.actives(without.fives(rule, side), stones-1)&besides == 0
	}
	return o
}
