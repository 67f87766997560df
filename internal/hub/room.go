package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/rules"
	"gomokud/internal/store"
)

// room is one room as this node sees it: a cache of its log, and who follows
// it from here.
//
// Whoever holds the token owns every field below it. The token is a channel
// rather than a mutex because taking it can be given up with a context: it is
// held while a commit is on its way to the store, which orders the room's
// commits and lets other rooms' travel beside them.
type room struct {
	id    string
	hub   *Hub
	token chan struct{}

	// known is the version that the log has, or will have when the commit on
	// its way succeeds; announcements up to it are no news.
	known   atomic.Int64
	looking atomic.Bool  // a look at the log is under way or waiting
	news    atomic.Int64 // announcements of something unknown so far
	asked   atomic.Int64 // the position that a bot thinks about, less than 0 once it has answered; 0: none

	epoch   string
	state   *match.State          // nil until loaded
	shown   int                   // the version that viewers have been told of
	recent  [][]byte              // the latest of the events shown, encoded; they outlive the state
	viewers []viewer              // in the order in which they came: so their memory is best gone through
	seated  []*client             // those of them who have one
	counted match.ByColor[string] // the players for whom that is true
	here    match.ByColor[int]    // connections for each seat on this node
	total   store.Attendance      // who is there on all nodes, as last heard
	wake    *time.Timer           // for when the state next changes by itself
	check   *time.Timer           // for when a seat may turn out to be left
	stop    func()                // ends the announcements
	due     int64                 // the wake-up that stands in the agenda; 0: not known
	closed  bool
	held    int  // of the events shown, so many are still to be told to spectators
	doubted bool // somebody claimed to have seen more than the log has

	refs int // guarded by the registry's mutex
}

// keepRecent is how many events at least are kept encoded, for those who missed a few and
// to mend a log that lost some.
const keepRecent = 64

// maxConflicts is how often a command is decided again because another node was
// faster, before its sender is told to try later.
const maxConflicts = 16

func newRoom(h *Hub, id string) *room {
	return &room{id: id, hub: h, token: make(chan struct{}, 1)}
}

// take takes the token; give gives it back.
func (r *room) take(ctx context.Context) error {
	select {
	case r.token <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for room %s: %w", r.id, ctx.Err())
	}
}

// takeSoon is take for those who would rather try later than wait for longer
// than the store may take.
func (r *room) takeSoon(ctx context.Context) error {
	select {
	case r.token <- struct{}{}: // as nearly always
		return nil
	default:
	}
	ctx, cancel := context.WithTimeout(ctx, r.hub.cfg.StoreTimeout)
	defer cancel()
	return r.take(ctx)
}

func (r *room) give() { <-r.token }

// refresh makes sure that the state is loaded. The caller holds the token, as
// for all methods below.
func (r *room) refresh(ctx context.Context) error {
	if r.state != nil {
		return nil
	}
	return r.catchUp(ctx)
}

// drop forgets the state after a commit whose fate is unknown or that another
// node's forestalled; the log will tell.
func (r *room) drop() { r.state, r.due = nil, 0 }

// maxMends is how often a log that went backwards is looked at again, as other
// nodes mend it too.
const maxMends = 4

// catchUp folds what the log has and the state has not, and tells the viewers.
func (r *room) catchUp(ctx context.Context) error {
	return r.contain(func() error { return r.followLog(ctx) })
}

