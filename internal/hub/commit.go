package hub

import (
	"errors"
	"fmt"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/store"
)

// commit stores events that follow the state and publishes them. They are
// folded first, since what they lead to is stored beside them; if storing fails
// the state is dropped with them. After an error that is not a conflict it is
// not known whether they were stored.
//
// It does not end with its sender: what is under way is better known than not.
func (r *room) commit(events []match.Event) error {
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
	due := c.Wake
	if r.wakesInTime(c.Wake) {
		c.Wake, due = store.KeepWake, r.due
	}
	r.known.Store(int64(r.state.Version))
	began := time.Now()
	if err := r.hub.store.Append(r.hub.patience.from(began), c); err != nil {
		r.drop()
		r.known.Store(int64(c.Expected))
		if !errors.Is(err, store.ErrConflict) {
			r.lookAgain()
		}
		return fmt.Errorf("store in room %s: %w", r.id, err)
	}
	r.due = due
	r.hub.metrics.stored(len(events), began)
	r.publish(c.Events, events[len(events)-1].Cmd)
	return nil
}

// wakesInTime reports whether the wake-up that stands in the agenda will do. One
// that comes too early finds nothing to do, and is then set anew; so that there are
// not many of those, one that is close counts for nothing.
func (r *room) wakesInTime(wake int64) bool {
	return r.due <= wake && r.due-int64(r.state.At) > time.Minute.Milliseconds()
}

// putOff sets the wake-up of a room that a sweep has found due too early. One that
// is due indeed, though nothing has come of it, comes again by itself.
func (r *room) putOff(now int64) error {
	if r.state == nil {
		return nil
	}
	c := store.Commit{Room: r.id, Expected: r.state.Version}
	plan(&c, r.state, nil)
	if c.Wake != 0 && c.Wake <= now {
		return nil
	}
	switch err := r.hub.store.Append(r.hub.patience.from(time.Now()), c); {
	case errors.Is(err, store.ErrConflict): // whose commit has set it
		return nil
	case err != nil:
		return fmt.Errorf("put off room %s: %w", r.id, err)
	}
	r.due = c.Wake
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
