package main

import (
	"context"
	"log/slog"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
	"gomokud/internal/ai/bots"
	"gomokud/internal/hub"
	"gomokud/internal/jobs"
)

// newPool returns the pool in which this process thinks.
func newPool(workers, queue int, engines map[string]func() ai.Engine, log *slog.Logger, counted prometheus.Registerer) *ai.Pool {
	pool := ai.NewPool(ai.PoolConfig{
		Workers: workers, Queue: queue, Log: log, Engines: engines,
		Fallback: func() ai.Engine { return bots.SevenStep{} }, Observe: newThinking(engines, counted).observe,
	})
	counted.MustRegister(poolMetrics(pool)...)
	return pool
}

// thinkers is who moves for a node's bots: workers, where the store can hold a
// queue for them, and else its own pool.
type thinkers struct {
	hub.Thinker
	pool       *ai.Pool
	dispatcher *jobs.Dispatcher // nil if there are no workers to be had
}

func newThinkers(pool *ai.Pool, st hub.Store, log *slog.Logger, counted prometheus.Registerer) thinkers {
	queue, ok := st.(jobs.Queue)
	if !ok {
		return thinkers{Thinker: pool, pool: pool}
	}
	d := jobs.NewDispatcher(queue, pool, log, counted)
	return thinkers{Thinker: d, pool: pool, dispatcher: d}
}

// Run thinks until ctx ends.
func (t thinkers) Run(ctx context.Context) error {
	var running sync.WaitGroup
	if t.dispatcher != nil {
		running.Go(func() { t.dispatcher.Run(ctx) })
	}
	defer running.Wait()
	return t.pool.Run(ctx)
}
