package boltstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
)

// load rebuilds memory from the database, which may be of an older format, and the
// journal.
func (s *Store) load(format uint32) error {
	s.rooms = make(map[string]*room)
	s.agenda.players = make(map[string][]*room)
	err := s.db.View(func(tx *bbolt.Tx) error {
		meta := tx.Bucket(bucketMeta)
		s.secret = bytes.Clone(meta.Get(keySecret))
		if v := meta.Get(keySaved); v != nil {
			s.committer.saved = binary.BigEndian.Uint64(v)
		}
		err := tx.Bucket(bucketOpen).ForEach(func(k, v []byte) error {
			r, err := decodeState(string(k), v)
			if err != nil {
				return fmt.Errorf("state of room %q: %w", k, err)
			}
			s.rooms[r.name] = r
			s.committer.stamp = max(s.committer.stamp, r.live, r.done)
			return nil
		})
		return errors.Join(err, s.presence.load(tx))
	})
	if err != nil {
		return err
	}
	if format == formatBucket {
		if err := s.upgrade(); err != nil {
			return fmt.Errorf("upgrade from format %d: %w", format, err)
		}
	}
	s.committer.seq = s.committer.saved
	if err := s.committer.journal.replay(s.committer.saved, s.replay); err != nil {
		return err
	}
	for _, r := range s.rooms {
		s.agenda.enter(r)
		s.agenda.wakeAt(r, r.wake)
	}
	return nil
}

// replay applies an entry of the journal.
func (s *Store) replay(seq uint64, batch []byte) error {
	stamp, records, err := decodeBatch(bytes.Clone(batch)) // which rooms will alias
	e := entry{seq: seq}
	for i, rec := range records {
		r, err2 := s.replayRecord(rec, seq, stamp+uint64(i))
		e.rooms, err = append(e.rooms, r), errors.Join(err, err2)
	}
	if err != nil {
		return err
	}
	c := &s.committer
	c.seq, c.stamp = seq, max(c.stamp, stamp+uint64(len(records)))
	c.entries = append(c.entries, e)
	return nil
}

func (s *Store) replayRecord(rec record, seq, stamp uint64) (*room, error) {
	r, err := s.lookup(rec.room)
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
func (s *Store) lookup(name string) (r *room, err error) {
	if r := s.rooms[name]; r != nil {
		return r, nil
	}
	r = &room{name: name, slot: noSlot}
	err = s.db.View(func(tx *bbolt.Tx) error {
		if v := tx.Bucket(bucketClosed).Get([]byte(name)); v != nil {
			r, err = decodeState(name, v)
		}
		return err
	})
	return r, err
}
