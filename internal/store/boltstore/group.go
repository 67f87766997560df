package boltstore

import (
	"fmt"

	"gomokud/internal/store"
)

// A group is commits that reach the disk together, as one entry of the journal,
// and what memory will make of them when they are there. Until then memory is as
// it was, so that a failure leaves nothing to undo.
type group struct {
	*Store
	seq      uint64           // of the journal entry
	verdicts []error          // for each request
	accepted []record         // in the order of the journal
	encoded  [][]byte         // the same
	touched  map[string]*room // rooms of accepted records
	versions map[string]int   // that they will have
	stamp    uint64           // of the first record
}

func newGroup(s *Store, requests int) *group {
	return &group{
		Store:    s,
		seq:      s.committer.seq + 1,
		verdicts: make([]error, 0, requests),
		accepted: make([]record, 0, requests),
		encoded:  make([][]byte, 0, requests),
		touched:  make(map[string]*room, requests),
		versions: make(map[string]int, requests),
	}
}

// write puts the commits that fit on the disk.
func (g *group) write(requests []*request) error {
	for _, req := range requests {
		if err := g.admit(req); err != nil {
			return err
		}
	}
	if len(g.accepted) == 0 {
		return nil
	}
	g.stamp = g.committer.nextStamp(len(g.accepted))
	return g.committer.journal.append(g.seq, g.encode)
}

func (g *group) encode(b []byte) []byte {
	b = appendBatchHeader(b, g.stamp)
	for _, enc := range g.encoded {
		b = appendString(b, enc)
	}
	return b
}

// admit decides whether the request's commit fits.
func (g *group) admit(req *request) error {
	rec, err := decodeRecord(req.encoded)
	if err != nil {
		return err
	}
	r := g.touched[rec.room]
	version := g.versions[rec.room]
	if r == nil {
		if r, err = g.lookup(rec.room); err != nil {
			return err
		}
		version = r.version
	}
	if version != rec.expected {
		g.verdicts = append(g.verdicts, fmt.Errorf("%w: to %d events, not %d", store.ErrConflict, version, rec.expected))
		return nil
	}
	g.touched[rec.room] = r
	g.versions[rec.room] = version + len(rec.events)
	g.verdicts = append(g.verdicts, nil)
	g.accepted = append(g.accepted, rec)
	g.encoded = append(g.encoded, req.encoded)
	return nil
}

// remember brings memory up to what is now on the disk.
func (g *group) remember() {
	if len(g.accepted) == 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	rooms := make([]*room, len(g.accepted))
	for i, rec := range g.accepted {
		rooms[i] = g.touched[rec.room]
		g.rememberRecord(rooms[i], rec, g.stamp+uint64(i))
	}
	c := &g.committer
	c.seq = g.seq
	c.entries = append(c.entries, entry{g.seq, rooms})
}

func (g *group) rememberRecord(r *room, rec record, stamp uint64) {
	g.rooms[rec.room] = r
	if rec.index != nil {
		g.agenda.leave(r)
	}
	r.apply(rec, g.seq, stamp)
	if rec.index != nil {
		g.agenda.enter(r)
	}
	if rec.wake != store.KeepWake {
		g.agenda.wakeAt(r, r.wake)
	}
}

// announce tells the followers.
func (g *group) announce() {
	for _, rec := range g.accepted {
		if len(rec.events) == 0 {
			continue
		}
		g.followers.Announce(store.Announcement{
			Room:    rec.room,
			Version: rec.expected + len(rec.events),
			Events:  rec.events,
		})
	}
}
