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
	looking atomic.Bool // a look at the log is under way or waiting

	epoch   string
	state   *match.State // nil until loaded
	shown   int          // the version that viewers have been told of
	recent  [][]byte     // the latest events, encoded; they end at state.Version
	viewers map[*client]struct{}
	here    match.ByColor[int] // connections for each seat on this node
	total   store.Attendance   // who is there on all nodes, as last heard
	wake    *time.Timer        // for when the state next changes by itself
	check   *time.Timer        // for when a seat may turn out to be left
	asked   int                // the position that a bot was asked about
	stop    func()             // ends the announcements
	closed  bool

	refs int // guarded by the registry's mutex
}

// keepRecent is how many events are kept encoded for those who missed a few.
const keepRecent = 64

// maxConflicts is how often a command is decided again because another node was
// faster, before its sender is told to try later.
const maxConflicts = 16

func newRoom(h *Hub, id string) *room {
	return &room{id: id, hub: h, token: make(chan struct{}, 1), viewers: map[*client]struct{}{}}
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
func (r *room) drop() { r.state, r.recent = nil, nil }

// catchUp folds what the log has and the state has not, and tells the viewers.
func (r *room) catchUp(ctx context.Context) error {
	have := 0
	if r.state != nil {
		have = r.state.Version
	}
	ctx, cancel := context.WithTimeout(ctx, r.hub.cfg.StoreTimeout)
	defer cancel()
	tail, err := r.hub.store.Read(ctx, r.id, have)
	if err != nil {
		return fmt.Errorf("read room %s: %w", r.id, err)
	}
	if r.shown > 0 && (tail.Epoch != r.epoch || tail.Version < r.shown) {
		// The log is not the one that people have seen: say so, begin anew.
		r.hub.log.Error("a room's log went backwards", "room", r.id,
			"shown", r.shown, "has", tail.Version, "epoch", r.epoch, "now", tail.Epoch)
		r.drop()
		r.shown = 0
		if tail, err = r.hub.store.Read(ctx, r.id, 0); err != nil {
			return fmt.Errorf("read room %s: %w", r.id, err)
		}
	}
	r.epoch = tail.Epoch
	r.known.Store(int64(tail.Version))
	return r.fold(tail.Events)
}

// fold applies encoded events that follow the state and publishes them.
func (r *room) fold(raw [][]byte) error {
	var cmd *match.Stamp
	for _, data := range raw {
		e, err := match.Decode(data)
		if err == nil {
			err = r.apply(e)
		}
		if err != nil {
			r.drop()
			return fmt.Errorf("room %s: %w", r.id, err)
		}
		cmd = e.Cmd
	}
	r.publish(raw, cmd)
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
	r.recent = append(r.recent, raw...)
	if extra := len(r.recent) - keepRecent; extra > 0 {
		r.recent = slices.Clone(r.recent[extra:])
	}
	unseen := min(r.state.Version-r.shown, len(raw))
	switch {
	case unseen == 0:
		return
	case len(r.viewers) > 0 && r.shown == 0:
		r.broadcast(r.wholeFrame("", r.hub.clock.now()))
	case len(r.viewers) > 0:
		r.broadcast(r.eventsFrame(raw[len(raw)-unseen:], cmd))
	}
	r.shown = r.state.Version
	r.alarm()
	r.nudge()
	r.watchSeats()
}

// command decides a command as of the time at which it was received, and stores
// what follows. What we take to get to it is not on the player's clock. It
// returns the version at which the command's effect is in the log.
func (r *room) command(ctx context.Context, c match.Command, received match.Instant) (int, error) {
	for range maxConflicts {
		if err := r.refresh(ctx); err != nil {
			return 0, err
		}
		events, err := r.overdue(received)
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
		switch err := r.commit(ctx, events); {
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
func (r *room) overdue(now match.Instant) ([]match.Event, error) {
	for _, o := range r.hub.outages() {
		credit := match.Command{Act: match.Credit{From: match.Instant(o.From), To: match.Instant(o.To)}}
		if events, err := match.Decide(r.state, credit, now); err != nil || len(events) > 0 {
			return events, err
		}
	}
	return match.Decide(r.state, match.Command{Act: match.Tick{}}, now)
}

// commit stores events that follow the state and publishes them. They are
// folded first, since what they lead to is stored beside them; if storing fails
// the state is dropped with them. After an error that is not a conflict it is
// not known whether they were stored.
func (r *room) commit(ctx context.Context, events []match.Event) error {
	c := store.Commit{Room: r.id, Expected: r.state.Version, Events: make([][]byte, len(events))}
	for i, e := range events {
		var err error
		if c.Events[i], err = match.Encode(e); err == nil {
			err = r.apply(e)
		}
		if err != nil {
			r.drop()
			return fmt.Errorf("room %s: %w", r.id, err)
		}
	}
	plan(&c, r.state, events)
	r.known.Store(int64(r.state.Version))
	ctx, cancel := context.WithTimeout(ctx, r.hub.cfg.StoreTimeout)
	defer cancel()
	began := time.Now()
	if err := r.hub.store.Append(ctx, c); err != nil {
		r.drop()
		r.known.Store(int64(c.Expected))
		if !errors.Is(err, store.ErrConflict) {
			r.lookAgain()
		}
		return fmt.Errorf("store in room %s: %w", r.id, err)
	}
	r.hub.metrics.stored(len(events), began)
	r.publish(c.Events, events[len(events)-1].Cmd)
	return nil
}

// plan completes a commit with what follows from the state that it leads to:
// the next wake-up and, when they change, the lists in which the room stands.
func plan(c *store.Commit, s *match.State, events []match.Event) {
	c.Wake = int64(s.Wake())
	if _, bot := s.BotToMove(); bot {
		soon := int64(s.At) + botPatience.Milliseconds()
		if c.Wake == 0 || soon < c.Wake {
			c.Wake = soon
		}
	}
	for _, e := range events {
		switch e.Fact.(type) {
		case match.Created, match.Seated, match.Started, match.Ended:
			c.Index = indexOf(s)
		}
	}
}

func indexOf(s *match.State) *store.Index {
	index := &store.Index{Live: s.Phase == match.Playing, Done: s.Phase == match.Over}
	if index.Done {
		return index
	}
	for _, seat := range []match.Seat{s.Seats.Black, s.Seats.White} {
		if seat.ID != "" && seat.Bot == "" {
			index.Players = append(index.Players, seat.ID)
		}
	}
	return index
}

// look runs after an announcement of something unknown here: it reads what is
// missing, unless the announcement brought it along.
func (r *room) look(ctx context.Context, a store.Announcement) error {
	if err := r.take(ctx); err != nil {
		return err
	}
	defer r.give()
	r.looking.Store(false)
	if r.closed {
		return nil
	}
	if r.state != nil && a.Version > 0 && a.Version-len(a.Events) == r.state.Version {
		r.known.Store(int64(a.Version))
		return r.fold(a.Events)
	}
	if r.state == nil || a.Version == 0 || a.Version > r.state.Version {
		return r.catchUp(ctx)
	}
	return nil
}

// lookAgain keeps looking until the log can be read, after a commit whose fate
// is unknown: who sees the room must learn it even if nobody asks again.
func (r *room) lookAgain() {
	if !r.looking.CompareAndSwap(false, true) {
		return
	}
	r.hub.spawn(func(ctx context.Context) {
		for pause := 250 * time.Millisecond; ; pause = min(2*pause, 4*time.Second) {
			if !sleep(ctx, pause) || r.look(ctx, store.Announcement{}) == nil {
				return
			}
			r.looking.Store(true)
		}
	})
}

// announced is called by the store; it must not block.
func (r *room) announced(a store.Announcement) {
	if a.Version != 0 && int64(a.Version) <= r.known.Load() {
		return
	}
	if !r.looking.CompareAndSwap(false, true) {
		return // the look to come will read everything
	}
	r.hub.spawn(func(ctx context.Context) {
		if err := r.look(ctx, a); err != nil && ctx.Err() == nil {
			r.hub.log.Warn("could not follow a room", "room", r.id, "err", err)
		}
	})
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