func (r *room) followLog(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, r.hub.cfg.StoreTimeout)
	defer cancel()
	for range maxMends {
		have := 0
		if r.state != nil {
			have = r.state.Version
		}
		tail, whole, err := r.read(ctx, have)
		if err != nil {
			return err
		}
		if whole {
			r.epoch = tail.Epoch
			r.known.Store(int64(tail.Version))
			return r.fold(tail.Events)
		}
		if err := r.mend(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("room %s: its log changes while it is mended: %w", r.id, store.ErrUnavailable)
}

// fold applies encoded events that follow the state and publishes them. If they
// do not follow, that costs the state.
func (r *room) fold(raw [][]byte) error {
	if err := r.contain(func() error { return r.follow(raw) }); err != nil {
		r.drop()
		return fmt.Errorf("room %s: %w", r.id, err)
	}
	return nil
}

func (r *room) follow(raw [][]byte) error {
	var cmd *match.Stamp
	r.due = 0 // somebody else may have said when
	for _, data := range raw {
		e, err := match.Decode(data)
		if err == nil {
			err = r.apply(e)
		}
		if err != nil {
			return err
		}
		cmd = e.Cmd
	}
	before := r.shown
	r.publish(raw, cmd)
	if before > 0 && r.shown > before && len(r.viewers) > 0 {
		r.hub.metrics.relayed(match.Millis(r.hub.clock.now() - r.state.At))
	}
	return nil
}

func (r *room) apply(e match.Event) error {
	if r.state == nil {
		r.state = new(match.State)
	}
	return r.state.Apply(e)
}

// publish tells the viewers of the latest events that they have not been shown,
// and arranges what follows from them.
func (r *room) publish(raw [][]byte, cmd *match.Stamp) {
	unseen := min(r.state.Version-r.shown, len(raw))
	recent := append(r.recent, raw[len(raw)-unseen:]...)
	if len(recent) > 2*keepRecent {
		recent = slices.Clone(recent[len(recent)-keepRecent:])
	}
	switch {
	case unseen == 0:
		r.hub.keeper.known(r)
		return
	case len(r.viewers) > 0 && r.shown == 0:
		r.held = 0
		r.broadcast(r.wholeFrame("", r.hub.clock.now()))
	case len(r.viewers) > 0:
		r.tell(raw[len(raw)-unseen:], cmd)
	}
	r.shown, r.recent = r.state.Version, recent // at once: after a fault they still belong together
	r.hub.keeper.changed(r)
}

// command decides a command as of the time at which it was received, and stores
// what follows. What we take to get to it is not on the player's clock. It
// returns the version at which the command's effect is in the log.
func (r *room) command(ctx context.Context, c match.Command, received match.Instant) (int, error) {
	return r.commandWhile(ctx, c, received, func() bool { return true })
}

// errPast: what a command was meant for holds no longer.
var errPast = errors.New("hub: the position is past")

// commandWhile is command as long as something holds of the state; else it
// returns errPast.
func (r *room) commandWhile(ctx context.Context, c match.Command, received match.Instant, holds func() bool) (version int, err error) {
	err = r.contain(func() (err error) {
		version, err = r.decide(ctx, c, received, holds)
		return err
	})
	return version, err
}

func (r *room) decide(ctx context.Context, c match.Command, received match.Instant, holds func() bool) (int, error) {
	for range maxConflicts {
		if err := r.refresh(ctx); err != nil {
			return 0, err
		}
		if !holds() {
			return 0, errPast
		}
		events, err := r.overdue(ctx, received)
		first := len(events) > 0 // then the command is decided after them
		if err == nil && !first {
			events, err = match.Decide(r.state, c, received)
		}
		if err != nil {
			return 0, err
		}
		if len(events) == 0 {
			return r.state.Version, nil
		}
		switch err := r.commit(events); {
		case errors.Is(err, store.ErrConflict): // another node was faster
			r.hub.metrics.conflicts.Inc()
		case err != nil:
			return 0, err
		case !first:
			return r.state.Version, nil
		}
	}
	return 0, fmt.Errorf("room %s: %d conflicts in a row: %w", r.id, maxConflicts, store.ErrConflict)
}

// overdue is what must happen before anything else: downtime is credited, then
// flags fall.
func (r *room) overdue(ctx context.Context, now match.Instant) ([]match.Event, error) {
	if r.state.Phase == match.Playing && !r.state.Game.Clock.Unlimited() {
		if err := r.hub.sure(ctx); err != nil {
			return nil, err
		}
	}
	for _, o := range r.hub.outages() {
		if match.Instant(o.To) <= r.state.Since {
			continue // long over: nearly always, so that it is worth not to ask
		}
		credit := match.Command{Act: match.Credit{From: match.Instant(o.From), To: match.Instant(o.To)}}
		if events, err := match.Decide(r.state, credit, now); err != nil || len(events) > 0 {
			return events, err
		}
	}
	return match.Decide(r.state, match.Command{Act: match.Tick{}}, now)
}

// alarm sets the timer for what will happen by itself, if that is soon; what is
// far off is left to the sweep.
func (r *room) alarm() {
	stopTimer(&r.wake)
	wake := r.state.Wake()
	if wake == 0 {
		return
	}
	wait := time.Duration(wake-r.hub.clock.now()) * time.Millisecond
	if wait > time.Minute {
		return
	}
	r.wake = time.AfterFunc(max(0, wait), func() {
		r.hub.spawn(func(ctx context.Context) { r.hub.tick(ctx, r.id) })
	})
}

// close ends what a room that nobody needs any more still has going.
func (r *room) close() {
	r.closed = true
	stopTimer(&r.wake)
	stopTimer(&r.check)
	if r.stop != nil {
		r.stop()
	}
}

func stopTimer(t **time.Timer) {
	if *t != nil {
		(*t).Stop()
		*t = nil
	}
}

// seatOf is the side that a player has in the room, as far as known.
func (r *room) seatOf(player string) rules.Color {
	if r.state == nil {
		return rules.Empty
	}
	return r.state.SeatOf(player)
}
