// Package follow hands announcements to those who follow a room. Both stores
// use it: one calls Announce as it commits, the other as messages come in.
package follow

import (
	"maps"
	"slices"
	"sync"

	"gomokud/internal/store"
)

// Registry is who follows which room; the zero value is ready. Its methods may
// be called from many goroutines.
type Registry struct {
	// Changed, if set, is called when a room gets its first follower or loses
	// its last. It must not block and must not call the registry.
	Changed func(room string)

	mu    sync.RWMutex
	rooms map[string][]*follower // the slices are replaced, never changed
}

type follower struct {
	mu      sync.Mutex
	stopped bool
	fn      func(store.Announcement)
}

// Follow calls fn for each announcement of the room, one at a time, until stop
// is called. Once stop has returned fn is not called again; fn must therefore
// not call stop itself. A second call of stop does nothing.
func (r *Registry) Follow(room string, fn func(store.Announcement)) (stop func()) {
	f := &follower{fn: fn}
	r.mu.Lock()
	if r.rooms == nil {
		r.rooms = make(map[string][]*follower)
	}
	old := r.rooms[room]
	r.rooms[room] = append(slices.Clip(old), f)
	r.mu.Unlock()
	if len(old) == 0 {
		r.changed(room)
	}
	return sync.OnceFunc(func() { r.leave(room, f) })
}

func (r *Registry) leave(room string, f *follower) {
	r.mu.Lock()
	left := slices.DeleteFunc(slices.Clone(r.rooms[room]), func(g *follower) bool { return g == f })
	if len(left) == 0 {
		delete(r.rooms, room)
	} else {
		r.rooms[room] = left
	}
	r.mu.Unlock()
	if len(left) == 0 {
		r.changed(room)
	}
	f.mu.Lock() // waits for a call that is under way
	f.stopped = true
	f.mu.Unlock()
}

func (r *Registry) changed(room string) {
	if r.Changed != nil {
		r.Changed(room)
	}
}

// Announce tells the followers of a.Room.
func (r *Registry) Announce(a store.Announcement) {
	r.mu.RLock()
	followers := r.rooms[a.Room]
	r.mu.RUnlock()
	for _, f := range followers {
		f.mu.Lock()
		if !f.stopped {
			f.fn(a)
		}
		f.mu.Unlock()
	}
}

// Followed says whether anyone follows the room.
func (r *Registry) Followed(room string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.rooms[room]) > 0
}

// Rooms returns the rooms that anyone follows.
func (r *Registry) Rooms() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Collect(maps.Keys(r.rooms))
}
