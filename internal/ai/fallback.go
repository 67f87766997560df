package ai

import (
	"context"

	"gomokud/internal/rules"
)

// fallback answers where an engine failed: with the legal point that is
// nearest to the last stone, or to the centre of an empty board.
type fallback struct{}

func (fallback) Think(_ context.Context, p Position, _ Budget) (Thought, error) {
	board, from := p.Board(), p.Size.Center()
	if n := len(p.Stones); n > 0 {
		from = p.Stones[n-1].Point
	}
	best, found, nearest := rules.Point{}, false, 0
	for at := range p.Size.All() {
		dx, dy := int(at.X)-int(from.X), int(at.Y)-int(from.Y)
		far := dx*dx + dy*dy
		if (!found || far < nearest) && MayPlay(board, p.Rule, p.ToMove, at) {
			best, found, nearest = at, true, far
		}
	}
	if !found {
		return Thought{}, ErrNoMove
	}
	return Thought{Move: best}, nil
}
