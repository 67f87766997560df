package boltstore

import (
	"encoding/binary"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
)

// A slice of retiring is small, since commits wait for it.
const saveSlice = 64 // rooms

// behind: the journal holds entries that are to be retired.
func (s *Store) behind() bool {
	c := &s.committer
	return !c.rest && len(c.entries) > 0 && c.entries[0].seq <= c.goal
}

// retire moves what the oldest entries of the journal hold to the database, in
// one transaction. A room's unsaved events go there all at once, so that a busy
// room is written once in the time that a file of the journal takes to fill.
func (s *Store) retire() {
	if !s.behind() {
		return
	}
	rooms, entries := s.oldest()
	saved := s.committer.saved
	if entries > 0 {
		saved = s.committer.entries[entries-1].seq
	}
	err := s.db.Update(func(tx *bbolt.Tx) error { return saveAll(tx, rooms, saved) })
	s.report(err)
	if err != nil {
		s.committer.rest = true
		return
	}
	s.retired(rooms, entries, saved)
}

// oldest returns a slice of the rooms that the oldest entries hold something of,
// and how many of the entries hold nothing else.
func (s *Store) oldest() (rooms []*room, entries int) {
	taken := make(map[*room]bool)
	for _, e := range s.committer.entries {
		if e.seq > s.committer.goal {
			break
		}
		for _, r := range e.rooms {
			if r.first == 0 || r.first > e.seq || taken[r] {
				continue
			}
			if len(rooms) == saveSlice {
				return rooms, entries
			}
			taken[r] = true
			rooms = append(rooms, r)
		}
		entries++
	}
	return rooms, entries
}

// retired brings memory up to what is now in the database.
func (s *Store) retired(rooms []*room, entries int, saved uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range rooms {
		r.saved, r.tail, r.first = r.version, nil, 0
		if r.atRest() {
			delete(s.rooms, r.name)
		}
	}
	c := &s.committer
	c.entries, c.saved = c.entries[entries:], saved
}

// saveAll writes the rooms, with which all that the journal's entries up to saved
// hold is in the database.
func saveAll(tx *bbolt.Tx, rooms []*room, saved uint64) error {
	for _, r := range rooms {
		if err := save(tx, r); err != nil {
			return fmt.Errorf("save room %s: %w", r.name, err)
		}
	}
	return tx.Bucket(bucketMeta).Put(keySaved, binary.BigEndian.AppendUint64(nil, saved))
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
