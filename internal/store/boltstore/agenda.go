package boltstore

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
)

// An agenda is the lists in which rooms stand. Store.mu guards it.
type agenda struct {
	wakes   wakeHeap
	live    []*room // by stamp, so the latest begun is last
	players map[string][]*room
}

// leave takes the room out of the lists of games; enter puts it back in where
// it belongs. What happens to the room in between is the caller's.
func (a *agenda) leave(r *room) {
	if i, ok := a.liveIndex(r); ok {
		a.live = slices.Delete(a.live, i, i+1)
	}
	for _, p := range r.players {
		rooms := slices.DeleteFunc(a.players[p], func(o *room) bool { return o == r })
		if len(rooms) == 0 {
			delete(a.players, p)
		} else {
			a.players[p] = rooms
		}
	}
}

func (a *agenda) enter(r *room) {
	if i, ok := a.liveIndex(r); !ok && r.live != 0 {
		a.live = slices.Insert(a.live, i, r)
	}
	for _, p := range r.players {
		if !slices.Contains(a.players[p], r) {
			a.players[p] = append(a.players[p], r)
		}
	}
}

func (a *agenda) liveIndex(r *room) (int, bool) {
	return slices.BinarySearchFunc(a.live, r.live, func(o *room, stamp uint64) int {
		return cmp.Compare(o.live, stamp)
	})
}

// wakeAt sets when the room is due; 0 is never.
func (a *agenda) wakeAt(r *room, due int64) {
	r.due = due
	switch {
	case due == 0 && r.slot != noSlot:
		heap.Remove(&a.wakes, r.slot)
	case due == 0:
	case r.slot == noSlot:
		heap.Push(&a.wakes, r)
	default:
		heap.Fix(&a.wakes, r.slot)
	}
}

// Due implements hub.Agenda. The putting off is in memory only: after a
// restart the rooms are due again at once, which loses nothing.
func (s *Store) Due(ctx context.Context, now, again int64, limit int) ([]string, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var due []*room
	for len(due) < limit && len(s.agenda.wakes) > 0 && s.agenda.wakes[0].due <= now {
		r := s.agenda.wakes[0]
		heap.Pop(&s.agenda.wakes)
		due = append(due, r)
	}
	names := make([]string, len(due))
	for i, r := range due {
		names[i] = r.name
		s.agenda.wakeAt(r, again)
	}
	return names, nil
}

// Live implements hub.Agenda.
func (s *Store) Live(ctx context.Context, limit int) ([]string, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	names := make([]string, 0, max(0, min(limit, len(s.agenda.live))))
	for _, r := range slices.Backward(s.agenda.live) {
		if len(names) >= limit {
			break
		}
		names = append(names, r.name)
	}
	return names, nil
}

// RoomsOf implements hub.Agenda.
func (s *Store) RoomsOf(ctx context.Context, player string) ([]string, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	names := make([]string, 0, len(s.agenda.players[player]))
	for _, r := range s.agenda.players[player] {
		names = append(names, r.name)
	}
	return names, nil
}

// noSlot: the room is not in the heap.
const noSlot = -1

// A wakeHeap has the most overdue room first; rooms know their place in it.
type wakeHeap []*room

func (h wakeHeap) Len() int           { return len(h) }
func (h wakeHeap) Less(i, j int) bool { return h[i].due < h[j].due }
func (h wakeHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].slot, h[j].slot = i, j
}

func (h *wakeHeap) Push(x any) {
	r := x.(*room)
	r.slot = len(*h)
	*h = append(*h, r)
}

func (h *wakeHeap) Pop() any {
	old := *h
	r := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	r.slot = noSlot
	return r
}
