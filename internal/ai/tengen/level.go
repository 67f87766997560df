package tengen

import (
	"math/rand/v2"

	"gomokud/internal/ai"
)

// Level makes the engine as strong as a person of some experience. It looks less
// far than it could, and it overlooks moves as people do: quiet moves more than
// threats, threats more than fives, and what lies on a diagonal most of all.
type Level struct {
	Number    int     // 1 to 10
	Elo       int     // on the scale of docs/engine.md
	Nodes     int64   // that it looks at; 0: no bound
	Depth     int     // plies that it looks ahead; 0: no bound
	Fours     int     // of a victory by fours that it sees at once; 0: no bound
	Overlooks float64 // part of the quiet moves that it does not think of
}

// Levels lists them, the easiest first.
func Levels() []Level {
	return []Level{
		{Number: 1, Nodes: 400, Depth: 1, Fours: 1, Overlooks: 0.75},
		{Number: 2, Nodes: 600, Depth: 2, Fours: 1, Overlooks: 0.6},
		{Number: 3, Nodes: 800, Depth: 2, Fours: 1, Overlooks: 0.45},
		{Number: 4, Nodes: 1200, Depth: 3, Fours: 1, Overlooks: 0.32},
		{Number: 5, Nodes: 2000, Depth: 4, Fours: 2, Overlooks: 0.22},
		{Number: 6, Nodes: 4000, Depth: 5, Fours: 3, Overlooks: 0.14},
		{Number: 7, Nodes: 10_000, Depth: 7, Fours: 4, Overlooks: 0.08},
		{Number: 8, Nodes: 30_000, Depth: 9, Fours: 8, Overlooks: 0.03},
		{Number: 9, Nodes: 120_000},
		{Number: 10, Nodes: 1_000_000},
	}
}

// within returns the budget within the level.
func (l Level) within(b ai.Budget) ai.Budget {
	if l.Nodes > 0 && (b.Nodes == 0 || b.Nodes > l.Nodes) {
		b.Nodes = l.Nodes
	}
	if l.Depth > 0 && (b.Depth == 0 || b.Depth > l.Depth) {
		b.Depth = l.Depth
	}
	return b
}

// memory returns the bytes of a transposition table for the level: full strength
// has 32 MiB, others what their nodes can fill.
func (l Level) memory() int64 {
	const most, entry = 32 << 20, 16
	if l.Nodes == 0 {
		return most
	}
	return min(most, 2*entry*l.Nodes)
}

// sees reports whether the level looks for long victories before all else.
func (l Level) sees() bool { return l.Overlooks == 0 }

// overlooked draws the moves that the level does not think of in a position. The
// same seed and position give the same moves.
func (l Level) overlooked(p *position, seed uint64) *set {
	if l.Overlooks == 0 {
		return nil
	}
	random := rand.New(rand.NewPCG(seed, p.hash))
	var among set
	list := p.appendNear(nil)
	left := len(list)
	for _, m := range list {
		if left > 1 && random.Float64() < l.Overlooks*p.hidden(m.square) {
			among.add(m.square)
			left--
		}
	}
	return &among
}

// hidden says how hard a move is to see: 1 for a quiet one.
func (p *position) hidden(s square) float64 {
	at := &p.points[s]
	hard := 1.0
	for _, c := range [2]color{p.turn, p.turn ^ 1} {
		for d := range directions {
			seen := eyeOf[at.code[c].pattern(d)]
			if d >= 2 {
				seen = min(1, seen*1.6)
			}
			hard = min(hard, seen)
		}
	}
	return hard
}

// eyeOf is how much of a line of a kind is overlooked, beside a quiet one.
var eyeOf = [patternCodes]float64{
	dead: 1, fouled: 1, closed1: 1, open1: 1, closed2: 1, open2: 0.9, open2a: 0.9, open2b: 0.9,
	closed3: 0.7, open3s: 0.5, open3: 0.4, four: 0.3, openFour: 0.15, five: 0.04,
}
