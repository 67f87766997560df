package hub

import (
	"context"
	"sync"
	"time"
)

// vacated keeps rooms in memory for those whose connection ended: most were
// cut off and are back in a moment, many at once, and need find nothing to be
// read and folded again.
type vacated struct {
	mu   sync.Mutex
	left []left // oldest first
}

// left is a room that somebody left, held until then.
type left struct {
	room  *room
	until time.Time
}

const (
	lingerFor     = 15 * time.Second
	mostLingering = 8192
)

// add reports false when as many linger as may.
func (v *vacated) add(r *room) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.left) == mostLingering {
		return false
	}
	v.left = append(v.left, left{r, time.Now().Add(lingerFor)})
	return true
}

// take returns those whose time was over at a moment.
func (v *vacated) take(now time.Time) (over []left) {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := 0
	for n < len(v.left) && !now.Before(v.left[n].until) {
		n++
	}
	if over = v.left[:n:n]; n == len(v.left) {
		v.left = nil
	} else {
		v.left = v.left[n:]
	}
	return over
}

// linger is shut for a client whose connection ended.
func (h *Hub) linger(r *room) {
	r.give()
	if h.draining.Load() || h.pressure.at(noThumbnails) || !h.vacated.add(r) {
		h.release(r)
	}
}

// clearRooms releases the rooms that have lingered for long enough, until ctx ends,
// and then all of them. Under pressure none linger.
func (h *Hub) clearRooms(ctx context.Context) {
	release := func(now time.Time) {
		for _, l := range h.vacated.take(now) {
			h.release(l.room)
		}
	}
	for sleep(ctx, time.Second) {
		now := time.Now()
		if h.pressure.at(noThumbnails) {
			now = now.Add(lingerFor)
		}
		release(now)
	}
	release(time.Now().Add(lingerFor))
}
