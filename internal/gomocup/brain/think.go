package brain

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// errNoPoint: nobody has a move there.
var errNoPoint = errors.New("there is no point left")

// Why something simpler moved for the engine.
var (
	errLate   = errors.New("it was too late")
	errNobody = errors.New("there is no spare engine")
	errLost   = errors.New("it still thinks about an earlier position")
)

// thinker keeps the engine and looks after it: what an engine does wrong costs
// the worth of a move, never the move.
type thinker struct {
	make   func(Settings) ai.Engine
	spare  func() ai.Engine
	engine ai.Engine    // nil: to be made
	has    Settings     // of the engine
	warm   bool         // the engine has filled its tables
	lost   chan verdict // of a thought that did not end in time
}

// task is what to think about, until the end of a context.
type task struct {
	pos    ai.Position
	budget ai.Budget
	lines  int               // of an analysis; 0: only the move is asked for
	report func(ai.Analysis) // of an analysis
	slack  time.Duration     // for which the answer may be late
}

// verdict is what the engine made of a task.
type verdict struct {
	thought ai.Thought
	err     error
	engine  ai.Engine
	has     Settings // of the engine
}

// failed reports whether more was wrong than the time.
func (v verdict) failed() bool {
	return v.err != nil && !errors.Is(v.err, context.Canceled) && !errors.Is(v.err, context.DeadlineExceeded)
}

// set says what the next engine is made of; the one that is there goes if it is
// made of something else.
func (t *thinker) set(s Settings) {
	if t.has == s {
		return
	}
	if t.has = s; t.engine != nil {
		t.drop()
		debug.FreeOSMemory() // a manager may watch how much we have
	}
}

// drop gives the engine up for a new one.
func (t *thinker) drop() { t.engine, t.warm = nil, false }

// forget makes the engine as good as new.
func (t *thinker) forget() {
	if f, ok := t.engine.(forgetter); ok {
		f.Forget()
	}
}

// back waits until an engine that was late has come back, and reports whether
// it has. It is as good as before, only slow.
func (t *thinker) back(ctx context.Context) bool {
	if t.lost == nil {
		return true
	}
	select {
	case v := <-t.lost:
		t.lost = nil
		t.keep(v)
		return true
	case <-ctx.Done():
		return false
	}
}

// keep takes the engine back that has thought, unless it has failed, or another
// is wanted.
func (t *thinker) keep(v verdict) {
	t.engine = v.engine
	if v.failed() || v.has != t.has {
		t.drop()
	}
}

// think returns the engine's thought. If the engine fails there is a move
// nevertheless, with the error that says why; errNoPoint comes alone.
func (t *thinker) think(ctx context.Context, job task) (ai.Thought, error) {
	nearest, ok := job.pos.Nearest()
	if !ok {
		// Black has only forbidden points. The protocol knows no pass, and a
		// manager that gets no move waits for ever.
		job.pos.Rule = rules.Freestyle
		if nearest, ok = job.pos.Nearest(); ok {
			return ai.Thought{Move: nearest}, nil
		}
		return ai.Thought{}, errNoPoint
	}
	job.pos.Stones = slices.Clone(job.pos.Stones)
	simple := t.simply(ctx, job)
	instead := func() ai.Thought {
		v := verdict{err: errLate}
		select {
		case v = <-simple:
		case <-ctx.Done():
			select {
			case v = <-simple:
			default:
			}
		}
		if v.err != nil {
			v.thought = ai.Thought{Move: nearest, Line: []rules.Point{nearest}}
		}
		return v.thought
	}
	if !t.back(ctx) {
		return instead(), errLost
	}
	verdicts := make(chan verdict, 1) // nobody may be waiting any more
	engine, has := t.engine, t.has
	go func() {
		v := ask(ctx, job, func() ai.Engine {
			if engine == nil {
				engine = t.make(has)
			}
			return engine
		})
		v.has = has
		verdicts <- v
	}()

	var v verdict
	select {
	case v = <-verdicts:
	case <-ctx.Done():
		late := time.NewTimer(job.slack)
		defer late.Stop()
		select {
		case v = <-verdicts:
		case <-late.C:
			t.engine, t.lost = nil, verdicts
			return instead(), errLate
		}
	}
	t.keep(v)
	switch {
	case v.err == nil:
		return v.thought, nil
	case v.failed():
		return instead(), v.err
	default:
		return instead(), nil // there was no time for anything better
	}
}

// simply has the spare engine think beside the other, so that there is a fair
// move if that fails.
func (t *thinker) simply(ctx context.Context, job task) <-chan verdict {
	verdicts := make(chan verdict, 1) // nobody may be waiting any more
	if t.spare == nil {
		verdicts <- verdict{err: errNobody}
		return verdicts
	}
	job.lines = 0
	go func() { verdicts <- ask(ctx, job, t.spare) }()
	return verdicts
}

// ask has an engine think, and looks at its move before anybody else does.
func ask(ctx context.Context, job task, engine func() ai.Engine) (v verdict) {
	defer func() {
		if r := recover(); r != nil {
			v.err = fmt.Errorf("it panicked: %v\n%s", r, debug.Stack())
		}
	}()
	v.engine = engine()
	if analyst, ok := v.engine.(ai.Analyst); ok && job.lines > 0 {
		v.thought, v.err = analyse(ctx, analyst, job)
	}
	if len(v.thought.Line) == 0 && v.err == nil {
		v.thought, v.err = v.engine.Think(ctx, job.pos, job.budget)
	}
	if v.err == nil && !ai.MayPlay(job.pos.Board(), job.pos.Rule, job.pos.ToMove, v.thought.Move) {
		v.err = fmt.Errorf("its move %v is not legal", v.thought.Move)
	}
	return v
}

// analyse reports the best lines and returns the best, which is empty if there
// are none.
func analyse(ctx context.Context, engine ai.Analyst, job task) (best ai.Thought, err error) {
	err = engine.Analyse(ctx, job.pos, job.budget, job.lines, func(a ai.Analysis) {
		if len(a.Lines) == 0 || len(a.Lines[0].Moves) == 0 {
			return
		}
		l := a.Lines[0]
		best = ai.Thought{
			Move: l.Moves[0], Score: l.Score, Mate: l.Mate, Line: slices.Clone(l.Moves),
			Depth: a.Depth, Nodes: a.Nodes,
		}
		job.report(a)
	})
	if len(best.Line) > 0 && ctx.Err() != nil {
		err = nil // it was only stopped
	}
	return best, err
}
