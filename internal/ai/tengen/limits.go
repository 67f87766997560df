package tengen

import (
	"context"
	"sync/atomic"
	"time"

	"gomokud/internal/ai"
)

// limits is when a search ends. It is shared by the threads of the search.
type limits struct {
	ctx      context.Context
	deadline time.Time // zero: none
	nodes    int64     // of the first thread; 0: no bound
	over     atomic.Bool
	release  func() bool
}

// lateness is how long before its deadline a search ends: a look at the clock is
// due every 512 nodes, and the way back takes its time as well.
const lateness = 3 * time.Millisecond

func newLimits(ctx context.Context, b ai.Budget, began time.Time) *limits {
	l := &limits{ctx: ctx, nodes: b.Nodes}
	if b.Time > 0 {
		l.deadline = began.Add(b.Time)
	}
	if end, ok := ctx.Deadline(); ok && (l.deadline.IsZero() || end.Before(l.deadline)) {
		l.deadline = end
	}
	if !l.deadline.IsZero() {
		margin := min(lateness, l.deadline.Sub(began)/8)
		l.deadline = l.deadline.Add(-margin)
	}
	l.release = context.AfterFunc(ctx, func() { l.over.Store(true) })
	return l
}

// look ends the search when its time is over; it is called every 512 nodes or so.
func (l *limits) look() {
	if !l.deadline.IsZero() && !time.Now().Before(l.deadline) {
		l.over.Store(true)
	}
	if ai.Breathe(l.ctx) != nil {
		l.over.Store(true)
	}
}
