package external

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// What a program has for each move of its trial, and what it is told of that:
// most take whatever they are given.
const (
	trial     = 2 * time.Second
	trialTold = 500 * time.Millisecond
)

// Works reports whether people can be offered to play the program: it has stood
// its trial, and has not failed too often since. Before Watch has tried it, it
// does not.
func (p *Program) Works() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.works
}

// Tried is closed once Watch has tried the program for the first time.
func (p *Program) Tried() <-chan struct{} { return p.tried }

// Watch tries the program until it works, and again whenever it has been put
// aside and has rested; the log says so. It returns when ctx ends or the program
// is closed. It may run once.
func (p *Program) Watch(ctx context.Context) {
	for first := true; ; first = false {
		err := p.try(ctx)
		if first {
			close(p.tried)
		}
		if errors.Is(err, ErrClosed) || ctx.Err() != nil {
			return
		}
		message := "an external engine does not work and is not offered"
		if err == nil {
			p.cfg.Log.Info("an external engine works and is offered")
			select {
			case <-p.broke:
			case <-p.done:
				return
			case <-ctx.Done():
				return
			}
			message = "an external engine fails too often and is not offered for a while"
		}
		p.mu.Lock()
		last, rest := p.last, p.rest
		again := time.After(time.Until(p.resting))
		p.mu.Unlock()
		p.cfg.Log.Warn(message, "err", last, "again_in", rest)
		select {
		case <-again:
		case <-p.done:
			return
		case <-ctx.Done():
			return
		}
	}
}

// try has the program stand its trial: whether it works is in the error.
func (p *Program) try(ctx context.Context) error {
	done := make(chan error, 1)
	err := p.spawn(func() { done <- p.judge(p.examine(ctx)) })
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

// judge takes note of how a trial ended. One that does not play on the board on
// which it was tried may play on others.
func (p *Program) judge(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case time.Now().Before(p.resting): // over a failure, perhaps of what people asked meanwhile
		return p.last
	case err == nil || errors.Is(err, ErrRefused):
		p.works = true
		return nil
	case !p.closed:
		p.last = err
		p.putAside()
	}
	return err
}

// examine asks a program for moves in all the ways in which games ask it: to
// begin, to answer a stone, and to go on from a board that has stones.
func (p *Program) examine(ctx context.Context) error {
	begun := ai.Position{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}, ToMove: rules.Black}
	first, err := p.examineOn(ctx, begun)
	if err != nil {
		return err
	}
	answered := begun
	answered.Stones = []ai.Stone{{Point: first, Color: rules.Black}}
	reply, _ := answered.Nearest()
	answered.Stones = append(answered.Stones, ai.Stone{Point: reply, Color: rules.White})
	if _, err := p.examineOn(ctx, answered); err != nil {
		return err
	}
	underway := begun
	underway.ToMove = rules.White
	for i, at := range []rules.Point{{X: 7, Y: 7}, {X: 8, Y: 8}, {X: 9, Y: 7}} {
		color := rules.Black
		if i%2 == 1 {
			color = rules.White
		}
		underway.Stones = append(underway.Stones, ai.Stone{Point: at, Color: color})
	}
	_, err = p.examineOn(ctx, underway)
	return err
}

// examineOn asks for one of the trial's moves.
func (p *Program) examineOn(ctx context.Context, pos ai.Position) (rules.Point, error) {
	return p.occupy(ctx, func() (rules.Point, error) {
		proc, err := p.ready(pos) // which has a time of its own
		if err != nil {
			return rules.Point{}, err
		}
		ctx, cancel := context.WithTimeout(ctx, trial)
		defer cancel()
		return p.converse(ctx, proc, pos, ai.Budget{Time: trialTold})
	})
}
