package main

import (
	"fmt"
	"io"

	"gomokud/internal/ai/tengen"
	"gomokud/internal/rules"
)

// train teaches the network of the evaluation from games, when the weights have
// been fitted.
type train struct {
	games
	Rate float64 `default:"0.0012" help:"Length of the first steps."`
	Out  string  `short:"o" required:"" type:"path" help:"File for the network; our engine embeds internal/ai/tengen/weights/RULE.net."`
}

func (t *train) Run() error {
	return t.learn(t.Out, func(rule rules.Rule, games []tengen.Game) func(io.Writer) error {
		trainer := tengen.NewTrainer(&tengen.Library{}, rule)
		for _, g := range games {
			trainer.Add(g)
		}
		fmt.Printf("%d games, %d positions\n", len(games), trainer.Positions())
		trainer.Fit(t.Passes, t.Rate, 1, func(pass int, loss float64) {
			fmt.Printf("pass %d: loss %.5f bits\n", pass, loss)
		})
		return trainer.Write
	})
}
