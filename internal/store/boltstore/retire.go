package boltstore

import (
	"encoding/binary"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
)

// A slice of retiring is small, since commits wait for it.
const (
	saveSlice   = 64  // rooms written to logs in one transaction
	retireSlice = 256 // journal entries deleted in one transaction
)

// behind: the journal holds more than it should.
func (s *Store) behind() bool {
	c := &s.committer
	if c.rest || len(c.entries) == 0 {
		return false
	}
	return c.bytes > s.opts.JournalBytes || c.entries[0].seq <= c.goal
}

// retire moves what the oldest journal entries hold to the logs bucket, and
// deletes those entries. A room's unsaved events go there all at once, so that
// a busy room is written once in the time the journal takes to fill.
func (t *transaction) retire(tx *bbolt.Tx) error {
	if !t.behind() {
		return nil
	}
	journal := tx.Bucket(bucketJournal)
	c := &t.committer
	size := c.bytes
	done := make(map[*room]bool)
	for _, e := range c.entries {
		if e.seq > c.goal && size <= t.opts.JournalBytes || t.retired == retireSlice {
			return nil
		}
		for _, r := range e.rooms {
			if r.first == 0 || r.first > e.seq || done[r] {
				continue
			}
			if len(t.saved) == saveSlice {
				return nil
			}
			if err := save(tx, r); err != nil {
				return fmt.Errorf("save room %s: %w", r.name, err)
			}
			done[r] = true
			t.saved = append(t.saved, r)
		}
		if err := journal.Delete(journalKey(e.seq)); err != nil {
			return err
		}
		t.retired++
		size -= e.size
	}
	return nil
}

// save writes what memory has of the room. Doing it again does no harm: after
// a transaction of which it is unknown whether it was stored, the same keys
// are written.
func save(tx *bbolt.Tx, r *room) error {
	to, from := bucketOpen, bucketClosed
	if r.atRest() {
		to, from = from, to
	}
	err := errors.Join(
		tx.Bucket(bucketLogs).Put(logKey(r.name, r.saved), encodeChunk(r.tail)),
		tx.Bucket(to).Put([]byte(r.name), encodeState(r)),
		tx.Bucket(from).Delete([]byte(r.name)),
	)
	if err == nil && r.done != 0 {
		err = tx.Bucket(bucketExpiry).Put(expiryKey(r.done, r.name), nil)
	}
	return err
}

func seqOf(k []byte) uint64 { return binary.BigEndian.Uint64(k) }
