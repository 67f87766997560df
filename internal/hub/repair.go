package hub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"gomokud/internal/match"
	"gomokud/internal/store"
)

// A store can come back with less than it has acknowledged: a failover to a
// replica that lagged behind, an append-only file without its end. The latest
// events of a room outlive that in every node that has shown them to somebody,
// and from there they are put back.

// read returns the log from the given version on and whether it continues what
// people have been shown; only then are its events to be folded. It asks for
// one event more than is missing, to be sure that the last known one is there
// and the same.
func (r *room) read(ctx context.Context, from int) (tail store.Tail, whole bool, err error) {
	overlap := min(from, 1)
	tail, err = r.hub.store.Read(ctx, r.id, from-overlap)
	if errors.Is(err, store.ErrNotFound) && r.shown > 0 {
		return store.Tail{}, false, nil
	}
	if err != nil {
		return store.Tail{}, false, fmt.Errorf("read room %s: %w", r.id, err)
	}
	first := tail.Version - len(tail.Events)
	whole = r.shown == 0 ||
		tail.Version >= r.shown && bytes.Equal(tail.Events[r.shown-1-first], r.recent[len(r.recent)-1])
	tail.Events = tail.Events[min(overlap, len(tail.Events)):]
	return tail, whole, nil
}

// mend deals with a log that does not continue what people have been shown. If
// only the end is missing, and we have it, it is put back, and the log may be
// read again. Else what is there now counts: the state and all that was shown
// are forgotten.
func (r *room) mend(ctx context.Context) error {
	tail, err := r.hub.store.Read(ctx, r.id, 0)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("read room %s: %w", r.id, err)
	}
	log := r.hub.log.With("room", r.id, "shown", r.shown, "has", tail.Version, "epoch", r.epoch, "now", tail.Epoch)
	missing, ours := r.missing(tail.Events)
	if !ours {
		log.Error("a room's log went backwards, and what it lost is gone")
		r.hub.metrics.mended("lost")
		r.drop()
		r.shown, r.recent = 0, nil
		return nil
	}
	if len(missing) == 0 { // another node has put it back meanwhile
		return nil
	}
	c := store.Commit{Room: r.id, Expected: tail.Version, Events: missing}
	state := new(match.State)
	for _, data := range slices.Concat(tail.Events, missing) {
		e, err := match.Decode(data)
		if err == nil {
			err = state.Apply(e)
		}
		if err != nil {
			return fmt.Errorf("mend room %s: %w", r.id, err)
		}
	}
	plan(&c, state, nil)
	c.Index = indexOf(state)
	switch err := r.hub.store.Append(ctx, c); {
	case errors.Is(err, store.ErrConflict): // somebody else mends it, or plays on
		return nil
	case err != nil:
		return fmt.Errorf("mend room %s: %w", r.id, err)
	}
	log.Warn("a room's log went backwards; what it had lost was put back", "events", len(missing))
	r.hub.metrics.mended("repaired")
	return nil
}

// missing returns what the log lacks of the events that people have been shown,
// if the two are of one history and the events are at hand.
func (r *room) missing(log [][]byte) (events [][]byte, ours bool) {
	oldest := r.shown - len(r.recent) // the version before our oldest event
	known := min(len(log), r.shown)
	if known < oldest || known == oldest && oldest > 0 {
		return nil, false
	}
	if known > 0 && !bytes.Equal(log[known-1], r.recent[known-1-oldest]) {
		return nil, false
	}
	return r.recent[known-oldest:], true
}
