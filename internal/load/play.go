package load

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// patienceToMove is how long all games together may stand still.
const patienceToMove = 20 * time.Second

// errOver ends a measurement that went well.
var errOver = errors.New("over")

// play plays the games of a configuration and measures a span of them.
func play(ctx context.Context, s service, cfg Config, at *site) (result *Play, err error) {
	over := make(chan struct{})
	h := &hall{service: s, site: at, meter: newMeter(over), cfg: cfg}
	defer h.close()
	if err := h.open(ctx, cfg.Games); err != nil {
		return nil, err
	}
	defer func() {
		if e := h.sendHome(); err == nil {
			err = e
		}
	}()
	if err := h.seatAudience(ctx, cfg.Spectators); err != nil {
		return nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	context.AfterFunc(ctx, func() { // also at the end, since Wait ends the context
		close(over)
		h.close()
	})
	h.meter.base = time.Now()
	for _, t := range h.tables {
		group.Go(func() error { return t.play(ctx) })
	}
	group.Go(func() (err error) {
		if result, err = h.measure(ctx); err != nil {
			return err
		}
		return errOver
	})
	if err := group.Wait(); !errors.Is(err, errOver) {
		return nil, errors.Join(err, context.Cause(ctx))
	}
	return result, nil
}

// measure waits for the games to warm up, measures, and returns what the meter
// shows.
func (h *hall) measure(ctx context.Context) (*Play, error) {
	if err := h.pass(ctx, h.cfg.warmUp(), &h.meter.all, h.cfg.Moves/10); err != nil {
		return nil, err
	}
	var profile errgroup.Group
	if h.cfg.Profile != "" && h.service.name() == "gomokud" {
		profile.Go(func() error { return saveProfile(ctx, h.site.nodes[0].profiler, h.cfg.Duration, h.cfg.Profile) })
	}
	before, err := h.usage(ctx)
	if err != nil && !errors.Is(err, errNotHere) {
		return nil, err
	}
	h.meter.open.Store(true)
	err = h.pass(ctx, h.cfg.Duration, &h.meter.moves, h.cfg.Moves)
	h.meter.open.Store(false)
	after, lost := h.usage(ctx)
	if errors.Is(lost, errNotHere) {
		lost = nil
	}
	if err := errors.Join(err, profile.Wait(), lost); err != nil {
		return nil, err
	}
	h.meter.deliveries.Add(after.watched - before.watched)
	return newPlay(h.meter, after.minus(before)), nil
}

// pass lets games run for a time or, if most is not 0, until so many more moves
// were counted. It fails if they stand still.
func (h *hall) pass(ctx context.Context, span time.Duration, count *atomic.Int64, most int64) error {
	const look = 5 * time.Millisecond
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	begin, first := time.Now(), count.Load()
	seen, moved := h.meter.all.Load(), begin
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
		now := time.Now()
		if n := h.meter.all.Load(); n != seen {
			seen, moved = n, now
		} else if now.Sub(moved) > patienceToMove+h.cfg.pause() {
			return fmt.Errorf("no game has moved for %s", patienceToMove)
		}
		if now.Sub(begin) >= span || most > 0 && count.Load()-first >= most {
			return nil
		}
	}
}

// usage is the site's, and the audience's part in it.
func (h *hall) usage(ctx context.Context) (u usage, err error) {
	var watched int64
	var watching time.Duration
	if h.audience != nil {
		if watched, err = h.audience.delivered(ctx); err != nil {
			return u, err
		}
		if watching, err = cpuTime(h.audience.pid); err != nil {
			return u, err
		}
	}
	u, err = h.site.usage()
	u.watched, u.generator = watched, u.generator+watching
	return u, err
}
