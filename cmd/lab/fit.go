package main

import (
	"fmt"
	"io"

	"gomokud/internal/ai/tengen"
	"gomokud/internal/rules"
)

// fit fits the weights of the evaluation to games.
type fit struct {
	games
	Out string `short:"o" required:"" type:"path" help:"File for the weights; our engine embeds internal/ai/tengen/weights/RULE.bin."`
}

func (f *fit) Run() error {
	return f.learn(f.Out, func(rule rules.Rule, games []tengen.Game) func(io.Writer) error {
		tuner := tengen.NewTuner(&tengen.Library{}, rule)
		for _, g := range games {
			tuner.Add(g)
		}
		fmt.Printf("%d games, %d positions\n", len(games), tuner.Samples())
		tuner.Fit(f.Passes, 1, func(pass int, loss float64) {
			fmt.Printf("pass %d: loss %.5f bits\n", pass, loss)
		})
		tuner.FitChoices(f.Passes, 1, func(pass int, loss float64) {
			fmt.Printf("pass %d over the moves: loss %.4f bits\n", pass, loss)
		})
		return tuner.Write
	})
}
