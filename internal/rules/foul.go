package rules

import "fmt"

// A Foul is what Black may not make under renju.
type Foul uint8

// The fouls. A point where Black completes an exact five is never one.
const (
	NoFoul Foul = iota
	// DoubleThree: two or more threes at once that can become straight fours.
	DoubleThree
	// DoubleFour: two or more fours at once, in different lines or in one.
	DoubleFour
	// Overline: an unbroken row of six or more.
	Overline
)

// String returns "double-three", "double-four" or "overline", and "" for
// NoFoul.
func (f Foul) String() string {
	switch f {
	case NoFoul:
		return ""
	case DoubleThree:
		return "double-three"
	case DoubleFour:
		return "double-four"
	case Overline:
		return "overline"
	}
	return fmt.Sprintf("Foul(%d)", uint8(f))
}

// MarshalText writes the foul as String does.
func (f Foul) MarshalText() ([]byte, error) {
	if f > Overline {
		return nil, fmt.Errorf("rules: no such foul: %v", f)
	}
	return []byte(f.String()), nil
}

// UnmarshalText reads a foul as String writes it.
func (f *Foul) UnmarshalText(text []byte) error {
	for known := NoFoul; known <= Overline; known++ {
		if known.String() == string(text) {
			*f = known
			return nil
		}
	}
	return fmt.Errorf("rules: no foul: %q", text)
}
