package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"

	"gomokud/internal/ai/tengen"
	"gomokud/internal/lab"
	"gomokud/internal/rules"
)

// fit fits the weights of the evaluation to games.
type fit struct {
	Games  []string `arg:"" type:"existingfile" help:"Files of games, as match --record writes them; those of renju teach nothing about other rules, nor they about it."`
	Rule   string   `short:"r" default:"freestyle" enum:"freestyle,standard,caro,renju" help:"Rule: freestyle, standard, caro or renju."`
	Passes int      `default:"8" help:"Times to go through the games."`
	Out    string   `short:"o" required:"" type:"path" help:"File for the weights; our engine embeds internal/ai/tengen/weights/RULE.bin."`
}

func (f *fit) Run() error {
	rule, err := rules.ParseRule(f.Rule)
	if err != nil {
		return usageError{err}
	}
	out, err := replace(f.Out)
	if err != nil {
		return err
	}
	defer out.Close()
	games, err := readGames(f.Games, rule)
	if err != nil {
		return err
	}
	tuner := tengen.NewTuner(&tengen.Library{}, rule)
	for _, g := range games {
		tuner.Add(gameOf(g))
	}
	fmt.Printf("%d games, %d positions\n", len(games), tuner.Samples())
	tuner.Fit(f.Passes, 1, func(pass int, loss float64) {
		fmt.Printf("pass %d: loss %.5f bits\n", pass, loss)
	})
	tuner.FitChoices(f.Passes, 1, func(pass int, loss float64) {
		fmt.Printf("pass %d over the moves: loss %.4f bits\n", pass, loss)
	})
	return out.commit(tuner.Write)
}

// alike reports whether games of one rule teach something about another: what
// patterns are worth differs little where nothing is forbidden.
func alike(a, b rules.Rule) bool { return (a == rules.Renju) == (b == rules.Renju) }

// readGames returns the games that teach something about a rule and ended without
// a fault, shuffled.
func readGames(names []string, rule rules.Rule) ([]lab.Record, error) {
	var games []lab.Record
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		lines := json.NewDecoder(bufio.NewReader(file))
		for lines.More() {
			var g lab.Record
			if err := lines.Decode(&g); err != nil {
				file.Close()
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if alike(g.Rule, rule) && !g.Reason.Fault() {
				games = append(games, g)
			}
		}
		file.Close()
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(games), func(i, j int) { games[i], games[j] = games[j], games[i] })
	return games, nil
}

func gameOf(g lab.Record) tengen.Game {
	result := map[lab.Result]float64{lab.BlackWon: 1, lab.WhiteWon: 0, lab.Draw: 0.5}[g.Result]
	return tengen.Game{Size: g.Size, Moves: g.Moves, Given: g.Opening, Scores: g.Scores, Result: result}
}
