package ai

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"gomokud/internal/rules"
)

// ErrBusy: as many jobs wait as may.
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
	Workers int                      // jobs at a time; half of GOMAXPROCS, at least one
	Queue   int                      // jobs that may wait; 1024
	Longest time.Duration            // bound of a job without one; 10 s
	Overrun time.Duration            // how late an engine may be before the fallback answers; 250 ms
	Engines map[string]func() Engine // by the name of the bot
	Log     *slog.Logger             // slog.Default()
}

// Pool lets a bounded number of engines think at a time. Rooms are served in
// the order in which they asked; a room has one job, and a newer one takes the
// older's place. The workers are its share of the processors: with the default,
// half of them are always free for people's moves, and where there is but one
// an engine gives way between two breaths.
type Pool struct {
	cfg  PoolConfig
	more chan struct{} // tells a worker that a job waits

	mu      sync.Mutex
	queue   []*task
	byRoom  map[string]*task // waiting or running
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
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	return &Pool{cfg: cfg, more: make(chan struct{}, cfg.Queue+1), byRoom: map[string]*task{}}
}

// Submit queues a job. The answer comes once, on a goroutine of the pool's,
// unless the job is cancelled or replaced before; it must not block.
func (p *Pool) Submit(job Job, answer func(Answer)) error {
	ctx, cancel := context.WithCancel(context.Background())
	t := &task{job: job, answer: answer, asked: time.Now(), ctx: ctx, cancel: cancel}
	p.mu.Lock()
	defer p.mu.Unlock()
	if old := p.byRoom[job.Room]; old != nil {
		p.withdraw(old)
	}
	if p.stopped || len(p.queue) >= p.cfg.Queue {
		p.stats.Refused++
		cancel()
		return ErrBusy
	}
	p.queue = append(p.queue, t)
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
	for i, waiting := range p.queue {
		if waiting == t {
			p.queue = append(p.queue[:i], p.queue[i+1:]...)
			return
		}
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

// Run works until ctx ends, and returns when the last engine has stopped.
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

func (p *Pool) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.more:
		}
		for t := p.next(); t != nil; t = p.next() {
			p.think(t)
		}
	}
}

// next takes the job that has waited longest, or nil.
func (p *Pool) next() *task {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 {
		return nil
	}
	t := p.queue[0]
	p.queue = append(p.queue[:0], p.queue[1:]...)
	p.stats.Running++
	p.stats.Waited += time.Since(t.asked)
	return t
}

// think has one job done. If the engine is late the fallback answers for it;
// the worker still waits for the engine, so that thinking never takes more than
// its share.
func (p *Pool) think(t *task) {
	began := time.Now()
	limit := t.job.Budget.Time
	if limit == 0 {
		limit = p.cfg.Longest
	}
	ctx, cancel := context.WithTimeout(t.ctx, limit)
	defer cancel()
	late := time.AfterFunc(limit+p.cfg.Overrun, func() {
		p.replace(t, errors.New("it was too late"))
	})
	thought, err := p.ask(ctx, t.job)
	late.Stop()
	switch {
	case t.ctx.Err() != nil: // withdrawn
	case err == nil || errors.Is(err, ErrNoMove):
		p.reply(t, thought, err, false)
	default:
		p.replace(t, err)
	}
	t.cancel()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byRoom[t.job.Room] == t {
		delete(p.byRoom, t.job.Room)
	}
	p.stats.Running--
	p.stats.Thought += time.Since(began)
	p.stats.Nodes += thought.Nodes
}

// ask has the engine think, and looks at its move before anybody else does.
func (p *Pool) ask(ctx context.Context, job Job) (thought Thought, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panicked: %v\n%s", r, debug.Stack())
		}
	}()
	make, ok := p.cfg.Engines[job.Bot]
	if !ok {
		return Thought{}, fmt.Errorf("there is no engine %q", job.Bot)
	}
	thought, err = make().Think(ctx, job.Position, job.Budget)
	if err == nil && !MayPlay(job.Position.Board(), job.Position.Rule, job.Position.ToMove, thought.Move) {
		err = fmt.Errorf("its move %s is not legal", thought.Move)
	}
	return thought, err
}

// replace answers with the fallback's move.
func (p *Pool) replace(t *task, why error) {
	thought, err := fallback{}.Think(t.ctx, t.job.Position, Budget{})
	if p.reply(t, thought, err, true) {
		p.cfg.Log.Error("an engine failed; the fallback moved for it", "bot", t.job.Bot, "room", t.job.Room, "err", why)
	}
}

// reply gives the answer, if none was given yet and it is still wanted.
func (p *Pool) reply(t *task, thought Thought, err error, fallback bool) (given bool) {
	p.mu.Lock()
	if given = !t.settled; given {
		t.settled = true
		p.stats.Answers++
		if fallback {
			p.stats.Fallbacks++
		}
	}
	p.mu.Unlock()
	if given {
		t.answer(Answer{Room: t.job.Room, Version: t.job.Version, Move: thought.Move, Thought: thought, Err: err})
	}
	return given
}
