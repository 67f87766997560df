package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"gomokud/internal/lab"
)

// match plays two players against each other.
type match struct {
	terms
	A     string    `arg:"" help:"The player whose Elo is given."`
	B     string    `arg:"" help:"The player it is measured against."`
	Games int       `short:"n" default:"100" help:"Games, made even."`
	SPRT  []float64 `name:"sprt" placeholder:"ELO0,ELO1" help:"Stop as soon as a sequential test tells ELO1 from ELO0, such as 0,20 or =-10,10."`
}

// Run plays and prints.
func (c *match) Run(ctx context.Context) error {
	under, err := c.terms.parse()
	if err != nil {
		return err
	}
	players, err := parsePlayers([]string{c.A, c.B}, under.Rule)
	if err != nil {
		return err
	}
	m := lab.Match{Terms: under, A: players[0], B: players[1], Games: c.Games, Jobs: c.Jobs, Seed: c.Seed}
	switch {
	case c.Games < 1:
		return usageError{errors.New("a match has games")}
	case len(c.SPRT) == 2 && c.SPRT[0] < c.SPRT[1]:
		m.Test = lab.SPRT{Elo0: c.SPRT[0], Elo1: c.SPRT[1]}
	case len(c.SPRT) != 0:
		return usageError{errors.New("--sprt takes two differences of Elo, the smaller first")}
	}
	if m.Openings, err = c.openings(ctx, under, c.Games); err != nil {
		return err
	}
	record, err := newRecorder(c.Record)
	if err != nil {
		return err
	}
	m.Watch = func(r lab.Record, so *lab.MatchResult) {
		record.add(r)
		if !c.Quiet {
			fmt.Fprintf(os.Stderr, "%4d %s\n     %s\n", so.Score.Games(), r, so)
		}
	}
	result, err := m.Run(ctx)
	err = errors.Join(err, record.close())
	if c.JSON {
		return errors.Join(err, printJSON(result))
	}
	return errors.Join(err, result.WriteText(os.Stdout))
}
