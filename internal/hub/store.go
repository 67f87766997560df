package hub

import (
	"context"
	"time"

	"gomokud/internal/store"
)

// Store is what the hub needs of a store. Every method may be called from many
// goroutines. An error that is none of package store's sentinels wraps
// store.ErrUnavailable, or the context's error when that ended first.
type Store interface {
	Logs
	Agenda
	Pairing
	Presence

	// Now is the store's clock; nodes discipline theirs to it.
	Now(ctx context.Context) (time.Time, error)
	// Secret is 32 random bytes, made at the first call ever and the same for
	// every node from then on. Sessions are signed with it.
	Secret(ctx context.Context) ([]byte, error)
	Close() error
}

// Logs holds one append-only log per room.
type Logs interface {
	// Append stores a commit durably, all of it or nothing, and announces it.
	// When it returns nil the commit is stored. ErrConflict means that nothing
	// was written; any other error leaves it open whether it was.
	Append(ctx context.Context, c store.Commit) error
	// Read returns the events after the first `from`. Asking beyond the end is
	// no error: Events is then empty and Version tells. ErrNotFound if there is
	// no such room.
	Read(ctx context.Context, room string, from int) (store.Tail, error)
	// Follow calls fn for announcements of the room until stop is called; fn
	// must not block. After stop has returned fn is not called again.
	Follow(room string, fn func(store.Announcement)) (stop func())
}

// Agenda is the lists that commits keep up to date.
type Agenda interface {
	// Due returns at most limit rooms whose Wake is not after now, the most
	// overdue first, and puts their Wake off to `again`, so that two sweeps do
	// not look at the same room at once and a sweeper's death loses nothing.
	Due(ctx context.Context, now, again int64, limit int) ([]string, error)
	// Live returns at most limit rooms from the list of games to watch, the
	// latest begun first.
	Live(ctx context.Context, limit int) ([]string, error)
	// RoomsOf returns the rooms in which the player has a game in progress.
	RoomsOf(ctx context.Context, player string) ([]string, error)
}

// Pairing is the waiting room.
type Pairing interface {
	// Pair enters a ticket or renews it for ttl, and pairs it with the longest
	// waiting other ticket of its queue if there is one. Both players learn
	// the room: the caller by the answer, the other by its own next call. A
	// ticket that is not renewed in time is gone; a later search replaces the
	// player's earlier one, which waits along and learns the same room.
	Pair(ctx context.Context, t store.Ticket, now int64, ttl time.Duration) (store.Pairing, error)
	// Searches returns the tickets that wait, the latest begun first, at most
	// store.MostSearches.
	Searches(ctx context.Context, now int64) ([]store.Ticket, error)
	// Unpair removes the player's ticket, or forgets the pairing it led to. Who
	// has not withdrawn may search on.
	Unpair(ctx context.Context, player string) error
	// Withdraw ends the player's searches begun until now, from whichever node:
	// no one is paired with them any more, and their own next calls of Pair
	// learn it. If they have led to a room that the player does not know yet, it
	// is too late: that is returned, and they learn it as ever.
	Withdraw(ctx context.Context, player string, now int64) (room string, err error)
	// Settle says that the player knows since now which room was found. Until
	// then all their searches have led to it, afterwards those begun before.
	Settle(ctx context.Context, player, room string, now int64) error
}

// Presence is what nodes tell each other about who is there.
type Presence interface {
	// Attend records for ttl what this node sees in a room and returns the sum
	// over all nodes.
	Attend(ctx context.Context, node, room string, a store.Attendance, now int64, ttl time.Duration) (store.Attendance, error)
	// Beat says that the service is alive. If the last beat of any node is more
	// than gap ago, the span since then is recorded as an outage. It returns
	// the recorded outages of the last day, oldest first.
	Beat(ctx context.Context, now int64, gap time.Duration) ([]store.Outage, error)
}
