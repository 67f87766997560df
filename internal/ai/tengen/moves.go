package tengen

import (
	"math"
	"math/bits"

	"gomokud/internal/rules"
)

// move is a square with how much it deserves to be looked at first.
type move struct {
	square square
	order  int32
}

// answers returns the squares where a stone keeps the opponent from making five:
// where he would make it, if that is one point, and under caro also beyond a five
// whose other end is blocked.
func (p *position) answers() set {
	if p.tables.rule != rules.Caro {
		if p.count[p.turn^1][fiveClass] > 1 {
			return set{}
		}
		return p.at[p.turn^1][fives]
	}
	return p.stopAll(fives, fiveClass)
}

// defences returns the squares on which a stone may stop every open four that
// the opponent threatens, apart from own fours. Each such square takes the point
// itself, or a place without which it would be none.
func (p *position) defences() set { return p.stopAll(openFours, openFourClass) }

// stopAll returns the squares where a stone leaves the opponent none of the points
// of a kind, whose class is at least the one that is given.
func (p *position) stopAll(k kind, least class) set {
	you := p.turn ^ 1
	var all set
	first := true
	for r, row := range p.at[you][k] {
		for ; row != 0; row &= row - 1 {
			s := square(r*stride + bits.TrailingZeros32(row))
			one := p.spoilers(s, you, least)
			if first {
				all, first = one, false
				continue
			}
			for i := range all {
				all[i] &= one[i]
			}
		}
	}
	return all
}

// spoilers returns the empty squares where a stone makes what colour c would have
// on s less than a class.
func (p *position) spoilers(s square, c color, least class) set {
	var all set
	all.add(s)
	at := &p.points[s]
	for d, step := range steps {
		if at.code[c].pattern(d) < four {
			continue
		}
		number, place := s.strip(d)
		strip := p.strips[d][number]
		for _, side := range [2]int{-1, 1} {
			for i := 1; i <= p.tables.sight; i++ {
				q := place + 2*i*side
				who := strip >> q & bothMay
				if who&(blackMay<<c) == 0 {
					break
				}
				if who != bothMay {
					continue
				}
				pair := p.tables.lines.pair(strip^blackMay<<c<<q, place)
				then := at.code[c]&^(15<<(4*d)) | code(pair>>(4*c)&15)<<(4*d)
				if p.tables.class[c][then] < least {
					all.add(square(int(s) + i*side*step))
				}
			}
		}
	}
	return all
}

// appendMoves appends the moves that are worth a look, each with its order: what
// stops a five; what may stop an open four; else what is close to a stone.
func (p *position) appendMoves(list []move) []move {
	me, you := p.turn, p.turn^1
	switch {
	case p.count[you][fiveClass] > 0:
		among := p.answers()
		return p.appendOf(list, &among)
	case p.count[you][openFourClass] > 0:
		among := p.defences()
		for i := range among {
			among[i] |= p.at[me][fours][i] | p.at[me][openFours][i]
		}
		return p.appendDoubtfulFours(p.appendOf(list, &among), &among)
	default:
		return p.appendNear(list)
	}
}

// appendDoubtfulFours appends the fours of Black that only look forbidden, other
// than those of a set.
func (p *position) appendDoubtfulFours(list []move, but *set) []move {
	me := p.turn
	if p.count[me][foulClass] == 0 {
		return list
	}
	for r, row := range p.at[me][doubtful] {
		for row &^= but[r]; row != 0; row &= row - 1 {
			if s := square(r*stride + bits.TrailingZeros32(row)); p.makesFour(s) {
				list = append(list, move{square: s})
			}
		}
	}
	return list
}

// appendNear appends the moves that are close to a stone.
func (p *position) appendNear(list []move) []move {
	var among set
	for i := range among {
		among[i] = p.near[i] & p.free[i]
	}
	return p.appendOf(list, &among)
}

// appendOf appends the moves of a set.
func (p *position) appendOf(list []move, among *set) []move {
	me, you := p.turn, p.turn^1
	attack, defend := &p.tables.weights.attack[me], &p.tables.weights.defend[you]
	for r, row := range among {
		for ; row != 0; row &= row - 1 {
			s := square(r*stride + bits.TrailingZeros32(row))
			at := &p.points[s]
			if at.class[me] == foulClass && !p.allowed(s) {
				continue
			}
			list = append(list, move{s, int32(attack[at.code[me]]) + int32(defend[at.code[you]])})
		}
	}
	return list
}

// pick moves the best of the list to its front, the first of equals. It has no
// branches but its loop, as the processor would guess them wrong; and it is not to
// be inlined, as its loop would run short of registers.
//
//go:noinline
func pick(list []move) move {
	best := int64(math.MinInt64) >> 8
	for i, m := range list {
		more := int64(m.order)<<16 | int64(len(list)-i) - best
		best += more &^ (more >> 63)
	}
	i := len(list) - int(best&(1<<16-1))
	list[0], list[i] = list[i], list[0]
	return list[0]
}
