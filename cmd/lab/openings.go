package main

import (
	"context"
	"fmt"

	"gomokud/internal/lab"
	"gomokud/internal/rules"
)

// openings draws openings.
type openings struct {
	board
	Number int  `short:"n" default:"100" help:"How many."`
	Any    bool `help:"Also those that favour a side: for games to fit weights to."`
}

// Run prints them as --openings reads them.
func (c *openings) Run(ctx context.Context) error {
	rule, size, err := c.parse()
	if err != nil {
		return err
	}
	draw := drawOpenings
	if c.Any {
		draw = func(ctx context.Context, rule rules.Rule, size rules.Size, n int, seed uint64) ([]lab.Opening, error) {
			return lab.DrawOpenings(ctx, rule, size, n, seed, nil)
		}
	}
	all, err := draw(ctx, rule, size, c.Number, c.Seed)
	for _, o := range all {
		fmt.Println(o)
	}
	return err
}
