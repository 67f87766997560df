package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"gomokud/internal/ai/opponents"
	"gomokud/internal/lab"
	"gomokud/internal/rules"
)

// torture plays quick games and looks for faults.
type torture struct {
	Players []string      `arg:"" optional:"" help:"The players; without any, tengen and every opponent."`
	Games   int           `short:"n" default:"1000" help:"Games."`
	Time    time.Duration `short:"t" default:"20ms" help:"Time of a move."`
	Grace   time.Duration `default:"10ms" help:"An answer that comes so much later than its time is a fault."`
	Jobs    int           `short:"j" default:"1" help:"Games at a time. More than there are processors make answers late."`
	Seed    uint64        `default:"1" help:"Another seed, other games."`
	Record  string        `short:"o" type:"path" help:"Append the games to this file, a line of JSON each."`
	JSON    bool          `name:"json" help:"Print JSON instead of text."`
	Quiet   bool          `short:"q" help:"No line for every game."`
}

// errFaults: somebody broke a rule.
var errFaults = errors.New("there were faults")

// Run plays, prints, and returns an error if anything was wrong.
func (c *torture) Run(ctx context.Context) error {
	if c.Games < 1 || c.Time <= 0 || c.Grace <= 0 || c.Jobs < 1 {
		return usageError{errors.New("games, times and jobs are positive")}
	}
	names := c.Players
	if len(names) == 0 {
		names = append(names, "tengen")
		for _, o := range opponents.All(nil) {
			names = append(names, o.Name)
		}
	}
	if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, "network=") }) {
		return usageError{errors.New("all rules are played, and a network is for one")}
	}
	players, err := parsePlayers(names, rules.Freestyle)
	if err != nil {
		return err
	}
	record, err := newRecorder(c.Record)
	if err != nil {
		return err
	}
	t := lab.Torture{Players: players, Games: c.Games, Jobs: c.Jobs, Time: c.Time, Grace: c.Grace, Seed: c.Seed}
	t.Watch = func(r lab.Record) {
		record.add(r)
		if !c.Quiet {
			fmt.Fprintf(os.Stderr, "%4d %v %v %v\n", r.Number, r.Rule, r.Size, r)
		}
	}
	torment, err := t.Run(ctx)
	err = errors.Join(err, record.close())
	if torment == nil {
		return err
	}
	if torment.Faults()+torment.Overruns() > 0 {
		err = errors.Join(err, errFaults)
	}
	if c.JSON {
		return errors.Join(err, printJSON(torment))
	}
	return errors.Join(err, torment.WriteText(os.Stdout))
}
