package boltstore

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"go.etcd.io/bbolt"
)

// upgrade takes over a database of format 1, in which the journal was a bucket:
// sequence (uint64) -> batch. What that has moves to where it stays, in one
// transaction. Memory has the rest of the database already.
func (s *Store) upgrade() error {
	foreign := func(uint64, []byte) error { return fmt.Errorf("%w: the journal is of another database", errCorrupt) }
	if err := s.committer.journal.replay(0, foreign); err != nil {
		return err
	}
	bucketJournal := []byte("journal")
	var saved uint64
	err := s.db.View(func(tx *bbolt.Tx) error {
		saved = tx.Bucket(bucketJournal).Sequence()
		return tx.Bucket(bucketJournal).ForEach(func(k, v []byte) error { return s.replay(binary.BigEndian.Uint64(k), v) })
	})
	if err != nil {
		return err
	}
	rooms := slices.DeleteFunc(slices.Collect(maps.Values(s.rooms)), func(r *room) bool { return r.first == 0 })
	err = s.db.Update(func(tx *bbolt.Tx) error {
		if err := saveAll(tx, rooms, saved); err != nil {
			return err
		}
		if err := tx.DeleteBucket(bucketJournal); err != nil {
			return err
		}
		return putFormat(tx)
	})
	if err != nil {
		return err
	}
	s.retired(rooms, len(s.committer.entries), saved)
	return nil
}
