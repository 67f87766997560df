package rules

import "math/bits"

// A direction is one of the four ways in which a row can lie.
type direction uint8

const (
	horizontal direction = iota
	vertical
	rising  // towards the upper right
	falling // towards the lower right
	directions
)

// step returns the way from one cell of a line to the next.
func (d direction) step() (dx, dy int8) {
	switch d {
	case horizontal:
		return 1, 0
	case vertical:
		return 0, 1
	case rising:
		return 1, 1
	}
	return 1, -1
}

// The lines of the largest board: rows, columns, and two ways of diagonals.
const (
	diagonals = 2*MaxSide - 1
	lineCount = 2*MaxSide + 2*diagonals
)

// margin is the number of bits kept clear below a line's first cell, so that
// looking at the neighbourhood of any cell needs no test for the edge.
const margin = 3

// A line is one row, column or diagonal of a board: for each Color the set of
// its cells of that colour, one bit per cell. Cells off the board are in none
// of the sets, which makes the edge as hard as an opponent's stone.
type line [3]uint32

// index returns which line in direction d the point lies on, and its bit there.
// Rows come first, from the bottom. Diagonals number their bits by column, so
// that no line needs an origin.
func (p Point) index(d direction) (line, bit int) {
	x, y := int(p.X), int(p.Y)
	switch d {
	case horizontal:
		return y, x + margin
	case vertical:
		return MaxSide + x, y + margin
	case rising:
		return 2*MaxSide + x - y + MaxSide - 1, x + margin
	}
	return 2*MaxSide + diagonals + x + y, x + margin
}

// along returns the point that lies n cells further in direction d.
func (p Point) along(d direction, n int) Point {
	dx, dy := d.step()
	return Point{X: p.X + int8(n)*dx, Y: p.Y + int8(n)*dy}
}

// A row is an unbroken run of cells of one line, from bit lo to bit hi.
type row struct{ lo, hi int }

// rowThrough returns the longest row in set that contains bit, which must be
// in set.
func rowThrough(set uint32, bit int) row {
	return row{
		lo: bit + 1 - bits.LeadingZeros32(^(set << (31 - bit))),
		hi: bit - 1 + bits.TrailingZeros32(^(set >> bit)),
	}
}

func (r row) len() int { return r.hi - r.lo + 1 }

func has(set uint32, bit int) bool { return set>>bit&1 != 0 }
