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
			About:  "Plays where the stones of either side have the most power around them, and never looks ahead.",
			Source: "seed 004",
			New:    func() ai.Engine { return Influence{} },
		},
		{
			Name: "seven-step", Elo: 900, Title: "Seven-step",
			About:  "Asks itself seven questions, from 'can I win now?' to 'where do I gain most?'; the first that names a point decides.",
			Source: "seed 000",
			New:    func() ai.Engine { return SevenStep{} },
		},
		{
			Name: "backtrack", Elo: 960, Title: "Backtrack",
			About:  "Tries its five best moves, your five best answers to each, and so on, five moves deep.",
			Source: "seed 002",
			New:    func() ai.Engine { return Backtrack{} },
		},
		{
			Name: "shape-dictionary", Elo: 960, Title: "Shape dictionary",
			About:  "Knows by heart what every pattern of stones is worth, and plays where it helps itself or spoils yours the most.",
			Source: "seed 003",
			New:    func() ai.Engine { return ShapeDictionary{} },
		},
		{
			Name: "look-ahead", Elo: 1000, Title: "Look-ahead",
			About:  "Looks up to five moves ahead for threats that force a win: first its own, then yours, to stop them.",
			Source: "seed 001",
			New:    func() ai.Engine { return LookAhead{} },
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
