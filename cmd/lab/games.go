package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"gomokud/internal/ai/tengen"
	"gomokud/internal/lab"
	"gomokud/internal/rules"
)

// games is what our engine's evaluation learns from.
type games struct {
	Games  []string `arg:"" type:"existingfile" help:"Files of games, as match --record writes them; those of renju teach nothing about other rules, nor they about it."`
	Rule   string   `short:"r" default:"freestyle" enum:"freestyle,standard,caro,renju" help:"Rule: freestyle, standard, caro or renju."`
	Passes int      `default:"8" help:"Times to go through the games."`
}

// learn writes what is made of the games in the place of a file.
func (g *games) learn(file string, from func(rules.Rule, []tengen.Game) (write func(io.Writer) error)) error {
	rule, err := rules.ParseRule(g.Rule)
	if err != nil {
		return usageError{err}
	}
	out, err := replace(file)
	if err != nil {
		return err
	}
	defer out.Close()
	all, err := g.read(rule)
	if err != nil {
		return err
	}
	return out.commit(from(rule, all))
}

// read returns the games that teach something about a rule and ended without a
// fault, shuffled.
func (g *games) read(rule rules.Rule) ([]tengen.Game, error) {
	var all []tengen.Game
	for _, name := range g.Games {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		lines := json.NewDecoder(bufio.NewReader(file))
		for lines.More() {
			var r lab.Record
			if err := lines.Decode(&r); err != nil {
				file.Close()
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if alike(r.Rule, rule) && !r.Reason.Fault() {
				result := map[lab.Result]float64{lab.BlackWon: 1, lab.WhiteWon: 0, lab.Draw: 0.5}[r.Result]
				all = append(all, tengen.Game{Size: r.Size, Moves: r.Moves, Given: r.Opening, Scores: r.Scores, Result: result})
			}
		}
		file.Close()
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all, nil
}

// alike reports whether games of one rule teach something about another: what
// patterns are worth differs little where nothing is forbidden.
func alike(a, b rules.Rule) bool { return (a == rules.Renju) == (b == rules.Renju) }
