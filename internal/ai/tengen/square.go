package tengen

import (
	"math/bits"

	"gomokud/internal/rules"
)

// square is a point of the largest board, with an edge around it that is as wide
// as a pattern can see: a step over the edge lands in the edge.
type square uint16

const (
	stride     = 32
	margin     = reach
	rowsInAll  = rules.MaxSide + 2*margin
	squares    = rowsInAll * stride
	directions = 4
)

// nowhere is a square of the edge.
const nowhere square = 0

// steps lead from a square to the next in each direction.
var steps = [directions]int{1, stride, stride + 1, stride - 1}

func squareOf(p rules.Point) square {
	return square(int(p.Y)+margin)*stride + square(int(p.X)+margin)
}

func (s square) point() rules.Point {
	return rules.Point{X: int8(s%stride) - margin, Y: int8(s/stride) - margin}
}

// set is a set of squares, a word for each row.
type set [rowsInAll]uint32

func (t *set) add(s square)      { t[s/stride] |= 1 << (s % stride) }
func (t *set) remove(s square)   { t[s/stride] &^= 1 << (s % stride) }
func (t *set) has(s square) bool { return t[s/stride]>>(s%stride)&1 != 0 }

// first returns a square of a set that is not empty.
func (t *set) first() square {
	for r, row := range t {
		if row != 0 {
			return square(r*stride + bits.TrailingZeros32(row))
		}
	}
	return nowhere
}

// strip is a line of the board from edge to edge, two bits a place: whether Black
// has a stone there or may yet put one, and whether White does. Beyond the edge
// nobody may.
type strip uint64

const (
	blackMay strip = 1 << iota
	whiteMay
	bothMay = blackMay | whiteMay

	lowerBits strip = 1 << 64 / 3 // of all places
)

// swapped is the strip with the stones of both colours exchanged.
func (s strip) swapped() strip { return s&lowerBits<<1 | s>>1&lowerBits }

// strips is the number of strips in one direction.
const strips = 2 * stride

// strip returns which one of a direction runs through a square, and where on it
// the square is.
func (s square) strip(d int) (number, place int) {
	row, column := int(s/stride), int(s%stride)
	switch d {
	case 0:
		return row, 2 * column
	case 1:
		return column, 2 * row
	case 2:
		return stride + row - column, 2 * column
	default:
		return row + column, 2 * row
	}
}
