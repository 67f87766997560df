package boltstore

import (
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"gomokud/internal/store"
)

// A transaction is one step of the committer: what goes into the file at once,
// and what memory will make of it when it is there. Until then memory is as it
// was, so that a failure leaves nothing to undo.
type transaction struct {
	*Store
	seq      uint64           // of the journal entry
	verdicts []error          // for each request
	accepted []record         // in the order of the journal
	encoded  [][]byte         // the same
	touched  map[string]*room // rooms of accepted records
	versions map[string]int   // that they will have
	stamp    uint64           // of the first record
	size     int              // of the journal entry
	saved    []*room          // whose events all went to logs, but for the accepted
	retired  int              // journal entries deleted
}

func newTransaction(s *Store, requests int) *transaction {
	return &transaction{
		Store:    s,
		seq:      s.committer.seq + 1,
		verdicts: make([]error, 0, requests),
		accepted: make([]record, 0, requests),
		encoded:  make([][]byte, 0, requests),
		touched:  make(map[string]*room, requests),
		versions: make(map[string]int, requests),
	}
}

// admit decides whether the request's commit fits.
func (t *transaction) admit(tx *bbolt.Tx, req *request) error {
	rec, err := decodeRecord(req.encoded)
	if err != nil {
		return err
	}
	r := t.touched[rec.room]
	version := t.versions[rec.room]
	if r == nil {
		if r, err = t.lookup(tx, rec.room); err != nil {
			return err
		}
		version = r.version
	}
	if version != rec.expected {
		t.verdicts = append(t.verdicts, fmt.Errorf("%w: to %d events, not %d", store.ErrConflict, version, rec.expected))
		return nil
	}
	t.touched[rec.room] = r
	t.versions[rec.room] = version + len(rec.events)
	t.verdicts = append(t.verdicts, nil)
	t.accepted = append(t.accepted, rec)
	t.encoded = append(t.encoded, req.encoded)
	return nil
}

// writeJournal puts the accepted records into the file.
func (t *transaction) writeJournal(tx *bbolt.Tx) error {
	if len(t.accepted) == 0 {
		return nil
	}
	t.stamp = t.committer.nextStamp(len(t.accepted))
	size := 16
	for _, enc := range t.encoded {
		size += len(enc) + 4
	}
	batch := appendBatchHeader(make([]byte, 0, size), t.stamp)
	for _, enc := range t.encoded {
		batch = appendString(batch, enc)
	}
	t.size = len(batch)
	journal := tx.Bucket(bucketJournal)
	journal.FillPercent = 1 // keys only ever grow: split pages leave no gaps
	// The number comes from memory, not from NextSequence: should a failed
	// transaction have reached the file after all, this overwrites it.
	if err := journal.SetSequence(t.seq); err != nil {
		return err
	}
	return journal.Put(journalKey(t.seq), batch)
}

// errNothing rolls back a transaction that would change nothing.
var errNothing = errors.New("boltstore: nothing to write")

func (t *transaction) worthwhile() error {
	if len(t.accepted) == 0 && len(t.saved) == 0 && t.retired == 0 {
		return errNothing
	}
	return nil
}

// remember brings memory up to what is now in the file.
func (t *transaction) remember() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.saved {
		r.saved, r.tail, r.first = r.version, nil, 0
	}
	rooms := make([]*room, len(t.accepted))
	for i, rec := range t.accepted {
		rooms[i] = t.touched[rec.room]
		t.rememberRecord(rooms[i], rec, t.stamp+uint64(i))
	}
	for _, r := range t.saved {
		if r.first == 0 && r.atRest() {
			delete(t.rooms, r.name)
		}
	}
	c := &t.committer
	for _, e := range c.entries[:t.retired] {
		c.bytes -= e.size
	}
	c.entries = c.entries[t.retired:]
	if len(t.accepted) > 0 {
		c.seq = t.seq
		c.entries = append(c.entries, entry{t.seq, t.size, rooms})
		c.bytes += t.size
	}
}

func (t *transaction) rememberRecord(r *room, rec record, stamp uint64) {
	t.rooms[rec.room] = r
	if rec.index != nil {
		t.agenda.leave(r)
	}
	r.apply(rec, t.seq, stamp)
	if rec.index != nil {
		t.agenda.enter(r)
	}
	if rec.wake != store.KeepWake {
		t.agenda.wakeAt(r, r.wake)
	}
}

// announce tells the followers.
func (t *transaction) announce() {
	for _, rec := range t.accepted {
		if len(rec.events) == 0 {
			continue
		}
		t.followers.Announce(store.Announcement{
			Room:    rec.room,
			Version: rec.expected + len(rec.events),
			Events:  rec.events,
		})
	}
}
