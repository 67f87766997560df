package hub

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"gomokud/internal/match"
)

// clock is this node's clock, disciplined to the store's.
type clock struct {
	offset atomic.Int64 // nanoseconds that the store's clock is ahead
}

func (c *clock) now() match.Instant {
	return match.Instant(time.Now().Add(time.Duration(c.offset.Load())).UnixMilli())
}

// discipline asks the store for the time; half of the way there and back is
// taken for the way back.
func (c *clock) discipline(ctx context.Context, s Store) error {
	before := time.Now()
	theirs, err := s.Now(ctx)
	if err != nil {
		return fmt.Errorf("ask the store for the time: %w", err)
	}
	after := time.Now()
	c.offset.Store(int64(theirs.Sub(before.Add(after.Sub(before) / 2))))
	return nil
}

// sleep waits, or reports false when the context ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
