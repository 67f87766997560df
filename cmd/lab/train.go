package main

import (
	"fmt"

	"gomokud/internal/ai/tengen"
	"gomokud/internal/rules"
)

// train teaches the network of the evaluation from games.
type train struct {
	Games  []string `arg:"" type:"existingfile" help:"Files of games, as for fit, whose weights come first."`
	Rule   string   `short:"r" default:"freestyle" enum:"freestyle,standard,caro,renju" help:"Rule: freestyle, standard, caro or renju."`
	Passes int      `default:"8" help:"Times to go through the games."`
	Rate   float64  `default:"0.004" help:"Length of the first steps; less for few games."`
	Out    string   `short:"o" required:"" type:"path" help:"File for the network; our engine embeds internal/ai/tengen/weights/RULE.net."`
}

func (f *train) Run() error {
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
	trainer := tengen.NewTrainer(&tengen.Library{}, rule)
	for _, g := range games {
		trainer.Add(gameOf(g))
	}
	fmt.Printf("%d games, %d positions\n", len(games), trainer.Positions())
	trainer.Fit(f.Passes, f.Rate, 1, func(pass int, loss float64) {
		fmt.Printf("pass %d: loss %.5f bits\n", pass, loss)
	})
	return out.commit(trainer.Write)
}
