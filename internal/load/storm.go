package load

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	storms     = 5                      // of which the median counts
	stormMoves = 20                     // of each game before
	stormPause = 500 * time.Millisecond // for the server to be done with the last one

	// Who is told that the service is busy asks again, as the pages do.
	busyPause = time.Second
	busyTries = 20
)

// storm has all clients lose their connections at once, in the middle of their
// games, and come back at once, until each has been shown its game again.
func storm(ctx context.Context, t *trial) (*Result, error) {
	var r Result
	err := t.on(ctx, 1, func(at *site) (err error) {
		r.Storm, err = weather(ctx, t.service, t.cfg, at)
		return err
	})
	return &r, err
}

func weather(ctx context.Context, s service, cfg Config, at *site) (*Storm, error) {
	h := &hall{service: s, site: at, meter: newMeter(nil), cfg: cfg}
	defer h.close()
	if err := h.open(ctx, max(1, cfg.Clients/2)); err != nil {
		return nil, err
	}
	if err := h.playOn(ctx, stormMoves); err != nil {
		return nil, fmt.Errorf("play before the storm: %w", err)
	}
	result := &Storm{Clients: 2 * len(h.tables), Storms: storms}
	var took []float64
	var cost time.Duration
	for range storms {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(stormPause):
		}
		used, err := h.storm(ctx)
		if err != nil {
			return nil, fmt.Errorf("storm: %w", err)
		}
		took = append(took, used.wall.Seconds())
		cost += used.server
	}
	slices.Sort(took)
	result.Seconds, result.Slowest = took[storms/2], took[storms-1]
	result.ReturnCPU = micros(cost) / float64(storms*result.Clients)
	result.Busy = h.busy.Load()
	return result, nil
}

// playOn plays so many moves of every table's game.
func (h *hall) playOn(ctx context.Context, moves int) error {
	ctx, cancel := context.WithTimeout(ctx, patienceToMove+time.Duration(len(h.tables))*20*time.Millisecond)
	defer cancel()
	defer context.AfterFunc(ctx, h.close)()
	var group errgroup.Group
	for _, t := range h.tables {
		t.length = moves
		group.Go(func() error { return t.game(h.meter.now()) })
	}
	return errors.Join(group.Wait(), context.Cause(ctx))
}

// storm drops every connection, has all players come back, and returns what
// that took from the drop to the last one's return.
func (h *hall) storm(ctx context.Context) (spent, error) {
	var players []*player
	for _, t := range h.tables {
		players = append(players, t.players[:]...)
	}
	before, err := h.site.usage()
	if err != nil && !errors.Is(err, errNotHere) {
		return spent{}, err
	}
	before.at = time.Now()
	h.drop()
	err = h.each(ctx, len(players), len(players), func(ctx context.Context, i int) error {
		if err := h.dial(ctx, players[i]); err != nil {
			return err
		}
		return h.resume(ctx, players[i])
	})
	if err != nil {
		return spent{}, err
	}
	back := time.Now()
	after, _ := h.site.usage() // if the server is gone, the next storm says so
	after.at = back
	return after.minus(before), nil
}

// resume has a player shown the room, sooner or later.
func (h *hall) resume(ctx context.Context, p *player) error {
	for range busyTries {
		err := h.service.resume(p, stormMoves)
		if !errors.Is(err, errBusy) {
			return err
		}
		h.busy.Add(1)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(busyPause):
		}
	}
	return fmt.Errorf("the service was busy %d times", busyTries)
}
