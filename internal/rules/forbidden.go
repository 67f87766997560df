package rules

import "math/bits"

// Forbidden returns the foul that Black would commit at p under renju, by RIF's
// International Rules of Renju, sections 9.2 and 9.3. It returns NoFoul where
// Black would make an exact five, and where no stone can be placed. Of several
// fouls it returns the one declared last.
func Forbidden(b *Board, p Point) Foul {
	if !b.vacant(p) {
		return NoFoul
	}
	foul, _ := judge(b, p)
	return foul
}

// A ForbiddenPoint is a point where Black may not play, and why.
type ForbiddenPoint struct {
	Point Point
	Foul  Foul
}

// AppendForbidden appends to dst all forbidden points of the position, row by
// row from a1, and returns the extended slice.
func AppendForbidden(dst []ForbiddenPoint, b *Board) []ForbiddenPoint {
	for y, l := range b.rows() {
		for cells := l[Empty]; cells != 0; cells &= cells - 1 {
			p := Point{X: int8(bits.TrailingZeros32(cells) - margin), Y: int8(y)}
			if foul, _ := judge(b, p); foul != NoFoul {
				dst = append(dst, ForbiddenPoint{Point: p, Foul: foul})
			}
		}
	}
	return dst
}

// judge returns the foul of a black stone on the empty point p, and whether it
// makes an exact five, which excuses every foul.
func judge(b *Board, p Point) (foul Foul, five bool) {
	var shapes [directions]shape
	fours, threes, overline := 0, 0, false
	for d := range directions {
		n, bit := p.index(d)
		s := shapeAt(&b.lines[n], bit)
		if s.length == winLength {
			return NoFoul, true
		}
		if s.length > winLength {
			overline = true
		}
		if s.straight != 0 {
			threes++
		}
		fours += s.fours
		shapes[d] = s
	}
	switch {
	case overline:
		return Overline, false
	case fours >= 2:
		return DoubleFour, false
	case threes >= 2 && isDoubleThree(b, p, &shapes):
		return DoubleThree, false
	}
	return NoFoul, false
}

// isDoubleThree reports whether two of the threes that a black stone at p makes
// are real: a permitted black stone can turn them into straight fours (9.3). A
// stone that makes a five turns nothing into a straight four (definition of
// three).
//
// The recursion needs no limit: every level adds a stone to the board.
func isDoubleThree(b *Board, p Point, shapes *[directions]shape) bool {
	next := *b
	next.Place(p, Black)
	threes := 0
	for i, s := range shapes {
		d := direction(i)
		_, bit := p.index(d)
		for cells := s.straight; cells != 0; cells &= cells - 1 {
			e := p.along(d, bits.TrailingZeros32(cells)-bit)
			if foul, five := judge(&next, e); five || foul != NoFoul {
				continue
			}
			if threes++; threes == 2 {
				return true
			}
			break
		}
	}
	return false
}
