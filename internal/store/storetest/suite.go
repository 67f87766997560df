// Package storetest asks every store the same questions: the contract of
// hub.Store as tests. A store's own tests supply a constructor.
package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"gomokud/internal/store"
)

// Store lists the methods of hub.Store, so that this package need not import
// its consumer.
type Store interface {
	Append(ctx context.Context, c store.Commit) error
	Read(ctx context.Context, room string, from int) (store.Tail, error)
	Follow(room string, fn func(store.Announcement)) (stop func())
	Due(ctx context.Context, now, again int64, limit int) ([]string, error)
	Live(ctx context.Context, limit int) ([]string, error)
	RoomsOf(ctx context.Context, player string) ([]string, error)
	Pair(ctx context.Context, t store.Ticket, now int64, ttl time.Duration) (store.Pairing, error)
	Searches(ctx context.Context, now int64) ([]store.Ticket, error)
	Unpair(ctx context.Context, player string) error
	Settle(ctx context.Context, player, room string, now int64) error
	Withdraw(ctx context.Context, player string, now int64) (room string, err error)
	Attend(ctx context.Context, node, room string, a store.Attendance, now int64, ttl time.Duration) (store.Attendance, error)
	Beat(ctx context.Context, now int64, gap time.Duration) ([]store.Outage, error)
	Now(ctx context.Context) (time.Time, error)
	Secret(ctx context.Context) ([]byte, error)
	Close() error
}

// Patience is how long the tests wait for what must happen.
const Patience = 20 * time.Second

// Run runs the suite. open returns a new, empty store and closes it when its
// test ends.
func Run(t *testing.T, open func(t *testing.T) Store) {
	groups := []struct {
		name  string
		tests []contract
	}{
		{"Logs", logs},
		{"Follow", following},
		{"Agenda", agenda},
		{"Pairing", pairing},
		{"Presence", presence},
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			for _, c := range g.tests {
				t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
			}
		})
	}
	t.Run("Histories", func(t *testing.T) { Histories(t, open, nil) })
}

// A contract is a sentence about stores, and the test of it.
type contract struct {
	name string
	test func(t *testing.T, s Store)
}

// Event is the n-th event that the tests write to a room.
func Event(room string, n int) []byte {
	return fmt.Appendf(nil, `{"room":%q,"event":%d,"at":1767225600000,"by":"a player","point":"H8"}`, room, n)
}

// Events are the events with numbers from to to-1.
func Events(room string, from, to int) [][]byte {
	var list [][]byte
	for n := from; n < to; n++ {
		list = append(list, Event(room, n))
	}
	return list
}

// commit appends n events to a room of which `expected` are there.
func commit(t *testing.T, s Store, room string, expected, n int, wake int64, ix *store.Index) {
	t.Helper()
	err := s.Append(t.Context(), store.Commit{
		Room: room, Expected: expected, Events: Events(room, expected, expected+n), Wake: wake, Index: ix,
	})
	if err != nil {
		t.Fatalf("append %d events to %d of room %s: %v", n, expected, room, err)
	}
}

// CheckLog fails unless the room's log is the events 0 to version-1. It
// returns the log's epoch.
func CheckLog(t *testing.T, s Store, room string, version int) (epoch string) {
	t.Helper()
	tail, err := s.Read(t.Context(), room, 0)
	if err != nil {
		t.Fatalf("read room %s: %v", room, err)
	}
	if tail.Version != version {
		t.Fatalf("room %s has version %d, want %d", room, tail.Version, version)
	}
	equalEvents(t, tail.Events, Events(room, 0, version))
	return tail.Epoch
}

func equalEvents(t *testing.T, got, want [][]byte) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %d events, want %d", len(got), len(want))
	}
	for i := range got {
		if string(got[i]) != string(want[i]) {
			t.Fatalf("event %d is %q, want %q", i, got[i], want[i])
		}
	}
}

func equalLists(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s: got %q, want %q", what, got, want)
	}
}
