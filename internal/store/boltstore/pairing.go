package boltstore

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"gomokud/internal/store"
)

// pairingKept is how long a player may take to ask what became of a ticket, also
// of one that was withdrawn, in milliseconds.
const pairingKept = int64(time.Minute / time.Millisecond)

// waitingRoom holds the tickets and the pairings they led to. Who has withdrawn
// has a settled pairing without a room.
type waitingRoom struct {
	mu       sync.Mutex
	queues   map[string][]*ticket // longest waiting first
	tickets  map[string]*ticket   // by player
	pairings map[string]pairing   // by player
}

type ticket struct {
	store.Ticket
	until int64
}

type pairing struct {
	store.Pairing
	until   int64
	settled int64 // searches begun until then have led to it; 0: all
}

// Pair implements hub.Pairing. The caller who completes a pair gets the same
// answer again if it repeats the very call (with the same room): the first
// answer may have been lost on its way.
func (s *Store) Pair(ctx context.Context, t store.Ticket, now int64, ttl time.Duration) (store.Pairing, error) {
	if err := s.usable(ctx); err != nil {
		return store.Pairing{}, err
	}
	w := &s.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tidy(now)
	if p, ok := w.pairings[t.Player]; ok && (p.settled == 0 || t.Begun <= p.settled) {
		if p.Room != t.Room { // another makes the room
			p.Opponent = nil
		}
		return p.Pairing, nil
	}
	if later := w.tickets[t.Player]; later != nil && later.Begun > t.Begun {
		return store.Pairing{Since: later.Since}, nil
	}
	mine := w.enter(t, now, now+ttl.Milliseconds())
	for _, other := range w.queues[t.Queue] {
		if other != mine {
			return w.pair(mine, other, now), nil
		}
	}
	return store.Pairing{Since: mine.Since}, nil
}

// enter puts the ticket into its queue, or renews it there.
func (w *waitingRoom) enter(t store.Ticket, now, until int64) *ticket {
	t.Data = slices.Clone(t.Data)
	mine := w.tickets[t.Player]
	if mine != nil && mine.Queue == t.Queue {
		t.Since = mine.Since
		mine.Ticket, mine.until = t, until
		return mine
	}
	w.leave(mine)
	t.Since = now
	mine = &ticket{t, until}
	w.tickets[t.Player] = mine
	w.queues[t.Queue] = append(w.queues[t.Queue], mine)
	return mine
}

// leave takes the ticket, which may be nil, out of its queue.
func (w *waitingRoom) leave(t *ticket) {
	if t == nil {
		return
	}
	delete(w.tickets, t.Player)
	left := slices.DeleteFunc(w.queues[t.Queue], func(o *ticket) bool { return o == t })
	if len(left) == 0 {
		delete(w.queues, t.Queue)
	} else {
		w.queues[t.Queue] = left
	}
}

// pair makes a pair of two tickets. The first one's player creates the room.
func (w *waitingRoom) pair(mine, other *ticket, now int64) store.Pairing {
	w.leave(mine)
	w.leave(other)
	until := now + pairingKept
	p := store.Pairing{Since: mine.Since, Room: mine.Room, Opponent: &other.Ticket}
	w.pairings[mine.Player] = pairing{Pairing: p, until: until}
	w.pairings[other.Player] = pairing{Pairing: store.Pairing{Since: other.Since, Room: mine.Room}, until: until}
	return p
}

// tidy drops what has expired. Few wait at a time, so it looks at everything.
func (w *waitingRoom) tidy(now int64) {
	if w.tickets == nil {
		w.tickets = make(map[string]*ticket)
		w.queues = make(map[string][]*ticket)
		w.pairings = make(map[string]pairing)
	}
	for _, t := range w.tickets {
		if t.until <= now {
			w.leave(t)
		}
	}
	for player, p := range w.pairings {
		if p.until <= now {
			delete(w.pairings, player)
		}
	}
}

// Searches implements hub.Pairing.
func (s *Store) Searches(ctx context.Context, now int64) ([]store.Ticket, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	w := &s.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tidy(now)
	list := make([]store.Ticket, 0, len(w.tickets))
	for _, t := range w.tickets {
		list = append(list, t.Ticket)
	}
	slices.SortFunc(list, func(a, b store.Ticket) int { return cmp.Compare(b.Begun, a.Begun) })
	return list[:min(len(list), store.MostSearches)], nil
}

// Unpair implements hub.Pairing.
func (s *Store) Unpair(ctx context.Context, player string) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	w := &s.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	w.leave(w.tickets[player])
	if p := w.pairings[player]; p.settled == 0 {
		delete(w.pairings, player)
	} else { // what was begun before does not go on
		w.pairings[player] = pairing{until: p.until, settled: p.settled}
	}
	return nil
}

// Withdraw implements hub.Pairing.
func (s *Store) Withdraw(ctx context.Context, player string, now int64) (room string, err error) {
	if err := s.usable(ctx); err != nil {
		return "", err
	}
	w := &s.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tidy(now)
	p, ok := w.pairings[player]
	if !ok || p.settled != 0 {
		w.leave(w.tickets[player])
		p = pairing{until: now + pairingKept}
	}
	p.settled = now
	w.pairings[player] = p
	return p.Room, nil
}

// Settle implements hub.Pairing.
func (s *Store) Settle(ctx context.Context, player, room string, now int64) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	w := &s.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	if p, ok := w.pairings[player]; ok && p.Room == room && p.settled == 0 {
		p.settled = now
		w.pairings[player] = p
	}
	return nil
}
