package external

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

const (
	enough = 3               // failures in a row, after which a program counts as broken
	trial  = 2 * time.Second // for the move by which a program shows that it works
	retry  = time.Second     // until a broken one is tried again, and twice as long each time,
	rarely = time.Minute     // up to this
)

// Works reports whether people can be offered to play the program: it has moved
// when it was asked, and has not failed again and again since. Before Watch has
// tried it, it does not.
func (p *Program) Works() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.works
}

// Tried is closed once Watch has tried the program for the first time.
func (p *Program) Tried() <-chan struct{} { return p.tried }

// Watch tries the program until it works, and whenever it does no longer; the
// log says so. It returns when ctx ends or the program is closed. It may run
// once.
func (p *Program) Watch(ctx context.Context) {
	for first := true; ; {
		for pause := retry; ; pause = min(2*pause, rarely) {
			err := p.try(ctx)
			if first {
				first = false
				close(p.tried)
			}
			if errors.Is(err, ErrClosed) || ctx.Err() != nil {
				return
			}
			if err == nil {
				break
			}
			p.cfg.Log.Warn("an external engine does not work and is not offered", "err", err, "again_in", pause)
			select {
			case <-time.After(pause):
			case <-p.done:
				return
			case <-ctx.Done():
				return
			}
		}
		p.cfg.Log.Info("an external engine works and is offered")
		select {
		case <-p.broke:
		case <-p.done:
			return
		case <-ctx.Done():
			return
		}
	}
}

// try has the program begin a game. One that does not play on the board on which
// it is tried may play on others.
func (p *Program) try(ctx context.Context) error {
	done := make(chan error, 1)
	err := p.spawn(func() {
		pos := ai.Position{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}, ToMove: rules.Black}
		_, err := p.occupy(ctx, func() (rules.Point, error) {
			proc, err := p.ready(pos) // which has a time of its own
			if err != nil {
				return rules.Point{}, err
			}
			ctx, cancel := context.WithTimeout(ctx, trial)
			defer cancel()
			return p.converse(ctx, proc, pos, ai.Budget{})
		})
		if errors.Is(err, ErrRefused) {
			err = nil
			p.mu.Lock()
			p.succeed()
			p.mu.Unlock()
		}
		done <- err
	})
	if err != nil {
		return err
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("external: try %s: %w", p.cfg.Name, ctx.Err())
	}
}

// succeed notes that the program works. The caller holds mu.
func (p *Program) succeed() { p.failures, p.works = 0, true }
