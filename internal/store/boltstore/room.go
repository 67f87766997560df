package boltstore

import "gomokud/internal/store"

// A room as memory knows it: its place in the lists, and those of its events
// that only the journal has.
//
// The committer changes rooms, holding Store.mu; due and slot belong to the
// agenda, which others change too.
type room struct {
	name    string
	epoch   string
	version int
	wake    int64
	players []string
	live    uint64 // stamp of the commit that made it live; 0 when it is not
	done    uint64 // stamp of the commit that ended it; 0 while it goes on

	saved int      // events that are in the logs bucket
	tail  [][]byte // the others
	first uint64   // the oldest journal entry with something unsaved; 0 if none
	last  uint64   // the newest journal entry about this room

	due  int64 // like wake, but put off by Due
	slot int   // place in the agenda's heap
}

// atRest: the room stands in no list and will not be woken, so that memory
// need not know it.
func (r *room) atRest() bool {
	return r.done != 0 && r.live == 0 && r.wake == 0 && len(r.players) == 0
}

// apply takes over a record that the journal holds under seq. The caller sees
// to the agenda.
func (r *room) apply(rec record, seq, stamp uint64) {
	if rec.expected == 0 {
		r.epoch = rec.epoch
	}
	r.version += len(rec.events)
	r.tail = append(r.tail, rec.events...)
	if rec.wake != store.KeepWake {
		r.wake = rec.wake
	}
	if r.first == 0 {
		r.first = seq
	}
	r.last = seq
	if ix := rec.index; ix != nil {
		r.place(ix, stamp)
	}
}

func (r *room) place(ix *store.Index, stamp uint64) {
	r.players = ix.Players
	switch {
	case !ix.Live:
		r.live = 0
	case r.live == 0:
		r.live = stamp
	}
	r.done = 0
	if ix.Done {
		r.done = stamp
	}
}
