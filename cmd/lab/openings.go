package main

import (
	"context"
	"fmt"
)

// openings draws openings.
type openings struct {
	board
	Number int `short:"n" default:"100" help:"How many."`
}

// Run prints them as --openings reads them.
func (c *openings) Run(ctx context.Context) error {
	rule, size, err := c.parse()
	if err != nil {
		return err
	}
	all, err := drawOpenings(ctx, rule, size, c.Number, c.Seed)
	for _, o := range all {
		fmt.Println(o)
	}
	return err
}
