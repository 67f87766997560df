package boltstore

import (
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
)

// load rebuilds memory from the file.
func (s *Store) load() error {
	s.rooms = make(map[string]*room)
	s.agenda.players = make(map[string][]*room)
	return s.db.View(func(tx *bbolt.Tx) error {
		err := tx.Bucket(bucketOpen).ForEach(func(k, v []byte) error {
			r, err := decodeState(string(k), v)
			if err != nil {
				return fmt.Errorf("state of room %q: %w", k, err)
			}
			s.rooms[r.name] = r
			s.committer.stamp = max(s.committer.stamp, r.live, r.done)
			return nil
		})
		if err == nil {
			err = s.replay(tx)
		}
		if err != nil {
			return err
		}
		for _, r := range s.rooms {
			s.agenda.enter(r)
			s.agenda.wakeAt(r, r.wake)
		}
		return s.presence.load(tx)
	})
}

// replay applies the journal.
func (s *Store) replay(tx *bbolt.Tx) error {
	journal := tx.Bucket(bucketJournal)
	s.committer.seq = journal.Sequence()
	return journal.ForEach(func(k, v []byte) error {
		seq, v := seqOf(k), append([]byte(nil), v...) // rooms will alias v
		stamp, records, err := decodeBatch(v)
		e := entry{seq: seq, size: len(v)}
		for i, rec := range records {
			r, err2 := s.replayRecord(tx, rec, seq, stamp+uint64(i))
			e.rooms, err = append(e.rooms, r), errors.Join(err, err2)
		}
		if err != nil {
			return fmt.Errorf("journal entry %d: %w", seq, err)
		}
		s.committer.stamp = max(s.committer.stamp, stamp+uint64(len(records)))
		s.committer.entries = append(s.committer.entries, e)
		s.committer.bytes += len(v)
		return nil
	})
}

func (s *Store) replayRecord(tx *bbolt.Tx, rec record, seq, stamp uint64) (*room, error) {
	r, err := s.lookup(tx, rec.room)
	if err != nil {
		return nil, err
	}
	switch {
	case rec.expected < r.version: // already saved
		return r, nil
	case rec.expected > r.version:
		return nil, fmt.Errorf("%w: room %q has %d events, not %d", errCorrupt, rec.room, r.version, rec.expected)
	}
	r.apply(rec, seq, stamp)
	s.rooms[r.name] = r
	return r, nil
}

// lookup finds a room in memory or among the closed ones; a new one has
// version 0. The caller adds it to rooms if it is to stay.
func (s *Store) lookup(tx *bbolt.Tx, name string) (*room, error) {
	if r := s.rooms[name]; r != nil {
		return r, nil
	}
	if v := tx.Bucket(bucketClosed).Get([]byte(name)); v != nil {
		return decodeState(name, v)
	}
	return &room{name: name, slot: noSlot}, nil
}
