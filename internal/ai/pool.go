package ai

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"gomokud/internal/rules"
)

// ErrBusy: as many jobs wait as may, or the pool has stopped.
var ErrBusy = errors.New("ai: the queue is full")

// Job asks for a move in a room.
type Job struct {
	Room     string
	Version  int    // of the position, given back with the answer
	Bot      string // which engine
	Position Position
	Budget   Budget
}

// Answer is what became of a job. Err is nil, ErrNoMove, or says that not even
// the fallback could move.
type Answer struct {
	Room    string
	Version int
	Move    rules.Point
	Thought Thought
	Err     error
}

// PoolConfig is how a pool works. A zero field means the default beside it.
type PoolConfig struct {
	Workers  int                      // jobs at a time; half of GOMAXPROCS, at least one
	Queue    int                      // jobs that may wait; 1024
	Longest  time.Duration            // bound of a job without one; 10 s
	Overrun  time.Duration            // how late an engine may be before the fallback answers; 250 ms
	Patience time.Duration            // how long a worker then waits for the engine to stop; 1 s
	Engines  map[string]func() Engine // by the name of the bot
	Log      *slog.Logger             // slog.Default()
}

// Pool lets a bounded number of engines think at a time. Rooms are served in
// the order in which they asked; a room has one job, and a newer one takes the
// place that the older had in the queue.
//
// The workers are its share of the processors: with the default, half of them
// are always free for people's moves, and engines think on threads that give
// way to all others (see mind). That needs a GOMAXPROCS of two or more, also on
// a machine with one processor: Go looks at the network only when one of the
// GOMAXPROCS is idle or every 10 ms. See BenchmarkLatencyBesideEngines.
//
// An engine that does not stop when its time is over is waited for, so that it
// counts against the share; after Patience its worker goes on without it, and
// until it comes back the fallback moves for that bot: an engine that hangs costs
// at most a thread for each worker.
type Pool struct {
	cfg  PoolConfig
	more chan struct{} // tells a worker that a job waits

	mu      sync.Mutex
	queue   []*task
	byRoom  map[string]*task // waiting or running
	lost    map[string]int   // engines that did not stop, by bot
	stats   Stats
	stopped bool
}

// task is a job on its way.
type task struct {
	job     Job
	answer  func(Answer)
	asked   time.Time
	ctx     context.Context
	cancel  context.CancelFunc
	settled bool // answered or withdrawn; guarded by the pool's mutex
}

// Stats are the pool's counters since it was made.
type Stats struct {
	Waiting, Running int
	Answers          int64 // jobs that were answered
	Fallbacks        int64 // of them by the fallback
	Cancelled        int64
	Refused          int64 // for a full queue
	Waited, Thought  time.Duration
	Nodes            int64
}

// NewPool returns a pool; Run makes it work.
func NewPool(cfg PoolConfig) *Pool {
	if cfg.Workers == 0 {
		cfg.Workers = max(1, runtime.GOMAXPROCS(0)/2)
	}
	if cfg.Queue == 0 {
		cfg.Queue = 1024
	}
	if cfg.Longest == 0 {
		cfg.Longest = 10 * time.Second
	}
	if cfg.Overrun == 0 {
		cfg.Overrun = 250 * time.Millisecond
	}
	if cfg.Patience == 0 {
		cfg.Patience = time.Second
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	return &Pool{cfg: cfg, more: make(chan struct{}, cfg.Queue+1), byRoom: map[string]*task{}, lost: map[string]int{}}
}

// Submit queues a job. The answer comes once, on a goroutine of the pool's,
// unless the job is cancelled or replaced before; it must not block.
func (p *Pool) Submit(job Job, answer func(Answer)) error {
	if err := job.Position.Validate(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	t := &task{job: job, answer: answer, asked: time.Now(), ctx: ctx, cancel: cancel}
	p.mu.Lock()
	defer p.mu.Unlock()
	place := len(p.queue)
	if old := p.byRoom[job.Room]; old != nil {
		if i := slices.Index(p.queue, old); i >= 0 {
			place = i
		}
		p.withdraw(old)
	}
	if p.stopped || len(p.queue) >= p.cfg.Queue {
		p.stats.Refused++
		cancel()
		return ErrBusy
	}
	p.queue = slices.Insert(p.queue, place, t)
	p.byRoom[job.Room] = t
	select {
	case p.more <- struct{}{}:
	default: // every worker has a reason to look already
	}
	return nil
}

// Cancel withdraws a room's job, waiting or running.
func (p *Pool) Cancel(room string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.byRoom[room]; t != nil {
		p.withdraw(t)
	}
}

// withdraw takes a job back; it will not be answered. The caller holds the lock.
func (p *Pool) withdraw(t *task) {
	if !t.settled {
		t.settled = true
		p.stats.Cancelled++
	}
	t.cancel()
	delete(p.byRoom, t.job.Room)
	if i := slices.Index(p.queue, t); i >= 0 {
		p.queue = slices.Delete(p.queue, i, i+1)
	}
}

// Stats returns the counters.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Waiting = len(p.queue)
	return s
}

// Run works until ctx ends, and returns when the last engine has stopped or was
// waited for in vain.
func (p *Pool) Run(ctx context.Context) error {
	var workers sync.WaitGroup
	for range p.cfg.Workers {
		workers.Go(func() { p.work(ctx) })
	}
	<-ctx.Done()
	p.mu.Lock()
	p.stopped = true
	for _, t := range p.byRoom {
		p.withdraw(t)
	}
	p.mu.Unlock()
	workers.Wait()
	return ctx.Err()
}

// next takes the job that has waited longest, or nil.
func (p *Pool) next() *task {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 {
		return nil
	}
	t := p.queue[0]
	p.queue = slices.Delete(p.queue, 0, 1)
	p.stats.Running++
	p.stats.Waited += time.Since(t.asked)
	return t
}
