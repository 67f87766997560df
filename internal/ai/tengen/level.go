package tengen

import (
	"math"
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
	Overlooks float64 // part of the quiet moves that it does not think of; of threats, less
}

// Levels lists them, the easiest first.
func Levels() []Level {
	return []Level{
		{Number: 1, Elo: 200, Depth: 1, Nodes: 2000, Fours: 1, Overlooks: 0.91},
		{Number: 2, Elo: 490, Depth: 1, Nodes: 2000, Fours: 1, Overlooks: 0.84},
		{Number: 3, Elo: 770, Depth: 1, Nodes: 2000, Fours: 1, Overlooks: 0.75},
		{Number: 4, Elo: 940, Depth: 1, Nodes: 2000, Fours: 1, Overlooks: 0.65},
		{Number: 5, Elo: 1210, Depth: 2, Nodes: 2000, Fours: 1, Overlooks: 0.55},
		{Number: 6, Elo: 1460, Depth: 3, Nodes: 4000, Fours: 2, Overlooks: 0.31},
		{Number: 7, Elo: 1680, Depth: 7, Nodes: 4000, Fours: 3, Overlooks: 0.23},
		{Number: 8, Elo: 1920, Nodes: 14_000},
		{Number: 9, Elo: 2120, Nodes: 50_000},
		{Number: 10, Elo: 2300, Nodes: 200_000},
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
		if left > 1 && random.Float64() < math.Pow(l.Overlooks, p.plainness(m.square)) {
			among.add(m.square)
			left--
		}
	}
	return &among
}

// plainness says how easily a move is seen: a quiet one is overlooked with the
// level's chance, one of plainness 2 with the square of it, and so on.
func (p *position) plainness(s square) float64 {
	at := &p.points[s]
	most := 1.0
	for _, c := range [2]color{p.turn, p.turn ^ 1} {
		for d, step := range steps {
			plain := plainnessOf[at.code[c].pattern(d)]
			if step != 1 && step != stride {
				plain = 1 + (plain-1)*onDiagonals
			}
			most = max(most, plain)
		}
	}
	return most
}

var plainnessOf = [patternCodes]float64{
	dead: 1, fouled: 1, closed1: 1, open1: 1, closed2: 1, open2: 1.1, open2a: 1.1, open2b: 1.1,
	closed3: 1.4, open3s: 2, open3: 2.3, four: 2.6, openFour: 4, five: 8,
}

// onDiagonals is how much less plain a line is there.
const onDiagonals = 0.7
