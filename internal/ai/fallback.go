package ai

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// Failure is why the fallback moved for an engine. An engine's error may wrap
// the one that it is; one that wraps none is Failed.
type Failure string

// Error is the failure's name.
func (f Failure) Error() string { return string(f) }

// The failures.
const (
	Unknown  Failure = "unknown"  // there is no such engine
	Panicked Failure = "panicked" // it panicked
	Illegal  Failure = "illegal"  // its move was not legal, or it saw none where there are
	Late     Failure = "late"     // it had no answer in time
	Lost     Failure = "lost"     // it still thinks about an earlier position
	Crashed  Failure = "crashed"  // its process ended
	Garbled  Failure = "garbled"  // what it said was no answer
	Refused  Failure = "refused"  // it does not play on such a board
	Resting  Failure = "resting"  // it failed too often to be asked
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

// nearest plays the legal point that is nearest to the last stone.
type nearest struct{}

func (nearest) Think(_ context.Context, p Position, _ Budget) (Thought, error) {
	move, found := p.Nearest()
	if !found {
		return Thought{}, ErrNoMove
	}
	return Thought{Move: move}, nil
}
