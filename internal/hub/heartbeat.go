package hub

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gomokud/internal/store"
)

// keepTime disciplines the clock and keeps the service's heart beating: a gap
// in the beats, whatever its cause, is downtime that nobody's clock pays for.
func (h *Hub) keepTime(ctx context.Context) {
	for i := 0; sleep(ctx, beatEvery); i++ {
		err := h.beat(ctx)
		if err == nil && i%20 == 0 {
			err = h.clock.discipline(ctx, h.store)
		}
		if ctx.Err() != nil {
			return
		}
		h.setTrouble(err)
	}
}

const (
	beatEvery = 500 * time.Millisecond
	beatGap   = time.Second // a longer silence counts as downtime
)

// pulse is when this node's heart last beat, as the time since the hub was made.
type pulse struct {
	made time.Time
	last atomic.Int64

	tries atomic.Int64 // to make up for a beat that failed to come
	mu    sync.Mutex   // held by who tries
	err   error        // of the last try
}

// stale reports whether an outage may have begun that nobody has noted.
func (p *pulse) stale() bool {
	last := p.last.Load()
	return last > 0 && time.Since(p.made)-time.Duration(last) > beatGap
}

// sure makes sure that nothing is decided by a clock which an outage has kept
// running: if the last beat is too long ago, it waits for the next.
func (h *Hub) sure(ctx context.Context) error {
	p := &h.pulse
	if !p.stale() {
		return nil
	}
	tries := p.tries.Load()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stale() && p.tries.Load() == tries { // else somebody tried while we waited
		p.err = h.beat(ctx)
		p.tries.Add(1)
	}
	if !p.stale() {
		return nil
	}
	return p.err
}

func (h *Hub) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, h.cfg.StoreTimeout)
	defer cancel()
	began := time.Since(h.pulse.made)
	list, err := h.store.Beat(ctx, int64(h.clock.now()), beatGap)
	if err != nil {
		return err
	}
	h.pulse.last.Store(int64(began))
	old := h.downtime.Swap(&list)
	h.metrics.outages.Set(float64(len(list)))
	if old != nil && len(list) > 0 && (len(*old) == 0 || (*old)[len(*old)-1] != list[len(list)-1]) {
		h.spawn(h.settleAll)
	}
	return nil
}

// settleAll tells those who look at a game what an outage means for it.
func (h *Hub) settleAll(ctx context.Context) {
	each(h.all(), func(r *room) {
		if r.takeSoon(ctx) == nil {
			h.settle(ctx, r)
			r.give()
		}
		h.release(r)
	})
}

func (h *Hub) setTrouble(err error) {
	now := err != nil
	if h.trouble.Swap(now) == now {
		return
	}
	state := "ok"
	if now {
		state = "unreachable"
		h.log.Error("the store cannot be reached", "err", err)
	} else {
		h.log.Info("the store can be reached again")
	}
	h.deliver(encode(serviceMessage{Type: "service", Store: state}), slices.Values(h.clients.all()))
}

// outages are the spans of downtime of the last day.
func (h *Hub) outages() []store.Outage {
	if list := h.downtime.Load(); list != nil {
		return *list
	}
	return nil
}
