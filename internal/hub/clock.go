package hub

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"gomokud/internal/match"
)

// clock is this node's clock, disciplined to the store's. Between two
// measurements it runs on the machine's monotonic clock: when somebody sets the
// machine's clock, no game notices.
type clock struct {
	measured atomic.Pointer[measurement]
}

// measurement says what the store's clock showed at a moment of ours.
type measurement struct {
	ours   time.Time // with its monotonic reading
	theirs time.Time
	doubt  time.Duration // the most that theirs may be wrong by
}

func (c *clock) now() match.Instant {
	m := c.measured.Load()
	if m == nil {
		return match.Instant(time.Now().UnixMilli())
	}
	return match.Instant(m.theirs.Add(time.Since(m.ours)).UnixMilli())
}

// worstDrift is how far two clocks may drift apart in a second.
const worstDrift = 500 * time.Microsecond

// discipline asks the store for the time; half of the way there and back is
// taken for the way back. An answer that took so long that it tells less than
// the last one does, though clocks drift, is not used.
func (c *clock) discipline(ctx context.Context, s Store) error {
	before := time.Now()
	theirs, err := s.Now(ctx)
	if err != nil {
		return fmt.Errorf("ask the store for the time: %w", err)
	}
	m := &measurement{ours: time.Now(), doubt: time.Since(before) / 2}
	m.theirs = theirs.Add(m.doubt)
	if old := c.measured.Load(); old == nil || m.doubt <= old.doubt+time.Duration(m.ours.Sub(old.ours).Seconds()*float64(worstDrift)) {
		c.measured.Store(m)
	}
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
