package rules

import (
	"fmt"
	"strconv"
)

// A Point is an intersection of the board. X counts columns from the left and
// Y rows from the bottom, both from 0: the centre of a 15x15 board, h8, is
// {7, 7}.
type Point struct{ X, Y int8 }

// String returns the algebraic name of the point: a column letter, i not
// skipped, and a row number from 1 at the bottom, such as "h8".
func (p Point) String() string {
	if !p.named() {
		return fmt.Sprintf("Point(%d,%d)", p.X, p.Y)
	}
	return string(p.append(nil))
}

// MarshalText writes the point as String does. A point outside the largest
// board has no name and is an error.
func (p Point) MarshalText() ([]byte, error) {
	if !p.named() {
		return nil, fmt.Errorf("rules: %v is on no board", p)
	}
	return p.append(nil), nil
}

// UnmarshalText reads a point as ParsePoint does.
func (p *Point) UnmarshalText(text []byte) error {
	q, err := ParsePoint(string(text))
	if err != nil {
		return err
	}
	*p = q
	return nil
}

// ParsePoint reads the name of a point, "a1" to "y25", in either case. Whether
// it lies on a given board is for Size.Contains to say.
func ParsePoint(s string) (Point, error) {
	if len(s) < 2 || len(s) > 3 {
		return Point{}, fmt.Errorf("rules: no point: %q", s)
	}
	column := s[0] | 0x20 // lower case
	row := 0
	for _, digit := range []byte(s[1:]) {
		if digit < '0' || digit > '9' || digit == '0' && row == 0 {
			return Point{}, fmt.Errorf("rules: no point: %q", s)
		}
		row = 10*row + int(digit-'0')
	}
	if column < 'a' || column >= 'a'+MaxSide || row > MaxSide {
		return Point{}, fmt.Errorf("rules: no point on any board: %q", s)
	}
	return Point{X: int8(column - 'a'), Y: int8(row - 1)}, nil
}

func (p Point) named() bool {
	return Size{MaxSide, MaxSide}.Contains(p)
}

func (p Point) append(dst []byte) []byte {
	return strconv.AppendInt(append(dst, 'a'+byte(p.X)), int64(p.Y)+1, 10)
}
