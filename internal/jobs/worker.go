package jobs

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/store"
)

// Work is what a worker needs of the queue.
type Work interface {
	// Enlist says for as long as ttl that the worker lives and what it can do,
	// and renews its claims.
	Enlist(ctx context.Context, w store.Worker, ttl time.Duration, claims []string) error
	// Leave says that the worker does not live any more.
	Leave(ctx context.Context, worker string) error
	// Take claims at most so many hints, and waits for the first of them.
	Take(ctx context.Context, worker string, most int, wait time.Duration) ([]store.Claim, error)
	// TakeOver claims at most so many hints whose claims were not renewed for
	// so long.
	TakeOver(ctx context.Context, worker string, most int, idle time.Duration) ([]store.Claim, error)
	// Done strikes a hint off.
	Done(ctx context.Context, id string) error
}

// Player plays the turn that a hint speaks of, and returns when it is over,
// with ErrLate if there was no time left; hub.Deputy is one.
type Player interface {
	Answer(ctx context.Context, hint store.Hint) (played bool, err error)
}

const (
	beatEvery = time.Second
	silence   = 2500 * time.Millisecond // a worker that is not heard for so long is dead
	wait      = 500 * time.Millisecond  // for a hint, and after trouble
)

// Worker takes hints and has them played. Make it with NewWorker, then Run it.
type Worker struct {
	self    store.Worker
	drain   time.Duration
	work    Work
	player  Player
	log     *slog.Logger
	metrics *workerMetrics

	beaten atomic.Int64 // when it last enlisted, Unix ns
	beatAt time.Time    // when it next shall; Run's own
	down   bool         // the queue cannot be reached; Run's own

	turns sync.WaitGroup
	freed chan struct{} // a turn is over
	mu    sync.Mutex
	held  map[string]struct{} // hints under way
}

// NewWorker returns a worker that, told to stop, gives what it has begun as
// long as drain to end.
func NewWorker(self store.Worker, drain time.Duration, work Work, p Player, log *slog.Logger, reg prometheus.Registerer) *Worker {
	w := &Worker{
		self: self, drain: drain, work: work, player: p, log: log,
		freed: make(chan struct{}, 1), held: map[string]struct{}{},
	}
	w.metrics = newWorkerMetrics(w, reg)
	return w
}

// Ready reports whether nodes know that the worker takes hints.
func (w *Worker) Ready() bool { return time.Since(time.Unix(0, w.beaten.Load())) < silence }

// Run takes hints until ctx ends, and returns when the last turn is over.
func (w *Worker) Run(ctx context.Context) {
	playing, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	for ctx.Err() == nil {
		if w.beat(ctx, w.self.Threads) {
			w.takeOver(ctx, playing)
		}
		w.take(ctx, playing, wait)
	}
	defer time.AfterFunc(w.drain, stop).Stop()

	// From here on nobody hands us anything; what somebody did before may have
	// nobody else to take it.
	w.beaten.Store(0)
	w.beatAt = time.Time{}
	w.beat(playing, 0)
	w.take(playing, playing, 0)
	for len(w.claims()) > 0 && playing.Err() == nil {
		w.beat(playing, 0)
		w.rest(playing, time.Until(w.beatAt))
	}
	w.turns.Wait()
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := w.work.Leave(leaving, w.self.Name); err != nil {
		w.log.Warn("could not sign off", "err", err)
	}
}

// beat enlists if it is time, and reports whether it did.
func (w *Worker) beat(ctx context.Context, threads int) bool {
	now := time.Now()
	if now.Before(w.beatAt) {
		return false
	}
	w.beatAt = now.Add(beatEvery)
	self := w.self
	self.Threads = threads
	enlisting, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	err := w.work.Enlist(enlisting, self, silence, w.claims())
	if w.trouble(ctx, err) {
		return false
	}
	if threads > 0 {
		w.beaten.Store(now.UnixNano())
	}
	return true
}

// take claims as many hints as there are threads for; with none it waits until
// one is free or it is time to enlist.
func (w *Worker) take(ctx, playing context.Context, most time.Duration) {
	free := w.self.Threads - len(w.claims())
	if free <= 0 {
		w.rest(ctx, time.Until(w.beatAt))
		return
	}
	claims, err := w.work.Take(ctx, w.self.Name, free, most)
	if w.trouble(ctx, err) {
		w.rest(ctx, wait)
	}
	w.start(playing, claims)
}

// takeOver claims what dead workers have left.
func (w *Worker) takeOver(ctx, playing context.Context) {
	free := w.self.Threads - len(w.claims())
	if free <= 0 {
		return
	}
	claims, err := w.work.TakeOver(ctx, w.self.Name, free, silence)
	w.trouble(ctx, err)
	w.metrics.takenOver.Add(float64(len(claims)))
	w.start(playing, claims)
}

// trouble reports whether there is an error, and logs the first and the last of
// a row.
func (w *Worker) trouble(ctx context.Context, err error) bool {
	switch {
	case ctx.Err() != nil:
	case err != nil && !w.down:
		w.log.Error("the queue cannot be reached", "err", err)
		w.down = true
	case err == nil && w.down:
		w.log.Info("the queue can be reached again")
		w.down = false
	}
	return err != nil
}

// rest waits for a while, or until a turn is over.
func (w *Worker) rest(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.freed:
	case <-ctx.Done():
	}
}

// claims are the hints under way.
func (w *Worker) claims() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Keys(w.held))
}

// start has hints played. One that is under way already, which we took over
// from ourselves after having been frozen, is not begun again.
func (w *Worker) start(ctx context.Context, claims []store.Claim) {
	for _, c := range claims {
		w.mu.Lock()
		_, have := w.held[c.ID]
		w.held[c.ID] = struct{}{}
		w.mu.Unlock()
		if !have {
			w.turns.Go(func() { w.play(ctx, c) })
		}
	}
}

// play has one hint played. If we are stopped in its midst somebody else may
// take it over; else it is struck off, whatever became of it: the node that
// handed it out sees whether the bot has moved.
func (w *Worker) play(ctx context.Context, c store.Claim) {
	defer func() {
		w.mu.Lock()
		delete(w.held, c.ID)
		w.mu.Unlock()
		select {
		case w.freed <- struct{}{}:
		default:
		}
	}()
	end := "played"
	played, err := w.answer(ctx, c.Hint)
	switch {
	case ctx.Err() != nil:
		return
	case errors.Is(err, store.ErrLate):
		end = "late"
	case err != nil:
		end = "failed"
		w.log.Warn("a bot could not move", "room", c.Room, "bot", c.Bot, "err", err)
	case !played:
		end = "void"
	}
	w.metrics.turns.WithLabelValues(end).Inc()
	if err := w.work.Done(ctx, c.ID); err != nil && ctx.Err() == nil { // somebody will find it void
		w.log.Warn("could not strike a hint off", "room", c.Room, "err", err)
	}
}

var errStranger = errors.New("jobs: we do not know the bot")

func (w *Worker) answer(ctx context.Context, h store.Hint) (bool, error) {
	if !slices.Contains(w.self.Bots, h.Bot) { // else the fallback would move for it
		return false, errStranger
	}
	return w.player.Answer(ctx, h)
}
