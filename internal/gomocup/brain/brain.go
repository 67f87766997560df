// Package brain makes an engine a program for Gomocup's (Piskvork's) managers:
// it speaks the whole protocol on a pair of streams, with those of Yixin's
// extensions that board programs use.
//
// One goroutine reads, so that STOP and END are heard while the engine thinks;
// one carries the commands out, in their order; one thinks.
package brain

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"gomokud/internal/ai"
)

// Settings is what a manager allows an engine.
type Settings struct {
	Memory  int64 // bytes
	Threads int
}

// Config is who plays, and with what.
type Config struct {
	Name    string
	Version string
	New     func(Settings) ai.Engine
	Spare   func() ai.Engine // moves where the engine fails, so it is a quick one; nil: the nearest point is played
	Memory  int64            // bytes, unless the manager says otherwise; 0: 64 MiB
	Threads int              // the same; 0: 1
	Seed    func() uint64    // drawn for each game, for the budgets; nil: 0 for all
	Log     *slog.Logger     // nil: slog.Default()
}

// forgetter is an engine that can drop what it learned in earlier games.
type forgetter interface{ Forget() }

// lastWords is the longest that answers to what was asked before the end may
// take. Nothing is thought over any more, but an engine may have to be made.
const lastWords = time.Second

// Run plays until the manager says END, the input or ctx ends, or nobody reads
// the output any more, which is the only error. What was asked before the end
// is answered with what was thought until then. The goroutine that reads ends
// with the input.
func Run(ctx context.Context, cfg Config, in io.Reader, out io.Writer) error {
	cfg.Memory = cmp.Or(cfg.Memory, 64<<20)
	cfg.Threads = cmp.Or(cfg.Threads, 1)
	cfg.Log = cmp.Or(cfg.Log, slog.Default())
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	mail := newMail(ctx)
	go mail.read(in)
	s := session{
		ctx: ctx, cfg: cfg, in: mail, out: &talk{w: out, fail: cancel}, mind: thinker{make: cfg.New, spare: cfg.Spare},
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.run()
	}()
	select {
	case <-done:
	case <-ctx.Done():
	case <-mail.ended:
	}
	late := time.NewTimer(lastWords)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	}
	if err := context.Cause(ctx); errors.Is(err, errDeaf) {
		return err
	}
	return nil
}
