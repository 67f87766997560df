package rules

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// The sides a board may have, in points. A shorter side holds no five.
const (
	MinSide = 5
	MaxSide = 25
)

// A Size is the extent of a board in points: Width columns and Height rows.
type Size struct{ Width, Height int }

// Validate returns an error unless both sides are from MinSide to MaxSide.
func (s Size) Validate() error {
	if s.Width < MinSide || s.Width > MaxSide || s.Height < MinSide || s.Height > MaxSide {
		return fmt.Errorf("rules: board of %v: a side has %d to %d points", s, MinSide, MaxSide)
	}
	return nil
}

// Contains reports whether p lies on a board of this size.
func (s Size) Contains(p Point) bool {
	return uint(p.X) < uint(s.Width) && uint(p.Y) < uint(s.Height)
}

// Points returns how many points a board of this size has.
func (s Size) Points() int { return s.Width * s.Height }

// Center returns the middle point. An even side has none: then it is the one to
// the right and below, on which Piskvork and Gomocup programs centre too (k10
// on 20x20).
func (s Size) Center() Point {
	return Point{X: int8(s.Width / 2), Y: int8((s.Height - 1) / 2)}
}

// All yields every point, row by row from a1.
func (s Size) All() iter.Seq[Point] {
	return func(yield func(Point) bool) {
		for y := range s.Height {
			for x := range s.Width {
				if !yield(Point{X: int8(x), Y: int8(y)}) {
					return
				}
			}
		}
	}
}

// String returns width and height, such as "15x15".
func (s Size) String() string {
	return strconv.Itoa(s.Width) + "x" + strconv.Itoa(s.Height)
}

// MarshalText writes the size as String does; an invalid size is an error.
func (s Size) MarshalText() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads a size as ParseSize does.
func (s *Size) UnmarshalText(text []byte) error {
	size, err := ParseSize(string(text))
	if err != nil {
		return err
	}
	*s = size
	return nil
}

// ParseSize reads a valid size written as String writes it, such as "20x15".
func ParseSize(text string) (Size, error) {
	width, height, _ := strings.Cut(text, "x")
	w, _ := strconv.Atoi(width)
	h, _ := strconv.Atoi(height)
	size := Size{Width: w, Height: h}
	if size.String() != text { // leading zeros, signs, anything else
		return Size{}, fmt.Errorf("rules: no board size: %q", text)
	}
	return size, size.Validate()
}
