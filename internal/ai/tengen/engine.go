// Package tengen is our own engine, named after the centre point: a search for
// the best move that sees fives, fours and threes in patterns of lines which it
// keeps up to date. docs/engine.md tells how it works and what each part is worth.
package tengen

import (
	"context"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// Config is how an engine works. The zero value is its full strength on one thread.
type Config struct {
	Threads int      // that search together; 0 is 1
	Memory  int64    // bytes of the transposition table; 0 is 32 MiB, or what the level needs
	Level   Level    // the zero level is full strength
	Library *Library // shared with other engines; nil: one of its own
}

// Engine is one thinker; it is not for concurrent use.
type Engine struct {
	cfg     Config
	library *Library
	table   *hashTable
	threads []*thread
	rule    rules.Rule // of the threads
	size    rules.Size
}

// New returns an engine with its table: to make and clear that may take as long as
// a quick move, which is nobody's time yet.
func New(cfg Config) *Engine {
	cfg.Threads = max(1, cfg.Threads)
	if cfg.Memory == 0 {
		cfg.Memory = cfg.Level.memory()
	}
	if cfg.Library == nil {
		cfg.Library = &Library{}
	}
	return &Engine{cfg: cfg, library: cfg.Library, table: newHashTable(cfg.Memory)}
}

// Forget drops what earlier positions taught it.
func (e *Engine) Forget() {
	e.threads = nil
	e.table.age(true)
}

// Think implements ai.Engine.
func (e *Engine) Think(ctx context.Context, from ai.Position, b ai.Budget) (ai.Thought, error) {
	var thought ai.Thought
	err := e.run(ctx, from, b, 0, func(a ai.Analysis) {
		best := a.Lines[0]
		thought = ai.Thought{Move: best.Moves[0], Score: best.Score, Mate: best.Mate, Line: best.Moves, Depth: a.Depth, Nodes: a.Nodes}
	})
	return thought, err
}

// Analyse implements ai.Analyst.
func (e *Engine) Analyse(ctx context.Context, from ai.Position, b ai.Budget, lines int, report func(ai.Analysis)) error {
	return e.run(ctx, from, b, max(1, lines), report)
}

// setUp makes the threads ready for a position.
func (e *Engine) setUp(from ai.Position) {
	// A level thinks afresh, so that it is as strong whatever it thought before.
	fresh := e.cfg.Level.Number > 0 || e.threads == nil || e.rule != from.Rule || e.size != from.Size
	if fresh {
		e.rule, e.size = from.Rule, from.Size
		e.threads = make([]*thread, e.cfg.Threads)
		var all *team
		if len(e.threads) > 1 {
			all = new(team)
		}
		for i := range e.threads {
			e.threads[i] = &thread{main: i == 0, moves: make([]move, 0, 16*1024), table: e.table, team: all}
		}
	}
	for _, t := range e.threads {
		t.p = newPosition(e.library.of(from.Rule), from.Size)
		t.p.load(from)
		if t.fours == nil {
			t.fours = newFourSearch(t.p, int(e.cfg.Memory>>8)+1024)
		}
		if t.threats == nil && t.main {
			t.threats = newThreatSearch(t.p, t.fours, int(e.cfg.Memory>>9)+1024)
		}
		if t.main {
			t.threats.p = t.p
		}
		t.fours.p, t.fours.most = t.p, e.cfg.Level.Fours
		t.look, t.first, t.base = 0, nowhere, len(t.p.history)
		clear(t.stack[:])
		for c := range t.history {
			for s := range t.history[c] {
				t.history[c][s] /= 2
			}
		}
	}
	e.table.age(fresh)
}

// run looks for so many lines, or for 0 of them if only a move is wanted, whatever
// it is worth.
func (e *Engine) run(ctx context.Context, from ai.Position, b ai.Budget, lines int, report func(ai.Analysis)) error {
	began := time.Now()
	if err := ctx.Err(); err != nil {
		return err
	}
	e.setUp(from)
	b = e.cfg.Level.within(b)
	l := newLimits(ctx, b, began)
	defer l.release()
	for _, t := range e.threads {
		t.limits, t.fours.limits = l, l
	}
	s := &rootSearch{threads: e.threads, limits: l, budget: b, began: began, report: report, most: max(1, lines), quick: lines == 0}
	return s.run(e.cfg.Level)
}
