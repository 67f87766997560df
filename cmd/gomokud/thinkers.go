package main

import (
	"context"
	"log/slog"
	"runtime"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
	"gomokud/internal/ai/bots"
	"gomokud/internal/hub"
	"gomokud/internal/jobs"
	"gomokud/internal/store/redisstore"
)

// lane is who thinks about the turns of some bots, with places and a queue of
// its own: our own opponents never wait for programs from elsewhere.
type lane struct {
	hub.Thinker            // the pool, or workers and then the pool
	name        string     // for metrics and the log
	queue       string     // of hints for workers
	bots        engineList // whose turns they are
	places      int        // turns at a time
	pool        *ai.Pool
	dispatcher  *jobs.Dispatcher // nil where workers are not asked
	log         *slog.Logger
	counted     prometheus.Registerer
}

// lanes are all of a process; the first is our own opponents'.
type lanes []*lane

// newLanes returns lanes that think in this process: our own opponents' turns,
// and those of programs from elsewhere if there are any. These wait for other
// processes rather than think, so they have more places than there are
// processors: one that hangs holds a place until its time is over.
func newLanes(r roster, places, queue int, log *slog.Logger, counted prometheus.Registerer) lanes {
	all := lanes{{name: "own", bots: r.own, places: places}}
	if len(r.external) > 0 {
		all = append(all, &lane{name: "external", queue: "external", bots: r.external, places: 2 * runtime.GOMAXPROCS(0)})
	}
	for _, l := range all {
		l.log = log.With("lane", l.name)
		l.counted = prometheus.WrapRegistererWith(prometheus.Labels{"lane": l.name}, counted)
		l.pool = ai.NewPool(ai.PoolConfig{
			Workers: l.places, Queue: queue, Log: log, Engines: l.bots,
			Fallback: func() ai.Engine { return bots.SevenStep{} }, Observe: newThinking(l.bots, l.counted).observe,
		})
		l.counted.MustRegister(poolMetrics(l.pool)...)
		l.Thinker = l.pool
	}
	return all
}

// askWorkers has workers think first, where the store can hold queues for them.
func (all lanes) askWorkers(st hub.Store) {
	store, ok := st.(interface {
		Jobs(lane string) *redisstore.Jobs
	})
	if !ok {
		return
	}
	for _, l := range all {
		l.dispatcher = jobs.NewDispatcher(store.Jobs(l.queue), l.pool, l.log, l.counted)
		l.Thinker = l.dispatcher
	}
}

// of is the lane of a bot's turns; one that nobody knows is ours to move for.
func (all lanes) of(bot string) *lane {
	for _, l := range all {
		if l.bots[bot] != nil {
			return l
		}
	}
	return all[0]
}

// Submit implements hub.Thinker.
func (all lanes) Submit(job ai.Job, answer func(ai.Answer)) error {
	return all.of(job.Bot).Submit(job, answer)
}

// Cancel implements hub.Thinker.
func (all lanes) Cancel(room string) {
	for _, l := range all {
		l.Thinker.Cancel(room)
	}
}

// Run thinks until ctx ends, and returns when nobody thinks any more.
func (all lanes) Run(ctx context.Context) {
	var running sync.WaitGroup
	for _, l := range all {
		if l.dispatcher != nil {
			running.Go(func() { l.dispatcher.Run(ctx) })
		}
		running.Go(func() { l.pool.Run(ctx) }) // ends as ctx does
	}
	running.Wait()
}
