package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// openers is how many tables are opened at a time.
const openers = 16

// patienceToSeat is how long one table may take to open.
const patienceToSeat = 30 * time.Second

// hall is the tables of one scenario. It owns their connections.
type hall struct {
	service  service
	site     *site
	meter    *meter
	cfg      Config
	tables   []*table
	audience *audience    // nil: nobody watches
	busy     atomic.Int64 // times that a service was too busy to resume

	mu     sync.Mutex
	logins int
	wires  []*wire
	closed bool
}

// login connects one more player, to the node of that number.
func (h *hall) login(ctx context.Context, node int) (*player, error) {
	h.mu.Lock()
	n := h.logins
	h.logins++
	h.mu.Unlock()
	p, err := h.service.login(ctx, h.site.addr(node), n)
	if err != nil {
		return nil, err
	}
	return p, h.dial(ctx, p)
}

// dial connects a player, again after a drop.
func (h *hall) dial(ctx context.Context, p *player) (err error) {
	if p.wire, err = h.service.dial(ctx, p); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		p.wire.close()
		return errStopped
	}
	h.wires = append(h.wires, p.wire)
	return nil
}

// drop closes every connection, which ends whoever reads from it.
func (h *hall) drop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, w := range h.wires {
		w.close()
	}
	h.wires = nil
}

// close closes every connection for good.
func (h *hall) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.drop()
}

// open connects two players for each of n more tables and seats them. Where
// there are two nodes the players of a table are on different ones.
func (h *hall) open(ctx context.Context, n int) error {
	first := len(h.tables)
	h.tables = append(h.tables, make([]*table, n)...)
	pause := h.cfg.pause()
	err := h.each(ctx, n, openers, func(ctx context.Context, i int) error {
		t := &table{
			service: h.service, meter: h.meter, length: len(order), pause: pause,
			offset: pause * time.Duration(i) / time.Duration(n),
		}
		h.tables[first+i] = t
		for side := range t.players {
			var err error
			if t.players[side], err = h.login(ctx, i+side); err != nil {
				return err
			}
		}
		return t.next(ctx)
	})
	if err != nil {
		return fmt.Errorf("open tables: %w", err)
	}
	return nil
}

// each does something n times, so many at a time, and none of it for long.
func (h *hall) each(ctx context.Context, n, atOnce int, do func(context.Context, int) error) error {
	bound := patienceToSeat + time.Duration(n)*20*time.Millisecond
	ctx, cancel := context.WithTimeoutCause(ctx, bound, errors.New("it takes too long"))
	defer cancel()
	stop := context.AfterFunc(ctx, h.close) // for whoever waits for an answer
	defer stop()
	var group errgroup.Group
	group.SetLimit(atOnce)
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			err := do(ctx, i)
			if err != nil {
				cancel()
			}
			return err
		})
	}
	err := group.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause // what came of it tells less
	}
	return err
}
