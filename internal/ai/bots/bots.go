// Package bots holds the named computer opponents. Each is faithful to the text
// that describes it, which its docstring names, down to where that text is
// weak; where a text is ambiguous or its code is broken, the docstring says
// what was chosen.
package bots

import "gomokud/internal/ai"

// Bot is an opponent that people can choose.
type Bot struct {
	Name   string // in commands and addresses
	Title  string // for people
	About  string // one sentence
	Source string // the text that it follows
	Elo    int    // on the scale of docs/engine.md
	New    func() ai.Engine
}

// All lists the opponents, the easiest first.
func All() []Bot {
	return []Bot{
		{
			Name: "influence", Elo: 490, Title: "Influence",
			About:  "Lets every stone radiate along its lines and plays where attack or defence is strongest.",
			Source: "seed 004",
			New:    func() ai.Engine { return Influence{} },
		},
		{
			Name: "seven-step", Elo: 900, Title: "Seven-step",
			About:  "Weighs every line of the board, then decides in seven steps: win, stop, attack, defend.",
			Source: "seed 000",
			New:    func() ai.Engine { return SevenStep{} },
		},
		{
			Name: "look-ahead", Elo: 1000, Title: "Look-ahead",
			About:  "Follows stones that must be answered five plies ahead, its own first, then its opponent's.",
			Source: "seed 001",
			New:    func() ai.Engine { return LookAhead{} },
		},
		{
			Name: "backtrack", Elo: 960, Title: "Backtrack",
			About:  "Tries its five best points, the five best answers to each and so on, five stones deep.",
			Source: "seed 002",
			New:    func() ai.Engine { return Backtrack{} },
		},
		{
			Name: "shape-dictionary", Elo: 960, Title: "Shape dictionary",
			About:  "Looks up the shapes that a stone would make for either side and takes the point that is worth most.",
			Source: "seed 003",
			New:    func() ai.Engine { return ShapeDictionary{} },
		},
	}
}

// Find returns the bot of a name.
func Find(name string) (Bot, bool) {
	for _, b := range All() {
		if b.Name == name {
			return b, true
		}
	}
	return Bot{}, false
}
