package ai

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// Failure is why the fallback moved for an engine.
type Failure string

// The failures.
const (
	Unknown  Failure = "unknown"  // there is no such engine
	Panicked Failure = "panicked" // it panicked
	Illegal  Failure = "illegal"  // its move was not legal, or it saw none where there are
	Late     Failure = "late"     // it had no answer in time
	Lost     Failure = "lost"     // it still thinks about an earlier position
	Failed   Failure = "failed"   // it returned another error
)

// standIn asks the fallback. Where that fails too, the nearest point is played.
type standIn struct {
	engine func() Engine
	astray atomic.Int32 // fallbacks that had no answer in time and still think
}

var errAstray = errors.New("it did not answer in time")

// begin lets the fallback think about a position beside the caller. One that is
// far beyond its time is left alone until it comes back, so that no more than a
// few are ever under way.
func (s *standIn) begin(ctx context.Context, pos Position, by time.Time) <-chan verdict {
	answer := make(chan verdict, 1)
	if s.astray.Load() > 0 {
		answer <- verdict{err: errAstray}
		return answer
	}
	go func() {
		ctx, cancel := context.WithDeadline(ctx, by)
		defer cancel()
		counted := make(chan struct{})
		watch := time.AfterFunc(time.Until(by)+time.Second, func() {
			s.astray.Add(1)
			close(counted)
		})
		v := examine(ctx, pos, Budget{Time: time.Until(by)}, s.engine)
		if !watch.Stop() {
			<-counted
			s.astray.Add(-1)
		}
		answer <- v
	}()
	return answer
}

// nearest plays the legal point that is nearest to the last stone, or to the
// centre of an empty board.
type nearest struct{}

func (nearest) Think(_ context.Context, p Position, _ Budget) (Thought, error) {
	board, from := p.Board(), p.Size.Center()
	if n := len(p.Stones); n > 0 {
		from = p.Stones[n-1].Point
	}
	best, found, least := from, false, 0
	for at := range p.Size.All() {
		dx, dy := int(at.X)-int(from.X), int(at.Y)-int(from.Y)
		far := dx*dx + dy*dy
		if (!found || far < least) && MayPlay(board, p.Rule, p.ToMove, at) {
			best, found, least = at, true, far
		}
	}
	if !found {
		return Thought{}, ErrNoMove
	}
	return Thought{Move: best}, nil
}
