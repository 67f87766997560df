package ai

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"gomokud/internal/rules"
)

// ErrBusy: as many jobs wait as may, or the pool has stopped.
var ErrBusy = errors.New("ai: the queue is full")

// Job asks for a move in a room.
type Job struct {
	Room     string
	Owner    string // on whose behalf; empty: the room's own
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
	Failure Failure // why the fallback moved; empty if the engine did
	Err     error
}

// Outcome is how a job ended, for those who count.
type Outcome struct {
	Bot       string
	Waited    time.Duration // in the queue
	Thought   time.Duration // 0 if nobody came to think about it
	Nodes     int64
	Failure   Failure // why the fallback moved; empty if the engine did
	Cancelled bool    // nobody was interested any more
}

// PoolConfig is how a pool works. A zero field means the default beside it.
type PoolConfig struct {
	Workers  int                      // jobs at a time; half of GOMAXPROCS, at least one
	Queue    int                      // jobs that may wait; 1024
	Longest  time.Duration            // bound of a job without one; 10 s
	Least    time.Duration            // what is left of a job's time however long it waited; 50 ms
	Overrun  time.Duration            // how late an engine may be before the fallback answers; 10 ms
	Patience time.Duration            // how long a worker then waits for the engine to stop; 1 s
	Engines  map[string]func() Engine // by the name of the bot
	Fallback func() Engine            // moves where an engine fails; the nearest legal point
	Observe  func(Outcome)            // told of every job that was taken; must be quick and leave the pool alone; nobody
	Log      *slog.Logger             // slog.Default()
}

// Pool lets a bounded number of engines think at a time. Owners are served in
// turn, the rooms of one in the order in which they asked; a room has one job,
// and a newer one takes the place that the older had in the queue.
//
// The workers are its share of the processors: with the default, half of them
// are always free for people's moves, and engines think on threads that give
// way to all others (see mind). That needs a GOMAXPROCS of two or more, also on
// a machine with one processor: Go looks at the network only when one of the
// GOMAXPROCS is idle or every 10 ms. See BenchmarkLatencyBesideEngines.
//
// A job's time runs while it waits, as the clock of the game does: what it
// waited is missing when it is thought about, down to Least.
//
// An engine that has no answer Overrun after its limit is replaced by the
// fallback. It is waited for all the same, so that it counts against the share;
// after Patience its worker goes on without it, and until it comes back the
// fallback moves for that bot: an engine that hangs costs at most a thread for
// each worker.
//
// Every worker keeps an engine for each bot and asks it again, so that what it
// learned is of use; one that failed is made anew. One that is an io.Closer is
// closed when its worker is done with it.
type Pool struct {
	cfg   PoolConfig
	more  chan struct{} // tells a worker that a job waits
	spare standIn

	mu      sync.Mutex
	queue   queue
	byRoom  map[string]*task // waiting or running
	lost    map[string]int   // engines that did not stop, by bot
	stats   Stats
	stopped bool
}

// task is a job on its way.
type task struct {
	job    Job
	answer func(Answer)
	asked  time.Time
	ctx    context.Context
	cancel context.CancelFunc

	settled   bool    // answered or withdrawn; guarded by the pool's mutex, as are those below
	cancelled bool    // withdrawn
	failure   Failure // why the fallback answered
}

// Stats are the pool's counters since it was made.
type Stats struct {
	Waiting, Running int
	Answers          int64 // jobs that were answered
	Fallbacks        int64 // of them by the fallback
	Cancelled        int64
	Refused          int64 // for a full queue
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
	if cfg.Least == 0 {
		cfg.Least = 50 * time.Millisecond
	}
	if cfg.Overrun == 0 {
		cfg.Overrun = 10 * time.Millisecond
	}
	if cfg.Patience == 0 {
		cfg.Patience = time.Second
	}
	if cfg.Fallback == nil {
		cfg.Fallback = func() Engine { return nearest{} }
	}
	if cfg.Observe == nil {
		cfg.Observe = func(Outcome) {}
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	return &Pool{
		cfg: cfg, more: make(chan struct{}, cfg.Queue+1), spare: standIn{engine: cfg.Fallback},
		byRoom: map[string]*task{}, lost: map[string]int{},
	}
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
	old := p.byRoom[job.Room]
	if p.stopped || p.queue.n >= p.cfg.Queue && !p.queue.contains(old) {
		if old != nil {
			p.withdraw(old) // what it is about is over in any case
		}
		p.stats.Refused++
		cancel()
		return ErrBusy
	}
	waited := p.queue.contains(old)
	p.queue.push(t, old)
	if old != nil {
		p.drop(old, waited)
	}
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
func (p *Pool) withdraw(t *task) { p.drop(t, p.queue.remove(t)) }

// drop is what withdrawing comes to once the job is out of the queue, where it
// may have waited so far.
func (p *Pool) drop(t *task, waited bool) {
	if !t.settled {
		t.settled, t.cancelled = true, true
		p.stats.Cancelled++
	}
	t.cancel()
	delete(p.byRoom, t.job.Room)
	if waited {
		p.cfg.Observe(Outcome{Bot: t.job.Bot, Waited: time.Since(t.asked), Cancelled: true})
	}
}

// Stats returns the counters.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Waiting = p.queue.n
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

// next takes the job whose turn it is, or nil.
func (p *Pool) next() *task {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.queue.pop()
	if t != nil {
		p.stats.Running++
	}
	return t
}
