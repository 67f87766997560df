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

// All lists our own engine's levels, the easiest first, then the bots.
func All() []Opponent {
	var all []Opponent
	for _, l := range tengen.Levels() {
		all = append(all, Opponent{
			Name: fmt.Sprintf("tengen-%d", l.Number), Title: fmt.Sprintf("Level %d", l.Number),
			Level: l.Number, Elo: l.Elo,
			New: func() ai.Engine { return tengen.New(tengen.Config{Level: l}) },
		})
	}
	for _, b := range bots.All() {
		all = append(all, Opponent{Name: b.Name, Title: b.Title, About: b.About, New: b.New})
	}
	return all
}

// Find returns the opponent of a name.
func Find(name string) (Opponent, bool) {
	for _, o := range All() {
		if o.Name == name {
			return o, true
		}
	}
	return Opponent{}, false
}
