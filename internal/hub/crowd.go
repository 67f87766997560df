package hub

import (
	"context"
	"sync"
	"time"

	"gomokud/internal/store"
)

// crowds remembers in which rooms people came or went, so that the number of
// spectators is told once a second at most.
type crowds struct {
	mu    sync.Mutex
	rooms map[string]bool
}

func (c *crowds) changed(room string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rooms == nil {
		c.rooms = map[string]bool{}
	}
	c.rooms[room] = true
}

// take returns the rooms that changed since it was last called.
func (c *crowds) take() map[string]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	rooms := c.rooms
	c.rooms = nil
	return rooms
}

// attend tells the other nodes who is here and hears who is there.
func (h *Hub) attend(ctx context.Context, room string, a store.Attendance) (store.Attendance, error) {
	ctx, cancel := context.WithTimeout(ctx, h.cfg.StoreTimeout)
	defer cancel()
	return h.store.Attend(ctx, h.cfg.Node, room, a, int64(h.clock.now()), attendanceTTL)
}

// countCrowds keeps the numbers of spectators true until ctx ends.
func (h *Hub) countCrowds(ctx context.Context) {
	const renew = 10
	online := -1
	for second := 0; sleep(ctx, time.Second); second++ {
		changed := h.crowds.take()
		var crowded []*room
		for _, r := range h.all() {
			if changed[r.id] || second%renew == 0 {
				crowded = append(crowded, r)
			} else {
				h.release(r)
			}
			delete(changed, r.id)
		}
		each(crowded, func(r *room) {
			if err := h.countCrowd(ctx, r); err != nil && ctx.Err() == nil {
				h.log.Warn("could not count a room's spectators", "room", r.id, "err", err)
			}
			h.release(r)
		})
		for id := range changed { // left by the last of ours
			if _, err := h.attend(ctx, id, store.Attendance{}); err != nil && ctx.Err() == nil {
				h.log.Warn("could not sign off from a room", "room", id, "err", err)
			}
		}
		if now := h.visitors.online(); now != online || second%renew == 0 {
			h.countOnline(ctx, now)
			online = now
		}
	}
}

// countCrowd asks without the token, so that no move waits for the answer.
func (h *Hub) countCrowd(ctx context.Context, r *room) error {
	if err := r.takeSoon(ctx); err != nil {
		return err
	}
	here := r.local()
	r.give()
	total, err := h.attend(ctx, r.id, here)
	if err != nil {
		return err
	}
	if err := r.takeSoon(ctx); err != nil {
		return err
	}
	defer r.give()
	if total.Spectators != r.total.Spectators {
		r.broadcast(encode(spectatorsMessage{Type: "spectators", Room: r.id, Count: total.Spectators}))
	}
	r.total = total
	return nil
}

// countOnline sums up over all nodes how many players are connected.
func (h *Hub) countOnline(ctx context.Context, here int) {
	const everywhere = "*" // no room's name
	total, err := h.attend(ctx, everywhere, store.Attendance{Spectators: here})
	if err == nil {
		h.online.Store(int64(total.Spectators))
	}
}
