package hub

import (
	"context"
	"sync"
)

// registry holds the rooms that are in memory because somebody needs them.
type registry struct {
	mu    sync.Mutex
	rooms map[string]*room
}

// open returns the room with the token taken and the state loaded; whoever
// opens a room must close it with h.shut, or with h.release after having given
// the token back.
func (h *Hub) open(ctx context.Context, id string) (*room, error) {
	h.registry.mu.Lock()
	r := h.registry.rooms[id]
	if r == nil {
		r = newRoom(h, id)
		h.registry.rooms[id] = r
	}
	r.refs++
	h.registry.mu.Unlock()

	if err := r.takeSoon(ctx); err != nil {
		h.release(r)
		return nil, err
	}
	if r.stop == nil { // follow before the first read, so that nothing falls between
		r.stop = h.store.Follow(id, r.announced)
	}
	if err := r.refresh(ctx); err != nil {
		h.shut(r)
		return nil, err
	}
	return r, nil
}

// shut gives the token back and lets go of the room.
func (h *Hub) shut(r *room) {
	r.give()
	h.release(r)
}

// hold keeps a room in memory until it is released, unless it is already on its
// way out.
func (h *Hub) hold(r *room) bool {
	h.registry.mu.Lock()
	defer h.registry.mu.Unlock()
	if h.registry.rooms[r.id] != r {
		return false
	}
	r.refs++
	return true
}

// release lets go of the room; the last to do so ends it.
func (h *Hub) release(r *room) {
	h.registry.mu.Lock()
	r.refs--
	last := r.refs == 0
	if last {
		delete(h.registry.rooms, r.id)
	}
	h.registry.mu.Unlock()
	if last {
		r.token <- struct{}{} // soon: whoever has it without a reference is about to give it
		r.close()
		<-r.token
	}
}

// all returns the rooms in memory, each with a reference to be released.
func (h *Hub) all() []*room {
	h.registry.mu.Lock()
	defer h.registry.mu.Unlock()
	list := make([]*room, 0, len(h.registry.rooms))
	for _, r := range h.registry.rooms {
		r.refs++
		list = append(list, r)
	}
	return list
}

func (g *registry) size() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.rooms)
}

// within runs fn with the room opened.
func (h *Hub) within(ctx context.Context, id string, fn func(*room) error) error {
	r, err := h.open(ctx, id)
	if err != nil {
		return err
	}
	defer h.shut(r)
	return r.contain(func() error { return fn(r) })
}
