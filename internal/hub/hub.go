package hub

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
	"gomokud/internal/store"
)

// Thinker moves for bots. The answer may come on any goroutine and must be
// taken without blocking it for long; ai.Pool is one.
type Thinker interface {
	Submit(job ai.Job, answer func(ai.Answer)) error
	Cancel(room string)
}

// keeper does what follows from a room's events. It is called with the room's
// token.
type keeper interface {
	changed(*room) // there are new ones
	known(*room)   // there are none, but the state is known again
}

// host is the keeper of a node: it looks after clocks, bots and seats.
type host struct{}

func (host) changed(r *room) {
	r.alarm()
	r.nudge()
	r.watchSeats()
}

func (host) known(r *room) { r.watchSeats() } // who came and went meanwhile

// Hub is one node of the service. Make it with New, then Run it.
type Hub struct {
	cfg      Config
	store    Store
	thinker  Thinker
	keeper   keeper
	bots     map[string]Bot
	log      *slog.Logger
	metrics  *metrics
	clock    clock
	registry registry
	vacated  vacated
	visitors visitors
	pairing  pairing
	lobby    lobby
	crowds   crowds
	slowed   crowds // rooms whose spectators have not been told all
	pressure pressure
	arrivals arrivals
	online   atomic.Int64
	pulse    pulse
	patience patience
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
	Works func() bool // at the moment; nil: always
}

// New returns a hub over a store, with opponents that think in thinker. It
// counts what it does in reg.
func New(cfg Config, s Store, t Thinker, bots []Bot, log *slog.Logger, reg prometheus.Registerer) *Hub {
	h := &Hub{cfg: cfg.withDefaults(), store: s, thinker: t, keeper: host{}, log: log, bots: map[string]Bot{}}
	for _, b := range bots {
		h.bots[b.Name] = b
	}
	h.pulse.made = time.Now()
	h.registry.rooms = map[string]*room{}
	h.visitors.init(h.cfg)
	h.pairing.init()
	h.metrics = newMetrics(h, reg)
	h.pressure.init(reg)
	h.arrivals.init(h.cfg, reg)
	h.life, h.end = context.WithCancel(context.Background())
	h.patience.life, h.patience.timeout = h.life, h.cfg.StoreTimeout
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
		h.keepTime, h.sweep, h.pairUp, h.countCrowds, h.showGames, h.watchLogs, h.pingAll, h.watchPressure, h.tellSlowly,
		h.clearRooms,
	} {
		running.Go(func() { loop(loops) })
	}
	<-ctx.Done()
	h.drain()
	stop()
	h.end() // commits of the loops do not wait for a store that hangs
	running.Wait()
	h.finish()
}

// finish waits for the tasks under way, having cut them short.
func (h *Hub) finish() {
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
