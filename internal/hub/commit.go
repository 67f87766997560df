package hub

import (
	"context"
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
