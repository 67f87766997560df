package load

import (
	"context"
	"errors"
	"time"
)

// warmTables are opened before memory is measured, so that what a server needs
// once is not charged to the connections.
const warmTables = 16

// idle measures the memory of connections that sit at tables and do nothing.
func idle(ctx context.Context, t *trial) (*Result, error) {
	var r Result
	err := t.on(ctx, 1, func(at *site) (err error) {
		r.Memory, err = sit(ctx, t.service, t.cfg, at)
		return err
	})
	return &r, err
}

// sit returns nil where the operating system does not tell.
func sit(ctx context.Context, s service, cfg Config, at *site) (*Memory, error) {
	server := at.nodes[0]
	h := &hall{service: s, site: at, meter: newMeter(nil), cfg: cfg}
	defer h.close()
	if err := h.open(ctx, warmTables); err != nil {
		return nil, err
	}
	before, err := settle(ctx, server)
	if errors.Is(err, errNotHere) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	tables := max(1, cfg.Idle/2)
	if err := h.open(ctx, tables); err != nil {
		return nil, err
	}
	after, err := settle(ctx, server)
	if err != nil {
		return nil, err
	}
	n := 2 * tables
	return &Memory{Connections: n, PerConnection: float64(after-before) / float64(n) / 1024}, nil
}

// settle has the server collect its garbage and waits until its memory does not
// fall any more.
func settle(ctx context.Context, server *process) (int64, error) {
	const (
		look = 250 * time.Millisecond
		most = 20 // looks
		calm = 4  // looks without a change
	)
	for range 2 { // what has a finalizer goes with the second
		if err := collectGarbage(ctx, server.profiler); err != nil {
			return 0, err
		}
	}
	least, err := residentBytes(server.pid)
	for i, still := 0, 0; err == nil && i < most && still < calm; i++ {
		select {
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		case <-time.After(look):
		}
		var now int64
		now, err = residentBytes(server.pid)
		if still++; now < least {
			least, still = now, 0
		}
	}
	return least, err
}
