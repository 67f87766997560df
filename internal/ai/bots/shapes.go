package bots

import (
	"gomokud/internal/rules"
)

// A shape is a picture of some cells of a line and what it is worth: 'o' is the
// side's stone, 'x' the other side's or the edge, '_' an empty point.
type shape struct {
	cells string
	score int
}

// The cells of a line as one side sees them.
const (
	vacant = iota
	own
	other // or the edge
	kinds
)

const (
	shortest = 5           // points of the shortest line that can hold a five
	longest  = 7           // cells of the longest shape
	reach    = longest - 1 // how far from a point a shape through it goes
	codes    = kinds * kinds * kinds * kinds * kinds * kinds * kinds
)

// shapeTable finds all shapes in some cells by one look for each place where
// they can begin. The first index is how many cells a shape must go beyond its
// first at least, the second a number whose digits are the next longest cells.
type shapeTable [longest][codes]tally

// tally is what the shapes are that begin at a cell.
type tally struct {
	sum                   int32
	straight, four, three bool
}

func newShapeTable(shapes []shape) *shapeTable {
	table := new(shapeTable)
	for code := range codes {
		var cells [longest]byte
		for i, rest := longest-1, code; i >= 0; i, rest = i-1, rest/kinds {
			cells[i] = "_ox"[rest%kinds]
		}
		for _, s := range shapes {
			if string(cells[:len(s.cells)]) != s.cells {
				continue
			}
			for beyond := range len(s.cells) {
				table[beyond][code].add(s)
			}
		}
	}
	return table
}

func (t *tally) add(s shape) {
	t.sum += int32(s.score)
	switch s.score {
	case worthStraightFour:
		t.straight = true
	case worthFour:
		t.four = true
	case worthOpenThree / 2, worthJumpThree:
		t.three = true
	}
}

// window is a line through a point, the point in its middle.
type window [2*reach + 1]byte

func windowAt(b *rules.Board, at, d rules.Point, side rules.Color) (w window) {
	for i := range w {
		w[i] = seen(b, at, d, i-reach, side)
	}
	return w
}

// tally adds up the shapes through the window's middle.
func (w *window) tally(table *shapeTable) (all tally) {
	code := 0
	for _, c := range w[:reach] {
		code = code*kinds + int(c)
	}
	for from := range longest {
		code = (code*kinds + int(w[from+reach])) % codes
		t := &table[reach-from][code]
		all.sum += t.sum
		all.straight = all.straight || t.straight
		all.four = all.four || t.four
		all.three = all.three || t.three
	}
	return all
}

// wholeSum is what the shapes in all lines of the board are worth to a side.
func wholeSum(b *rules.Board, side rules.Color, table *shapeTable) (sum int) {
	for _, line := range sequences(b, side) {
		code := 0
		for i := -longest; i < len(line); i++ { // i is where the shapes begin
			next := other
			if last := i + longest - 1; last >= 0 && last < len(line) {
				next = int(line[last])
			}
			code = (code*kinds + next) % codes
			if i >= -1 { // a shape may begin with one cell of the edge
				sum += int(table[0][code].sum)
			}
		}
	}
	return sum
}

// sequences are all rows, columns and diagonals that can hold a five.
func sequences(b *rules.Board, side rules.Color) (lines [][]byte) {
	size := b.Size()
	for start := range size.All() {
		for _, d := range directions {
			if _, inside := stepFrom(size, start, d, -1); inside {
				continue // the line begins before
			}
			var line []byte
			for i := 0; ; i++ {
				if _, inside := stepFrom(size, start, d, i); !inside {
					break
				}
				line = append(line, seen(b, start, d, i, side))
			}
			if len(line) >= shortest {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// isSequence reports whether the line through a point is long enough to matter.
func isSequence(size rules.Size, at, d rules.Point) bool {
	points := 1
	for _, sign := range [2]int{-1, 1} {
		for steps := 1; steps < shortest; steps++ {
			if _, inside := stepFrom(size, at, d, sign*steps); !inside {
				break
			}
			points++
		}
	}
	return points >= shortest
}

// seen is what a side sees some steps away from a point.
func seen(b *rules.Board, at, d rules.Point, steps int, side rules.Color) byte {
	p, inside := stepFrom(b.Size(), at, d, steps)
	if !inside {
		return other
	}
	switch b.At(p) {
	case rules.Empty:
		return vacant
	case side:
		return own
	}
	return other
}

func stepFrom(size rules.Size, at, d rules.Point, steps int) (rules.Point, bool) {
	x, y := int(at.X)+steps*int(d.X), int(at.Y)+steps*int(d.Y)
	if x < 0 || y < 0 || x >= size.Width || y >= size.Height {
		return rules.Point{}, false
	}
	return rules.Point{X: int8(x), Y: int8(y)}, true
}
