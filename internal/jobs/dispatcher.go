package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
	"gomokud/internal/store"
)

// Queue is what a node needs of the queue.
type Queue interface {
	// Ask hands a turn out that may take as long as limit, and returns what is
	// left of its time. It is handed out once: fresh is false when it was
	// before, and left may be negative then. ErrNoWorker if nobody can take it.
	Ask(ctx context.Context, h store.Hint, limit time.Duration) (left time.Duration, fresh bool, err error)
	// Crew returns who works and what there is to do.
	Crew(ctx context.Context) (store.Crew, error)
}

// Thinker moves for bots, as hub.Thinker does.
type Thinker interface {
	Submit(job ai.Job, answer func(ai.Answer)) error
	Cancel(room string)
}

const (
	lookEvery = time.Second
	patience  = time.Second // with the queue
	grace     = time.Second // the most that a worker's move may be late
	rescue    = time.Second // the most that we think after a worker did not
	least     = 50 * time.Millisecond
)

// Dispatcher is a Thinker that hands turns out where it can, and has the local
// one think where it cannot. Make it with NewDispatcher, then Run it.
type Dispatcher struct {
	queue   Queue
	local   Thinker
	log     *slog.Logger
	metrics *dispatcherMetrics

	life   context.Context // ends with Run
	end    context.CancelFunc
	mu     sync.Mutex
	closed bool
	tasks  sync.WaitGroup
	crew   store.Crew         // as last seen
	out    map[string]*errand // by room
}

// errand is a turn that is being handed out, or was.
type errand struct {
	job    ai.Job
	answer func(ai.Answer)
	asked  time.Time
	timer  *time.Timer // runs once workers have the turn
}

// NewDispatcher returns a dispatcher that counts what it does in reg.
func NewDispatcher(q Queue, local Thinker, log *slog.Logger, reg prometheus.Registerer) *Dispatcher {
	d := &Dispatcher{queue: q, local: local, log: log, out: map[string]*errand{}}
	d.life, d.end = context.WithCancel(context.Background())
	d.metrics = newDispatcherMetrics(d, reg)
	return d
}

// Run looks after the workers until ctx ends. From then on nothing is handed
// out, and what was is left to the workers and to other nodes.
func (d *Dispatcher) Run(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for ctx.Err() == nil {
		d.look(ctx)
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
	}
	d.mu.Lock()
	d.closed = true
	for _, e := range d.out {
		d.forget(e)
	}
	d.mu.Unlock()
	d.end()
	d.tasks.Wait()
}

// look finds out who works. If nobody does any more there is nothing to wait
// for.
func (d *Dispatcher) look(ctx context.Context) {
	asking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	crew, err := d.queue.Crew(asking)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		crew = store.Crew{}
	}
	d.mu.Lock()
	before := len(d.crew.Workers)
	d.crew = crew
	var back []*errand
	if err == nil && len(crew.Workers) == 0 {
		for _, e := range d.out {
			if e.timer != nil {
				back = append(back, e)
			}
		}
	}
	d.mu.Unlock()
	if now := len(crew.Workers); now != before {
		d.log.Info("bots' workers", "before", before, "now", now, "err", err)
	}
	for _, e := range back {
		d.takeBack(e)
	}
}

// able reports whether workers can move for the bot.
func (d *Dispatcher) able(bot string) bool {
	can := false
	for _, w := range d.crew.Workers {
		if w.Threads > 0 {
			if !slices.Contains(w.Bots, bot) {
				return false // it might be the one that takes the hint
			}
			can = true
		}
	}
	return can
}

// Submit implements hub.Thinker.
func (d *Dispatcher) Submit(job ai.Job, answer func(ai.Answer)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if old := d.out[job.Room]; old != nil {
		d.forget(old)
	}
	if d.closed || !d.able(job.Bot) {
		return d.local.Submit(job, answer)
	}
	e := &errand{job: job, answer: answer, asked: time.Now()}
	d.out[job.Room] = e
	d.tasks.Go(func() { d.handOut(e) })
	return nil
}

// Cancel implements hub.Thinker. A worker that has the turn sees by itself that
// it is over.
func (d *Dispatcher) Cancel(room string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.out[room]; e != nil {
		if e.timer != nil {
			d.metrics.settled.Inc()
		}
		d.forget(e)
	}
	d.local.Cancel(room)
}

// forget strikes an errand off. The caller holds the lock.
func (d *Dispatcher) forget(e *errand) {
	delete(d.out, e.job.Room)
	if e.timer != nil {
		e.timer.Stop()
	}
}

// handOut asks the workers, and watches over the turn from then on.
func (d *Dispatcher) handOut(e *errand) {
	ctx, cancel := context.WithTimeout(d.life, patience)
	defer cancel()
	limit := e.job.Budget.Time
	left, fresh, err := d.queue.Ask(ctx, store.Hint{Room: e.job.Room, Version: e.job.Version, Bot: e.job.Bot}, limit)
	if err != nil {
		why := "trouble"
		if errors.Is(err, store.ErrNoWorker) {
			why = "busy"
		}
		d.metrics.kept.WithLabelValues(why).Inc()
		d.think(e, max(limit-time.Since(e.asked), min(limit, least)))
		return
	}
	if fresh {
		d.metrics.handedOut.Inc()
	} else {
		d.metrics.joined.Inc()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.out[e.job.Room] == e {
		left = min(left, limit)                  // a queue that failed over may have another clock
		wait := max(0, left+min(grace, 4*limit)) // on a short clock nobody can wait for long
		e.timer = time.AfterFunc(wait, func() { d.takeBack(e) })
	}
}

// takeBack thinks about a turn that no worker has played.
func (d *Dispatcher) takeBack(e *errand) {
	if d.think(e, min(e.job.Budget.Time, rescue)) {
		d.metrics.takenBack.Inc()
		d.log.Warn("no worker has moved; the node thinks itself", "room", e.job.Room, "bot", e.job.Bot, "after", time.Since(e.asked))
	}
}

// think has the local thinker do an errand, and reports whether it was still
// wanted.
func (d *Dispatcher) think(e *errand, limit time.Duration) bool {
	d.mu.Lock()
	wanted := d.out[e.job.Room] == e
	var err error
	if wanted {
		d.forget(e)
		job := e.job
		job.Budget.Time = limit
		err = d.local.Submit(job, e.answer)
	}
	d.mu.Unlock()
	if err != nil {
		e.answer(ai.Answer{Room: e.job.Room, Version: e.job.Version, Err: err})
	}
	return wanted
}
