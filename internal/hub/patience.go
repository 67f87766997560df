package hub

import (
	"context"
	"sync"
	"time"
)

// patience is how long the store is waited for. A context with a timer for each
// move would cost as much as a tenth of the hub's work on it, so those that begin
// at about the same time share one.
type patience struct {
	life    context.Context
	timeout time.Duration

	mu    sync.Mutex
	until time.Time // when the next context is made
	ctx   context.Context
	stop  context.CancelFunc // never before its time
}

// from returns a context that ends after the timeout, or up to an eighth later,
// or with the hub.
func (p *patience) from(now time.Time) context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx == nil || !now.Before(p.until) {
		span := p.timeout / 8
		p.until = now.Add(span)
		p.ctx, p.stop = context.WithTimeout(p.life, p.timeout+span)
	}
	return p.ctx
}
