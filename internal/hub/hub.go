package hub

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
	"gomokud/internal/match"
	"gomokud/internal/store"
)

// Thinker moves for bots. The answer may come on any goroutine and must be
// taken without blocking it for long; ai.Pool is one.
type Thinker interface {
	Submit(job ai.Job, answer func(ai.Answer)) error
	Cancel(room string)
}

// Hub is one node of the service. Make it with New, then Run it.
type Hub struct {
	cfg      Config
	store    Store
	thinker  Thinker
	bots     map[string]Bot
	log      *slog.Logger
	metrics  *metrics
	clock    clock
	registry registry
	visitors visitors
	pairing  pairing
	lobby    lobby
	crowds   crowds
	online   atomic.Int64
	downtime atomic.Pointer[[]store.Outage]
	trouble  atomic.Bool // the store cannot be reached
	draining atomic.Bool

	life    context.Context // ends when Run is over
	end     context.CancelFunc
	mu      sync.Mutex // guards closed against tasks
	closed  bool
	tasks   sync.WaitGroup // everything that runs on behalf of the hub
	clients clients
}

// Bot is a computer opponent that people can choose.
type Bot struct {
	Name  string // as in match.Player.Bot
	Title string
}

// New returns a hub over a store, with opponents that think in thinker. It
// counts what it does in reg.
func New(cfg Config, s Store, t Thinker, bots []Bot, log *slog.Logger, reg prometheus.Registerer) *Hub {
	h := &Hub{cfg: cfg.withDefaults(), store: s, thinker: t, log: log, bots: map[string]Bot{}}
	for _, b := range bots {
		h.bots[b.Name] = b
	}
	h.registry.rooms = map[string]*room{}
	h.visitors.init(h.cfg)
	h.pairing.init()
	h.metrics = newMetrics(h, reg)
	h.life, h.end = context.WithCancel(context.Background())
	return h
}

// Start asks the store for the time and for what happened while nobody was
// there. Without it the hub serves nothing.
func (h *Hub) Start(ctx context.Context) error {
	if err := h.clock.discipline(ctx, h.store); err != nil {
		return err
	}
	return h.beat(ctx)
}

// Run does what the hub does by itself until ctx ends, then drains: no new
// games, everybody is told when to come back, and all that is under way comes
// to its end. It returns once nothing of the hub runs any more.
func (h *Hub) Run(ctx context.Context) {
	loops, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	for _, loop := range []func(context.Context){
		h.keepTime, h.sweep, h.pairUp, h.countCrowds, h.showGames, h.watchLogs,
	} {
		running.Go(func() { loop(loops) })
	}
	<-ctx.Done()
	h.drain()
	stop()
	running.Wait()
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.end()
	h.tasks.Wait()
}

// drain sends everybody away in order: first the word, then the close.
func (h *Hub) drain() {
	const spread = 2 * time.Second // so that they do not all come back at once
	h.draining.Store(true)
	for _, c := range h.clients.all() {
		retry := 500*time.Millisecond + rand.N(spread)
		c.send(encode(byeMessage{Type: "bye", Reason: "draining", Retry: retry.Milliseconds()}))
	}
	time.Sleep(300 * time.Millisecond) // what is under way may still be answered
	for _, c := range h.clients.all() {
		c.kick(closeDraining, "draining")
	}
	h.clients.wait(3*time.Second, h.end) // whoever the store keeps waiting is cut off, unacknowledged
}

// Draining reports whether the hub is on its way out.
func (h *Hub) Draining() bool { return h.draining.Load() }

// Healthy reports whether commands can be stored, as far as is known.
func (h *Hub) Healthy() bool { return !h.trouble.Load() }

// spawn runs a task of the hub's, which is waited for at the end; after that it
// reports false.
func (h *Hub) spawn(task func(context.Context)) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.tasks.Go(func() { task(h.life) })
	return true
}

// keepTime disciplines the clock and keeps the service's heart beating: a gap
// in the beats, whatever its cause, is downtime that nobody's clock pays for.
func (h *Hub) keepTime(ctx context.Context) {
	for i := 0; sleep(ctx, beatEvery); i++ {
		err := h.beat(ctx)
		if err == nil && i%20 == 0 {
			err = h.clock.discipline(ctx, h.store)
		}
		if ctx.Err() != nil {
			return
		}
		h.setTrouble(err)
	}
}

