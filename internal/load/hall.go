package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// openers is how many tables are opened at a time.
const openers = 16

// patienceToSeat is how long one table may take to open.
const patienceToSeat = 30 * time.Second

// hall is the tables of one scenario. It owns their connections.
type hall struct {
	service service
	addr    string
	meter   *meter
	cfg     Config
	tables  []*table

	mu     sync.Mutex
	logins int
	wires  []*wire
	closed bool
}

// login connects one more player.
func (h *hall) login(ctx context.Context) (*player, error) {
	h.mu.Lock()
	n := h.logins
	h.logins++
	h.mu.Unlock()
	p, err := h.service.login(ctx, h.addr, n)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		p.wire.close()
		return nil, errStopped
	}
	h.wires = append(h.wires, p.wire)
	return p, nil
}

// close closes every connection, which ends whoever reads from it.
func (h *hall) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for _, w := range h.wires {
		w.close()
	}
}

// open connects two players for each of n more tables and seats them.
func (h *hall) open(ctx context.Context, n int) error {
	first := len(h.tables)
	h.tables = append(h.tables, make([]*table, n)...)
	pause := h.cfg.pause()
	err := h.each(ctx, n, func(ctx context.Context, i int) error {
		t := &table{
			service: h.service, meter: h.meter, length: len(order), pause: pause,
			offset: pause * time.Duration(i) / time.Duration(n),
		}
		h.tables[first+i] = t
		for side := range t.players {
			var err error
			if t.players[side], err = h.login(ctx); err != nil {
				return err
			}
		}
		return t.next()
	})
	if err != nil {
		return fmt.Errorf("open tables: %w", err)
	}
	return nil
}

// fill connects n spectators, spread over the tables.
func (h *hall) fill(ctx context.Context, n int) error {
	crowd := make([]*player, n)
	err := h.each(ctx, n, func(ctx context.Context, i int) (err error) {
		if crowd[i], err = h.login(ctx); err != nil {
			return err
		}
		t := h.tables[i%len(h.tables)]
		if err = h.service.follow(crowd[i], t.room); err != nil {
			return err
		}
		_, err = crowd[i].expect(t.room)
		return err
	})
	if err != nil {
		return fmt.Errorf("connect spectators: %w", err)
	}
	for i, p := range crowd {
		t := h.tables[i%len(h.tables)]
		t.crowd = append(t.crowd, p)
	}
	return nil
}

// each does something n times, a few at a time, and none of it for long.
func (h *hall) each(ctx context.Context, n int, do func(context.Context, int) error) error {
	bound := patienceToSeat + time.Duration(n)*20*time.Millisecond
	ctx, cancel := context.WithTimeoutCause(ctx, bound, errors.New("it takes too long"))
	defer cancel()
	stop := context.AfterFunc(ctx, h.close) // for whoever waits for an answer
	defer stop()
	var group errgroup.Group
	group.SetLimit(openers)
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
