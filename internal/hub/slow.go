package hub

import (
	"context"
	"iter"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// Under pressure spectators are told of a game only now and then: of all that
// happened since, in one message.

// slowPause is how long they wait.
const slowPause = 2 * time.Second

// tell sends the latest events to everybody, or, under pressure, to those who
// play.
func (r *room) tell(raw [][]byte, cmd *match.Stamp) {
	frame := r.eventsFrame(raw, cmd)
	if len(r.viewers) == len(r.seated) || r.held == 0 && !r.hub.pressure.at(slowSpectators) {
		r.broadcast(frame)
		return
	}
	r.held += len(raw)
	r.hub.slowed.changed(r.id)
	r.hub.pressure.shed.WithLabelValues("updates").Inc()
	for _, c := range r.viewers { // not r.seated: who takes a seat with these events is not there yet
		if r.seatOf(c.player.ID) != rules.Empty {
			c.send(frame)
		}
	}
}

// spectators are the viewers without a seat.
func (r *room) spectators() iter.Seq[*client] {
	return func(yield func(*client) bool) {
		for _, v := range r.viewers {
			if v.side == rules.Empty && !yield(v.client) {
				return
			}
		}
	}
}

// tellSlowly brings spectators up to date until ctx ends.
func (h *Hub) tellSlowly(ctx context.Context) {
	for sleep(ctx, slowPause) {
		for id := range h.slowed.take() {
			h.tellHeld(ctx, id)
		}
	}
}

// tellHeld tells a room's spectators what was held back, or leaves it for the next
// time.
func (h *Hub) tellHeld(ctx context.Context, id string) {
	r := h.inMemory(id)
	if r == nil {
		return
	}
	defer h.release(r)
	if r.takeSoon(ctx) != nil {
		h.slowed.changed(id)
		return
	}
	defer r.give()
	if r.contain(func() error { r.tellHeld(); return nil }) != nil {
		h.slowed.changed(id)
	}
}

func (r *room) tellHeld() {
	switch {
	case r.held == 0:
		return
	case r.state == nil: // not now
		r.hub.slowed.changed(r.id)
		return
	case r.held <= len(r.recent):
		r.hub.deliver(r.eventsFrame(r.recent[len(r.recent)-r.held:], nil), r.spectators())
	default:
		r.hub.deliver(r.wholeFrame("", r.hub.clock.now()), r.spectators())
	}
	r.held = 0
}

// inMemory returns the room with a reference to be released, or nil if nobody
// needs it.
func (h *Hub) inMemory(id string) *room {
	h.registry.mu.Lock()
	defer h.registry.mu.Unlock()
	r := h.registry.rooms[id]
	if r != nil {
		r.refs++
	}
	return r
}

// mayWatch turns newcomers away who only want to watch, under pressure.
func (c *client) mayWatch(r *room) error {
	if r.seatOf(c.player.ID) != rules.Empty || r.state.Phase == match.Open || !c.hub.pressure.sheds(slowSpectators, "spectators") {
		return nil
	}
	return &refusal{code: "busy", text: "Too much is going on here for more people to watch. Try again in a moment.", retry: 5 * time.Second}
}
