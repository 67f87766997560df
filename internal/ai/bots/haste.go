package bots

import (
	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// inHaste is the move of a bot whose time was over before it had seen the board:
// a five, a stone where the opponent could make one, or one beside the last.
func inHaste(p ai.Position) (ai.Thought, error) {
	move, found := p.Nearest()
	if !found {
		return ai.Thought{}, ai.ErrNoMove
	}
	if at, is := urgent(p); is {
		move = at
	}
	return ai.Thought{Move: move, Line: []rules.Point{move}}, nil
}

// urgent is where a five is made, or else stopped.
func urgent(p ai.Position) (at rules.Point, is bool) {
	board := p.Board()
	for _, side := range []rules.Color{p.ToMove, p.ToMove.Opponent()} {
		for at := range p.Size.All() {
			if board.At(at) == rules.Empty && completes(board, p.Rule, at, side) && ai.MayPlay(board, p.Rule, p.ToMove, at) {
				return at, true
			}
		}
	}
	return rules.Point{}, false
}
