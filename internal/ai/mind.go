package ai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"runtime/debug"
)

// mind is the goroutine in which a worker's engines think. It has a thread to
// itself, to which the operating system prefers all others of the process: a
// network event then waits for no engine. The goroutine never gives the thread
// back, so that the thread dies with it; nobody else is ever slowed down.
//
// Only engines run there. Answers are given, and locks are taken, on ordinary
// threads, for which nobody waits.
type mind struct {
	questions chan question
	done      chan struct{}
}

// question is a job for an engine.
type question struct {
	ctx     context.Context
	job     Job
	engine  func() Engine
	verdict chan verdict // has room for it: nobody may be waiting any more
}

// verdict is what an engine made of a job.
type verdict struct {
	thought Thought
	err     error
	failure Failure // if err is the engine's own fault
}

func newMind(log *slog.Logger) *mind {
	m := &mind{questions: make(chan question), done: make(chan struct{})}
	go m.run(log)
	return m
}

// ask hands a job over; the verdict comes on the channel.
func (m *mind) ask(ctx context.Context, job Job, engine func() Engine) <-chan verdict {
	q := question{ctx: ctx, job: job, engine: engine, verdict: make(chan verdict, 1)}
	m.questions <- q
	return q.verdict
}

// end lets the mind end as soon as its engine does.
func (m *mind) end() { close(m.questions) }

func (m *mind) run(log *slog.Logger) {
	runtime.LockOSThread()
	if onMainThread() {
		// It would outlive the mind, and the whole process would seem to have
		// its priority. While this goroutine holds it, another gets another.
		defer runtime.UnlockOSThread()
		go m.run(log)
		<-m.done
		return
	}
	defer close(m.done) // the thread stays locked
	if err := lowerPriority(); err != nil {
		log.Debug("engines think at the priority of everything else", "err", err)
	}
	kept := map[string]Engine{} // by bot
	for q := range m.questions {
		v := examine(q.ctx, q.job.Position, q.job.Budget, func() Engine {
			if kept[q.job.Bot] == nil {
				kept[q.job.Bot] = q.engine()
			}
			return kept[q.job.Bot]
		})
		if v.failure != "" { // whatever it remembers is not to be trusted
			dismiss(log, q.job.Bot, kept[q.job.Bot])
			delete(kept, q.job.Bot)
		}
		q.verdict <- v
	}
	for bot, e := range kept {
		dismiss(log, bot, e)
	}
}

// dismiss closes an engine that will not be asked again, if it can be closed.
func dismiss(log *slog.Logger, bot string, e Engine) {
	c, ok := e.(io.Closer)
	if !ok {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			log.Error("an engine panicked as it was closed", "bot", bot, "err", r)
		}
	}()
	if err := c.Close(); err != nil {
		log.Warn("an engine could not be closed", "bot", bot, "err", err)
	}
}

// examine has an engine think, and looks at its move before anybody else does.
// That there is none is believed only if it is true: a bot resigns over it.
func examine(ctx context.Context, pos Position, b Budget, engine func() Engine) (v verdict) {
	defer func() {
		if r := recover(); r != nil {
			v = verdict{err: fmt.Errorf("it panicked: %v\n%s", r, debug.Stack()), failure: Panicked}
		}
	}()
	thought, err := engine().Think(ctx, pos, b)
	if errors.Is(err, ErrNoMove) {
		if _, found := pos.Nearest(); found {
			return verdict{thought, errors.New("it found no move where there is one"), Illegal}
		}
	}
	switch {
	case err == nil && !MayPlay(pos.Board(), pos.Rule, pos.ToMove, thought.Move):
		return verdict{thought, fmt.Errorf("its move %v is not legal", thought.Move), Illegal}
	case err == nil, errors.Is(err, ErrNoMove):
		return verdict{thought: thought, err: err}
	case ctx.Err() != nil && errors.Is(err, ctx.Err()), errors.Is(err, context.DeadlineExceeded):
		return verdict{thought: thought, err: err} // it had no time: no fault to be forgotten over
	}
	failure := Failed
	errors.As(err, &failure)
	return verdict{thought, err, failure}
}
