package rules

import "fmt"

// A Color is what a point of the board holds: a stone of one side, or nothing.
type Color uint8

// The colours. Black moves first.
const (
	Empty Color = iota
	Black
	White
)

// Opponent returns the other side's colour; Empty has none and returns Empty.
func (c Color) Opponent() Color {
	switch c {
	case Black:
		return White
	case White:
		return Black
	}
	return Empty
}

// String returns "empty", "black" or "white".
func (c Color) String() string {
	switch c {
	case Empty:
		return "empty"
	case Black:
		return "black"
	case White:
		return "white"
	}
	return fmt.Sprintf("Color(%d)", uint8(c))
}

// MarshalText writes the colour as String does.
func (c Color) MarshalText() ([]byte, error) {
	if c > White {
		return nil, fmt.Errorf("rules: no such colour: %v", c)
	}
	return []byte(c.String()), nil
}

// UnmarshalText reads "black" or "white". What is read names a side, so
// "empty" is an error.
func (c *Color) UnmarshalText(text []byte) error {
	switch string(text) {
	case "black":
		*c = Black
	case "white":
		*c = White
	default:
		return fmt.Errorf("rules: no colour: %q", text)
	}
	return nil
}
