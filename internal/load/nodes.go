package load

import (
	"context"
	"fmt"
)

// nodes measures games on one node, then on two that share a store; the players
// of a room are on different ones, so that every move passes between them.
func nodes(ctx context.Context, t *trial) (*Result, error) {
	var r Result
	one := t.cfg
	one.Profile = ""
	err := t.on(ctx, 1, func(at *site) (err error) {
		r.Without, err = play(ctx, t.service, one, at)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("one node: %w", err)
	}
	err = t.on(ctx, 2, func(at *site) (err error) {
		r.Play, err = play(ctx, t.service, t.cfg, at)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("two nodes: %w", err)
	}
	return &r, nil
}
