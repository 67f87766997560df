package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/ai/tengen"
	"gomokud/internal/lab"
	"gomokud/internal/rules"
)

// board is what is played on.
type board struct {
	Rule string `short:"r" default:"freestyle" enum:"freestyle,standard,caro,renju" help:"Rule: freestyle, standard, caro or renju."`
	Size string `short:"s" default:"15" help:"Side of the board, or WIDTHxHEIGHT."`
	Seed uint64 `default:"1" help:"Another seed, other openings and other chances."`
}

func (b board) parse() (rule rules.Rule, size rules.Size, err error) {
	if rule, err = rules.ParseRule(b.Rule); err != nil {
		return rule, size, usageError{err}
	}
	text := b.Size
	if !strings.Contains(text, "x") {
		text += "x" + text
	}
	if size, err = rules.ParseSize(text); err != nil {
		return rule, size, usageError{err}
	}
	return rule, size, nil
}

// terms are the flags of commands that play under terms of one's choice.
type terms struct {
	board
	Time     time.Duration `short:"t" help:"Time of a move; 100ms if there is no other bound."`
	Nodes    int64         `help:"Nodes of a move; makes games independent of the machine."`
	Depth    int           `help:"Plies of a move."`
	Jobs     int           `short:"j" default:"1" help:"Games at a time."`
	Openings string        `type:"existingfile" help:"File of openings, one a line, in the place of drawn ones."`
	Record   string        `short:"o" type:"path" help:"Append the games to this file, a line of JSON each."`
	JSON     bool          `name:"json" help:"Print JSON instead of text."`
	Quiet    bool          `short:"q" help:"No line for every game."`
}

func (t terms) parse() (lab.Terms, error) {
	rule, size, err := t.board.parse()
	if err != nil {
		return lab.Terms{}, err
	}
	if t.Time < 0 || t.Nodes < 0 || t.Depth < 0 || t.Jobs < 1 {
		return lab.Terms{}, usageError{fmt.Errorf("bounds and jobs are positive")}
	}
	budget := ai.Budget{Time: t.Time, Nodes: t.Nodes, Depth: t.Depth}
	if budget == (ai.Budget{}) {
		budget.Time = 100 * time.Millisecond
	}
	return lab.Terms{Rule: rule, Size: size, Budget: budget}, nil
}

// mostOpenings that are drawn for a match; then they come again, turned.
const mostOpenings = 150

// openings reads or draws what is needed for so many games.
func (t terms) openings(ctx context.Context, under lab.Terms, games int) ([]lab.Opening, error) {
	if t.Openings == "" {
		return drawOpenings(ctx, under.Rule, under.Size, min((games+1)/2, mostOpenings), t.Seed)
	}
	f, err := os.Open(t.Openings)
	if err != nil {
		return nil, fmt.Errorf("openings: %w", err)
	}
	defer f.Close()
	all, err := lab.ReadOpenings(f, under.Rule, under.Size)
	if err != nil {
		return nil, fmt.Errorf("openings in %s: %w", t.Openings, err)
	}
	return all, nil
}

// What our engine takes for balanced, by its own scale: some 53 % for the better
// side. Fewer nodes let openings through that Black wins three times in four.
const (
	judgeNodes = 10_000
	judgeLimit = 25
)

func drawOpenings(ctx context.Context, rule rules.Rule, size rules.Size, n int, seed uint64) ([]lab.Opening, error) {
	engine := tengen.New(tengen.Config{Memory: 4 << 20})
	judge := lab.ScoreJudge(func() ai.Engine {
		engine.Forget()
		return engine
	}, ai.Budget{Nodes: judgeNodes}, judgeLimit)
	return lab.DrawOpenings(ctx, rule, size, n, seed, judge)
}

// recorder appends games to a file; without a name it does nothing.
type recorder struct {
	file *os.File
	out  *json.Encoder
	err  error // the first
}

func newRecorder(name string) (*recorder, error) {
	if name == "" {
		return &recorder{}, nil
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return &recorder{file: f, out: json.NewEncoder(f)}, nil
}

func (r *recorder) add(game lab.Record) {
	if r.file != nil && r.err == nil {
		r.err = r.out.Encode(game)
	}
}

// close returns what went wrong on the way.
func (r *recorder) close() error {
	if r.file == nil {
		return nil
	}
	if err := r.file.Close(); r.err == nil {
		r.err = err
	}
	if r.err != nil {
		return fmt.Errorf("record: %w", r.err)
	}
	return nil
}

// printJSON prints a value for programs.
func printJSON(v any) error {
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(v)
}
