package hub

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
	"gomokud/internal/match"
	"gomokud/internal/store"
)

// Aside is a store as a deputy needs it.
type Aside interface {
	Store
	// Outages returns what Beat does without being a beat: ErrUnavailable if no
	// beat is less than gap ago.
	Outages(ctx context.Context, now int64, gap time.Duration) ([]store.Outage, error)
}

// Deputy plays bots' turns in rooms that nodes look after: it follows a room
// while its bot thinks, and plays as the nodes do. It has no clients, is
// nobody's presence, lets no flag fall of itself, and is no sign that the
// service lives.
type Deputy struct {
	hub   *Hub
	store Aside

	mu    sync.Mutex
	turns map[string]*turn // under way, by room
}

// turn is a bot's turn that a deputy plays.
type turn struct {
	room    *room // held
	version int   // of the position
	bot     match.Player
	answers chan ai.Answer
	over    chan struct{} // closed when the position has changed
	thought bool          // the bot has answered; guarded by the deputy's mutex
}

// NewDeputy returns a deputy whose bots think in t. Of the configuration it
// needs the time that the store may take.
func NewDeputy(cfg Config, s Aside, t Thinker, log *slog.Logger, reg prometheus.Registerer) *Deputy {
	d := &Deputy{store: s, turns: map[string]*turn{}}
	d.hub = New(cfg, s, t, nil, log, reg)
	d.hub.keeper = d
	return d
}

// Start asks the store for the time. Without it a deputy plays nothing.
func (d *Deputy) Start(ctx context.Context) error { return d.hub.clock.discipline(ctx, d.hub.store) }

// Run keeps the clock until ctx ends, and returns once nothing of the deputy
// runs any more. Turns must be over by then, or their contexts.
func (d *Deputy) Run(ctx context.Context) {
	for sleep(ctx, 10*time.Second) {
		if err := d.hub.clock.discipline(ctx, d.hub.store); ctx.Err() == nil {
			d.hub.setTrouble(err)
		}
	}
	d.hub.finish()
}

// Answer plays the turn that a hint speaks of, and returns when it is over:
// played by us, or by somebody else, or called off. An error leaves the turn to
// whoever asked for it.
func (d *Deputy) Answer(ctx context.Context, hint store.Hint) (played bool, err error) {
	var t *turn
	err = d.hub.within(ctx, hint.Room, func(r *room) (err error) {
		t, err = d.begin(ctx, r, hint)
		return err
	})
	if t == nil {
		return false, err
	}
	defer d.end(t)
	select {
	case a := <-t.answers:
		d.mu.Lock()
		t.thought = true
		d.mu.Unlock()
		return d.play(ctx, t, a)
	case <-t.over:
		return false, nil
	case <-ctx.Done():
		return false, fmt.Errorf("a turn in room %s: %w", hint.Room, ctx.Err())
	}
}

// begin asks the bot, if it is its turn in the position of the hint. The turn
// keeps the room in memory.
func (d *Deputy) begin(ctx context.Context, r *room, hint store.Hint) (*turn, error) {
	left := time.Duration(hint.Deadline-int64(d.hub.clock.now())) * time.Millisecond
	if left <= 0 {
		return nil, store.ErrLate
	}
	if r.state.Position < hint.Version { // ahead of what was announced here
		if err := r.catchUp(ctx); err != nil {
			return nil, err
		}
	}
	bot, is := r.state.BotToMove()
	if !is || r.state.Position != hint.Version {
		return nil, nil
	}
	t := &turn{room: r, version: hint.Version, bot: bot, answers: make(chan ai.Answer, 1), over: make(chan struct{})}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.turns[r.id] != nil || !d.hub.hold(r) {
		return nil, nil // it is under way
	}
	job := r.job(bot)
	job.Budget.Time = min(job.Budget.Time, left)
	if err := d.hub.thinker.Submit(job, func(a ai.Answer) { t.answers <- a }); err != nil {
		r.letGo()
		return nil, fmt.Errorf("ask the bot in room %s: %w", r.id, err)
	}
	d.turns[r.id] = t
	return t, nil
}

// play makes the bot's move, on a clock that pays for no outage: if no node
// can be heard, one may be going on.
func (d *Deputy) play(ctx context.Context, t *turn, a ai.Answer) (bool, error) {
	asking, cancel := context.WithTimeout(ctx, d.hub.cfg.StoreTimeout)
	defer cancel()
	outages, err := d.store.Outages(asking, int64(d.hub.clock.now()), beatGap)
	if err != nil {
		return false, err
	}
	d.hub.downtime.Store(&outages)
	return d.hub.botMoves(ctx, t.bot, a)
}

// end lets go of the turn and its room.
func (d *Deputy) end(t *turn) {
	d.mu.Lock()
	d.settle(t)
	d.mu.Unlock()
	d.hub.release(t.room)
}

// settle calls the bot off, if it still thinks about the turn. The caller holds
// the lock.
func (d *Deputy) settle(t *turn) {
	if d.turns[t.room.id] != t {
		return
	}
	delete(d.turns, t.room.id)
	if !t.thought {
		d.hub.thinker.Cancel(t.room.id)
	}
}

// changed implements keeper: a turn in another position is over.
func (d *Deputy) changed(r *room) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.turns[r.id]
	if t == nil {
		return
	}
	if _, is := r.state.BotToMove(); !is || r.state.Position != t.version {
		d.settle(t)
		close(t.over)
	}
}

// known implements keeper.
func (d *Deputy) known(*room) {}
