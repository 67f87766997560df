package match

import "gomokud/internal/rules"

// Player is who sits on a seat. The ID is public; what proves it is not in the
// log.
type Player struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Bot  string `json:"bot,omitempty"` // the opponent's name in package bots; empty for people
}

// ByColor is a pair of anything, one for each side.
type ByColor[T any] struct{ Black, White T }

// Of returns the side's own part, to be read or changed. It panics on a colour
// that is no side.
func (p *ByColor[T]) Of(c rules.Color) *T {
	switch c {
	case rules.Black:
		return &p.Black
	case rules.White:
		return &p.White
	}
	panic("match: no side has the colour " + c.String())
}

// Swap exchanges the two parts.
func (p *ByColor[T]) Swap() { p.Black, p.White = p.White, p.Black }
