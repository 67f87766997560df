package hub

import (
	"context"
	"errors"
	"sync"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/store"
)

// sweep wakes rooms whose time has come and that may be in nobody's memory, until
// ctx ends.
func (h *Hub) sweep(ctx context.Context) {
	for sleep(ctx, 500*time.Millisecond) {
		h.wakeDue(ctx, int64(h.clock.now()))
	}
}

// wakeDue wakes the rooms whose time has come.
func (h *Hub) wakeDue(ctx context.Context, now int64) {
	const (
		again = 5000 // ms until another sweep may look
		most  = 200
	)
	due, err := h.store.Due(ctx, now, now+again, most)
	if err != nil {
		if ctx.Err() == nil {
			h.log.Warn("could not ask for rooms that are due", "err", err)
		}
		return
	}
	each(due, func(id string) {
		h.wake(ctx, id, func(r *room) error { return r.putOff(now) })
	})
}

// tick lets happen in a room what time alone decides, and asks the bot anew
// whose turn it is.
func (h *Hub) tick(ctx context.Context, id string) {
	h.wake(ctx, id, func(*room) error { return nil })
}

// wake is tick and something more.
func (h *Hub) wake(ctx context.Context, id string, then func(*room) error) {
	err := h.within(ctx, id, func(r *room) error {
		if _, err := r.command(ctx, match.Command{Act: match.Tick{}}, h.clock.now()); err != nil {
			return err
		}
		r.nudge()
		if err := r.checkSeats(ctx); err != nil {
			return err
		}
		return then(r)
	})
	if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrNotFound) {
		h.log.Warn("could not wake a room", "room", id, "err", err)
	}
}

// watchLogs reads now and then what rooms in memory may have missed: a
// subscription can look healthy and bring nothing. Rooms in which nothing has
// happened since the last time are put to rest.
func (h *Hub) watchLogs(ctx context.Context) {
	const round = 20 * time.Second
	for sleep(ctx, round) {
		each(h.all(), func(r *room) {
			if r.looking.CompareAndSwap(false, true) {
				if err := r.look(ctx, store.Announcement{}, 0); err != nil && ctx.Err() == nil {
					h.log.Warn("could not check a room", "room", r.id, "err", err)
				}
			}
			if r.takeSoon(ctx) == nil {
				if r.state != nil && h.clock.now()-r.state.At > match.Instant(round.Milliseconds()) {
					r.state.Rest()
				}
				r.give()
			}
			h.release(r)
		})
	}
}

// settle lets happen in a room what is due, downtime credited first, so that
// nobody is shown a clock that is wrong. If it cannot be stored now, the next
// command will do it. The caller holds the token.
func (h *Hub) settle(ctx context.Context, r *room) {
	err := r.refresh(ctx)
	if err == nil && r.state.Phase == match.Playing {
		_, err = r.command(ctx, match.Command{Act: match.Tick{}}, h.clock.now())
	}
	if err != nil && ctx.Err() == nil {
		h.log.Warn("could not settle a room", "room", r.id, "err", err)
	}
}

// each runs do for all items, a few at a time, so that one which hangs does not
// hold up all the others, and returns when all are done.
func each[T any](items []T, do func(T)) {
	var running sync.WaitGroup
	free := make(chan struct{}, 32)
	for _, item := range items {
		free <- struct{}{}
		running.Go(func() {
			defer func() { <-free }()
			do(item)
		})
	}
	running.Wait()
}
