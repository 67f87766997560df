package rules

import (
	"fmt"
	"math/bits"
	"strings"
)

// A Board is a rectangle of points and the stones on them. It is made by
// NewBoard or ParseBoard.
type Board struct {
	size  Size
	lines [lineCount]line // every point is on four of them
}

// NewBoard returns an empty board. It panics if the size is not valid.
func NewBoard(size Size) *Board {
	if err := size.Validate(); err != nil {
		panic(err)
	}
	b := &Board{size: size}
	for p := range size.All() {
		for d := range directions {
			n, bit := p.index(d)
			b.lines[n][Empty] |= 1 << bit
		}
	}
	return b
}

// Size returns the extent of the board.
func (b *Board) Size() Size { return b.size }

// Stones returns how many stones lie on the board.
func (b *Board) Stones() int {
	stones := b.size.Points()
	for _, l := range b.rows() {
		stones -= bits.OnesCount32(l[Empty])
	}
	return stones
}

// Full reports whether no point is left to play.
func (b *Board) Full() bool {
	for _, l := range b.rows() {
		if l[Empty] != 0 {
			return false
		}
	}
	return true
}

// rows are the lines that together hold every point once, from the bottom.
func (b *Board) rows() []line { return b.lines[:b.size.Height] }

// At returns the colour of the stone at p, or Empty if there is none, as
// outside the board.
func (b *Board) At(p Point) Color {
	if !b.size.Contains(p) {
		return Empty
	}
	n, bit := p.index(horizontal)
	switch l := &b.lines[n]; {
	case has(l[Black], bit):
		return Black
	case has(l[White], bit):
		return White
	}
	return Empty
}

// Place puts a stone on the empty point p. It panics if p is off the board or
// occupied, or if c is no side's colour.
func (b *Board) Place(p Point, c Color) {
	if !b.vacant(p) || c != Black && c != White {
		panic(fmt.Sprintf("rules: place %v on %v", c, p))
	}
	b.move(p, Empty, c)
}

// Remove takes the stone at p off the board. It panics if there is none.
func (b *Board) Remove(p Point) {
	c := b.At(p)
	if c == Empty {
		panic(fmt.Sprintf("rules: remove from empty %v", p))
	}
	b.move(p, c, Empty)
}

// move takes p from the sets of one colour to those of another.
func (b *Board) move(p Point, from, to Color) {
	for d := range directions {
		n, bit := p.index(d)
		l := &b.lines[n]
		l[from] &^= 1 << bit
		l[to] |= 1 << bit
	}
}

// vacant reports whether p is on the board and empty.
func (b *Board) vacant(p Point) bool {
	return b.size.Contains(p) && b.At(p) == Empty
}

// Clone returns a copy that shares nothing with b.
func (b *Board) Clone() *Board {
	c := *b
	return &c
}

// String draws the board, the top row first: X is a black stone, O a white one
// and a dot an empty point.
func (b *Board) String() string {
	var s strings.Builder
	for y := b.size.Height - 1; y >= 0; y-- {
		for x := range b.size.Width {
			if x > 0 {
				s.WriteByte(' ')
			}
			s.WriteByte(".XO"[b.At(Point{X: int8(x), Y: int8(y)})])
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// ParseBoard reads a board drawn as String draws it. Small letters will do for
// stones; spaces, tabs and empty lines mean nothing.
func ParseBoard(drawing string) (*Board, error) {
	drawing = strings.NewReplacer(" ", "", "\t", "", "\r", "").Replace(drawing)
	rows := strings.FieldsFunc(drawing, func(r rune) bool { return r == '\n' })
	if len(rows) == 0 {
		return nil, fmt.Errorf("rules: no board drawn")
	}
	size := Size{Width: len(rows[0]), Height: len(rows)}
	if err := size.Validate(); err != nil {
		return nil, err
	}
	b := NewBoard(size)
	for i, row := range rows {
		if len(row) != size.Width {
			return nil, fmt.Errorf("rules: row %d of the drawing has %d points, the first has %d", i+1, len(row), size.Width)
		}
		for x := range size.Width {
			p := Point{X: int8(x), Y: int8(size.Height - 1 - i)}
			switch row[x] {
			case 'X', 'x':
				b.Place(p, Black)
			case 'O', 'o':
				b.Place(p, White)
			case '.':
			default:
				return nil, fmt.Errorf("rules: row %d of the drawing: %q is no stone", i+1, row[x])
			}
		}
	}
	return b, nil
}