const (
	beatEvery = 500 * time.Millisecond
	beatGap   = time.Second // a longer silence counts as downtime
)

func (h *Hub) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, h.cfg.StoreTimeout)
	defer cancel()
	list, err := h.store.Beat(ctx, int64(h.clock.now()), beatGap)
	if err != nil {
		return err
	}
	old := h.downtime.Swap(&list)
	h.metrics.outages.Set(float64(len(list)))
	if old != nil && len(list) > 0 && (len(*old) == 0 || (*old)[len(*old)-1] != list[len(list)-1]) {
		h.spawn(h.settleAll)
	}
	return nil
}

// settleAll tells those who look at a game what an outage means for it.
func (h *Hub) settleAll(ctx context.Context) {
	each(h.all(), func(r *room) {
		if r.takeSoon(ctx) == nil {
			h.settle(ctx, r)
			r.give()
		}
		h.release(r)
	})
}

// each runs do for all items, a few at a time, so that one which hangs does not
// hold up all the others, and returns when all are done.
func each[T any](items []T, do func(T)) {
	var running sync.WaitGroup
	free := make(chan struct{}, 32)
	for _, item := range items {
		free <- struct{}{}
		running.Go(func() {
			defer func() { <-free }()
			do(item)
		})
	}
	running.Wait()
}

// settle lets happen in a room what is due, downtime credited first, so that
// nobody is shown a clock that is wrong. If it cannot be stored now, the next
// command will do it. The caller holds the token.
func (h *Hub) settle(ctx context.Context, r *room) {
	err := r.refresh(ctx)
	if err == nil && r.state.Phase == match.Playing {
		_, err = r.command(ctx, tickCommand, h.clock.now())
	}
	if err != nil && ctx.Err() == nil {
		h.log.Warn("could not settle a room", "room", r.id, "err", err)
	}
}

func (h *Hub) setTrouble(err error) {
	now := err != nil
	if h.trouble.Swap(now) == now {
		return
	}
	state := "ok"
	if now {
		state = "unreachable"
		h.log.Error("the store cannot be reached", "err", err)
	} else {
		h.log.Info("the store can be reached again")
	}
	for _, c := range h.clients.all() {
		c.send(encode(serviceMessage{Type: "service", Store: state}))
	}
}

// outages are the spans of downtime of the last day.
func (h *Hub) outages() []store.Outage {
	if list := h.downtime.Load(); list != nil {
		return *list
	}
	return nil
}

// sweep wakes rooms whose time has come and that may be in nobody's memory.
func (h *Hub) sweep(ctx context.Context) {
	const (
		every = 500 * time.Millisecond
		again = 5000 // ms until another sweep may look
		most  = 200
	)
	for sleep(ctx, every) {
		now := int64(h.clock.now())
		due, err := h.store.Due(ctx, now, now+again, most)
		if err != nil {
			if ctx.Err() == nil {
				h.log.Warn("could not ask for rooms that are due", "err", err)
			}
			continue
		}
		each(due, func(id string) { h.tick(ctx, id) })
	}
}

// tick lets happen in a room what time alone decides, and asks the bot anew
// whose turn it is.
func (h *Hub) tick(ctx context.Context, id string) {
	err := h.within(ctx, id, func(r *room) error {
		if _, err := r.command(ctx, tickCommand, h.clock.now()); err != nil {
			return err
		}
		r.nudge()
		return r.checkSeats(ctx)
	})
	if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrNotFound) {
		h.log.Warn("could not wake a room", "room", id, "err", err)
	}
}

// watchLogs reads now and then what rooms in memory may have missed: a
// subscription can look healthy and bring nothing.
func (h *Hub) watchLogs(ctx context.Context) {
	const round = 20 * time.Second
	for sleep(ctx, round) {
		each(h.all(), func(r *room) {
			if r.looking.CompareAndSwap(false, true) {
				if err := r.look(ctx, store.Announcement{}, 0); err != nil && ctx.Err() == nil {
					h.log.Warn("could not check a room", "room", r.id, "err", err)
				}
			}
			h.release(r)
		})
	}
}
