// Package opponents is the list of everybody whom the computer can play: our
// own engine at its levels, and the bots of the five older systems.
package opponents

import (
	"fmt"

	"gomokud/internal/ai"
	"gomokud/internal/ai/bots"
	"gomokud/internal/ai/tengen"
)

// Opponent is somebody to play against.
type Opponent struct {
	Name  string // in commands and addresses
	Title string // for people
	About string // one sentence
	Level int    // of our own engine, 1 to 10; 0 for others
	Elo   int    // on the scale of docs/engine.md; 0 if it was not measured
	New   func() ai.Engine
}

// levels says what a person can expect of each level.
var levels = [...]string{
	"For a first game: it overlooks a lot, and forgives a lot.",
	"For beginners: it often misses threats, on diagonals above all.",
	"Knows the rules well enough, but still overlooks open threes.",
	"For casual players: it blocks most threats, and slips at times.",
	"Attacks and defends sensibly: make two threats at once to win.",
	"For regular players: it looks for double threats of its own.",
	"For experienced players: it punishes most careless moves.",
	"For club players: it plans attacks ahead and rarely slips.",
	"For strong players: it sees far, so you need to see farther.",
	"The strongest that we have: expect to lose, and learn.",
}

// All lists our own engine's levels, the easiest first, then the bots.
// The levels share the library; nil is one of their own.
func All(library *tengen.Library) []Opponent {
	var all []Opponent
	if library == nil {
		library = &tengen.Library{}
	}
	for _, l := range tengen.Levels() {
		all = append(all, Opponent{
			Name: fmt.Sprintf("tengen-%d", l.Number), Title: fmt.Sprintf("Level %d", l.Number),
			About: levels[l.Number-1], Level: l.Number, Elo: l.Elo,
			New: func() ai.Engine { return tengen.New(tengen.Config{Level: l, Library: library}) },
		})
	}
	for _, b := range bots.All() {
		all = append(all, Opponent{Name: b.Name, Title: b.Title, About: b.About, Elo: b.Elo, New: b.New})
	}
	return all
}

// Find returns the opponent of a name.
func Find(name string, library *tengen.Library) (Opponent, bool) {
	for _, o := range All(library) {
		if o.Name == name {
			return o, true
		}
	}
	return Opponent{}, false
}
