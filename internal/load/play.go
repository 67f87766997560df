package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// patienceToMove is how long all games together may stand still.
const patienceToMove = 20 * time.Second

// errOver ends a measurement that went well.
var errOver = errors.New("over")

// play plays the games of a configuration and measures a span of them.
func play(ctx context.Context, s service, cfg Config, server *process) (*Play, error) {
	over := make(chan struct{})
	h := &hall{service: s, addr: server.addr, meter: newMeter(over), cfg: cfg}
	defer h.close()
	if err := h.open(ctx, cfg.Games); err != nil {
		return nil, err
	}
	if err := h.fill(ctx, cfg.Spectators); err != nil {
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
		for _, p := range t.crowd {
			group.Go(func() error {
				if err := p.watch(h.meter); ctx.Err() == nil {
					return fmt.Errorf("a spectator: %w", err)
				}
				return nil
			})
		}
	}
	var result *Play
	group.Go(func() (err error) {
		if result, err = h.measure(ctx, server); err != nil {
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
func (h *hall) measure(ctx context.Context, server *process) (*Play, error) {
	if err := h.pass(ctx, h.cfg.warmUp(), &h.meter.all, h.cfg.Moves/10); err != nil {
		return nil, err
	}
	var profile errgroup.Group
	if h.cfg.Profile != "" && h.service.name() == "gomokud" {
		profile.Go(func() error { return saveProfile(ctx, server.profiler, h.cfg.Duration, h.cfg.Profile) })
	}
	before, err := usageOf(server.pid)
	if err != nil && !errors.Is(err, errNotHere) {
		return nil, err
	}
	h.meter.open.Store(true)
	err = h.pass(ctx, h.cfg.Duration, &h.meter.moves, h.cfg.Moves)
	h.meter.open.Store(false)
	after, _ := usageOf(server.pid) // if the server is gone, the games say why
	if err := errors.Join(err, profile.Wait()); err != nil {
		return nil, err
	}
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

// usage is what two processes have used of the processors at a moment.
type usage struct {
	at                time.Time
	server, generator time.Duration
}

func usageOf(server int) (u usage, err error) {
	u.at = time.Now()
	if u.server, err = cpuTime(server); err != nil {
		return u, err
	}
	u.generator, err = cpuTime(os.Getpid())
	return u, err
}

func (u usage) minus(before usage) spent {
	return spent{wall: u.at.Sub(before.at), server: u.server - before.server, generator: u.generator - before.generator}
}

// spent is what was used between two moments.
type spent struct{ wall, server, generator time.Duration }
