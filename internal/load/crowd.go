package load

import (
	"context"
	"fmt"
)

// crowd measures games without spectators, then with them, on the same server.
func crowd(ctx context.Context, t *trial) (*Result, error) {
	var r Result
	err := t.on(ctx, 1, func(at *site) (err error) {
		quiet := t.cfg
		quiet.Spectators, quiet.Profile = 0, ""
		if r.Without, err = play(ctx, t.service, quiet, at); err != nil {
			return fmt.Errorf("without spectators: %w", err)
		}
		r.Play, err = play(ctx, t.service, t.cfg, at)
		return err
	})
	return &r, err
}
