package lab_test

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"gomokud/internal/ai"
	"gomokud/internal/lab"
	"gomokud/internal/rules"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// engine is a function that thinks.
type engine func(context.Context, ai.Position, ai.Budget) (ai.Thought, error)

func (e engine) Think(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
	return e(ctx, p, b)
}

// scripted plays the named points in turn, whatever the other does.
func scripted(t *testing.T, name string, script lab.Opening) lab.Player {
	return lab.Player{Name: name, New: func() ai.Engine {
		next := 0
		return engine(func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) {
			if next == len(script) {
				t.Errorf("%s is asked for move %d", name, next)
				return ai.Thought{}, ai.ErrNoMove
			}
			next++
			return ai.Thought{Move: script[next-1], Nodes: 10, Depth: 2}, nil
		})
	}}
}

// thinking is a player who always does the same.
func thinking(name string, e engine) lab.Player {
	return lab.Player{Name: name, New: func() ai.Engine { return e }}
}

// random plays anywhere, by its seed and how many stones there are.
func random(name string) lab.Player {
	return thinking(name, func(_ context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
		board := p.Board()
		start := int((b.Seed + uint64(len(p.Stones))*7919) % uint64(p.Size.Points()))
		for i := range p.Size.Points() {
			n := (start + i) % p.Size.Points()
			at := rules.Point{X: int8(n % p.Size.Width), Y: int8(n / p.Size.Width)}
			if ai.MayPlay(board, p.Rule, p.ToMove, at) {
				return ai.Thought{Move: at, Nodes: 1, Depth: 1}, nil
			}
		}
		return ai.Thought{}, ai.ErrNoMove
	})
}

// greedy makes or stops a five where it can, else it plays as random does.
func greedy(name string) lab.Player {
	other := random(name).New()
	return thinking(name, func(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
		board := p.Board()
		for _, c := range []rules.Color{p.ToMove, p.ToMove.Opponent()} {
			for at := range p.Size.All() {
				if !ai.MayPlay(board, p.Rule, p.ToMove, at) {
					continue
				}
				board.Place(at, c)
				wins := p.Rule.Wins(board, at)
				board.Remove(at)
				if wins {
					return ai.Thought{Move: at, Nodes: 1, Depth: 1}, nil
				}
			}
		}
		return other.Think(ctx, p, b)
	})
}

func square(side int) rules.Size { return rules.Size{Width: side, Height: side} }

// points reads names of points.
func points(t *testing.T, text string) lab.Opening {
	t.Helper()
	var all lab.Opening
	for _, name := range split(text) {
		p, err := rules.ParsePoint(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}
