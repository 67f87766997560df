package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"gomokud/internal/lab"
)

// roundrobin plays all against all.
type roundrobin struct {
	terms
	Players  []string `arg:"" help:"The players."`
	Games    int      `short:"n" default:"20" help:"Games of each two, made even."`
	Gauntlet bool     `help:"Only the games of the first player, with each of the others."`
	Anchor   string   `help:"The player whose Elo is known; the last one if none is named."`
	Elo      float64  `default:"0" help:"The Elo of the anchor."`
}

// Run plays and prints.
func (c *roundrobin) Run(ctx context.Context) error {
	under, err := c.terms.parse()
	if err != nil {
		return err
	}
	if c.Games < 1 {
		return usageError{errors.New("a tournament has games")}
	}
	t := lab.RoundRobin{
		Terms: under, Gauntlet: c.Gauntlet, Games: c.Games, Jobs: c.Jobs, Seed: c.Seed, Anchor: c.Anchor, Elo: c.Elo,
	}
	if t.Players, err = parsePlayers(c.Players, under.Rule); err != nil {
		return err
	}
	if t.Openings, err = c.openings(ctx, under, c.Games); err != nil {
		return err
	}
	record, err := newRecorder(c.Record)
	if err != nil {
		return err
	}
	played := 0
	t.Watch = func(r lab.Record) {
		record.add(r)
		played++
		if !c.Quiet {
			fmt.Fprintf(os.Stderr, "%4d %s\n", played, r)
		}
	}
	table, err := t.Run(ctx)
	err = errors.Join(err, record.close())
	if table == nil {
		return err
	}
	if c.JSON {
		return errors.Join(err, printJSON(table))
	}
	return errors.Join(err, table.WriteText(os.Stdout))
}
