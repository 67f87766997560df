package lab

import (
	"time"

	"gomokud/internal/ai"
)

// Player is somebody who is measured.
type Player struct {
	Name string
	New  func() ai.Engine // called for every game; what has a Close method is closed after it
	// Budget of the player's own, in the place of that of the terms; the zero
	// budget is none of its own. Its Seed does not count.
	Budget ai.Budget
}

// budget returns what a move may cost under the terms, in the game of the seed.
func (p Player) budget(t Terms, seed uint64) ai.Budget {
	own := p.Budget
	own.Seed = 0
	if own == (ai.Budget{}) {
		own = t.Budget
	}
	own.Seed = seed
	return own
}

// Work is what the moves of a side, or of a player in all games, have cost.
type Work struct {
	Moves    int           `json:"moves"` // that were answered, legal or not
	Time     time.Duration `json:"time_ns"`
	Longest  time.Duration `json:"longest_ns"` // for one move
	Nodes    int64         `json:"nodes"`
	Plies    int64         `json:"plies"` // the sum of the depths that were reached
	Overruns int           `json:"overruns"`
	Latest   time.Duration `json:"latest_ns"` // the longest time past a limit, where the grace was passed
	// HeldUp counts the overruns that would be none without the time for which
	// the engine's thread waited for a processor, where the system tells.
	HeldUp int `json:"held_up"`
}

// Add adds other work.
func (w *Work) Add(other Work) {
	w.Moves += other.Moves
	w.Time += other.Time
	w.Longest = max(w.Longest, other.Longest)
	w.Nodes += other.Nodes
	w.Plies += other.Plies
	w.Overruns += other.Overruns
	w.Latest = max(w.Latest, other.Latest)
	w.HeldUp += other.HeldUp
}

// Mean returns the time for a move.
func (w Work) Mean() time.Duration { return w.Time / time.Duration(max(1, w.Moves)) }

// Speed returns nodes a second.
func (w Work) Speed() float64 {
	if w.Time <= 0 {
		return 0
	}
	return float64(w.Nodes) / w.Time.Seconds()
}

// Depth returns the mean depth in plies.
func (w Work) Depth() float64 { return float64(w.Plies) / float64(max(1, w.Moves)) }
