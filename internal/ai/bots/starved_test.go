package bots

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// TestABotWithoutTimeMovesNevertheless: at whatever moment the time is over, it
// has a legal move, which makes a five or stops one where there is one.
func TestABotWithoutTimeMovesNevertheless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := position(t)
		board := p.Board()
		breaths := rapid.IntRange(0, 40).Draw(t, "breaths")
		can, wins, stops := false, false, false
		for at := range p.Size.All() {
			if ai.MayPlay(board, p.Rule, p.ToMove, at) {
				can = true
				wins = wins || completes(board, p.Rule, at, p.ToMove)
				stops = stops || completes(board, p.Rule, at, p.ToMove.Opponent())
			}
		}
		for _, bot := range All() {
			thought, err := bot.New().Think(&ending{t.Context(), breaths}, p, ai.Budget{})
			switch at := thought.Move; {
			case !can && errors.Is(err, ai.ErrNoMove):
			case err != nil:
				t.Fatalf("%s: %v", bot.Name, err)
			case !ai.MayPlay(board, p.Rule, p.ToMove, at):
				t.Fatalf("%s plays %s under %s on\n%v", bot.Name, at, p.Rule, board)
			case len(thought.Line) == 0 || thought.Line[0] != at:
				t.Fatalf("%s plays %s but expects %v", bot.Name, at, thought.Line)
			case wins && !completes(board, p.Rule, at, p.ToMove):
				t.Fatalf("%s plays %s and no five on\n%v", bot.Name, at, board)
			case !wins && stops && !completes(board, p.Rule, at, p.ToMove.Opponent()):
				t.Fatalf("%s plays %s and stops no five on\n%v", bot.Name, at, board)
			}
		}
	})
}

func TestInHasteAStoneGoesBesideTheLast(t *testing.T) {
	p := ai.Position{Size: rules.Size{Width: 15, Height: 15}, ToMove: rules.White, Stones: []ai.Stone{{Point: rules.Point{X: 2, Y: 2}, Color: rules.Black}}}
	thought, err := inHaste(p)
	if far := max(thought.Move.X, 4-thought.Move.X, thought.Move.Y, 4-thought.Move.Y); err != nil || far > 3 {
		t.Errorf("it plays %s, %v", thought.Move, err)
	}
}
