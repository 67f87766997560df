package bots

import (
	"strings"

	"gomokud/internal/rules"
)

// reach is how far from a point the longest shape through it goes.
const reach = 6

// window is a line through a point, the point in its middle: 'o' for the side,
// 'x' for the other side and everything beyond the edge, '_' for empty.
type window [2*reach + 1]byte

func windowAt(b *rules.Board, at, d rules.Point, side rules.Color) (w window) {
	for i := range w {
		cell, ok := cellAt(b, at, d, i-reach, side)
		switch {
		case !ok:
			w[i] = 'x'
		case cell == 'a':
			w[i] = 'o'
		default:
			w[i] = '_'
		}
	}
	return w
}

// sums counts the shapes through the window's middle.
func (w *window) sums(shapes []shape) (g gain) {
	for _, s := range shapes {
		n := w.count(s.cells)
		if n == 0 {
			continue
		}
		g.sum += n * s.score
		switch {
		case s.score == worthStraightFour:
			g.straight = true
			g.four = 1
		case s.score == worthFour:
			g.four = 1
		case s.score >= worthOpenThree/2 && s.score <= worthOpenThree:
			g.three = 1
		}
	}
	return g
}

// count is how often the shape stands in the window so that the middle is one
// of its cells.
func (w *window) count(cells string) (n int) {
	for from := reach - len(cells) + 1; from <= reach; from++ {
		if string(w[from:from+len(cells)]) == cells {
			n++
		}
	}
	return n
}

// weigh is what a stone of the side on the point adds on one line.
func weigh(b *rules.Board, at, d rules.Point, side rules.Color, shapes []shape) gain {
	w := windowAt(b, at, d, side)
	before := w.sums(shapes)
	w[reach] = 'o'
	after := w.sums(shapes)
	after.sum -= before.sum
	return after
}

// lost is how the side's sum on one line changes when the other side takes the
// point: not upwards, as a rule.
func lost(b *rules.Board, at, d rules.Point, side rules.Color, shapes []shape) int {
	w := windowAt(b, at, d, side)
	before := w.sums(shapes)
	w[reach] = 'x'
	return w.sums(shapes).sum - before.sum
}

// wholeSum is what the shapes in all lines of the board are worth to a side.
func wholeSum(b *rules.Board, side rules.Color, shapes []shape) (sum int) {
	for _, line := range sequences(b, side) {
		for _, s := range shapes {
			for from := 0; ; from++ { // shapes may overlap
				i := strings.Index(line[from:], s.cells)
				if i < 0 {
					break
				}
				sum += s.score
				from += i
			}
		}
	}
	return sum
}

// sequences are all rows, columns and diagonals of at least five points as
// strings, an 'x' for the edge at both ends.
func sequences(b *rules.Board, side rules.Color) (lines []string) {
	size := b.Size()
	for start := range size.All() {
		for _, d := range directions {
			if _, inside := stepFrom(size, start, d, -1); inside {
				continue // the line begins before
			}
			line := []byte{'x'}
			for i := 0; ; i++ {
				if _, inside := stepFrom(size, start, d, i); !inside {
					break
				}
				switch cell, ok := cellAt(b, start, d, i, side); {
				case !ok:
					line = append(line, 'x')
				case cell == 'a':
					line = append(line, 'o')
				default:
					line = append(line, '_')
				}
			}
			if len(line) > 5 {
				lines = append(lines, string(append(line, 'x')))
			}
		}
	}
	return lines
}

func stepFrom(size rules.Size, at, d rules.Point, steps int) (rules.Point, bool) {
	x, y := int(at.X)+steps*int(d.X), int(at.Y)+steps*int(d.Y)
	if x < 0 || y < 0 || x >= size.Width || y >= size.Height {
		return rules.Point{}, false
	}
	return rules.Point{X: int8(x), Y: int8(y)}, true
}
