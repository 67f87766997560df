package boltstore

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"time"

	"go.etcd.io/bbolt"
)

// sweepSlice is how many rooms one transaction of the sweep looks at.
const sweepSlice = 512

// sweep deletes finished rooms whose time is up, a slice of them. What is left
// over is for the next tick.
func (s *Store) sweep(now time.Time) {
	before := uint64(now.Add(-s.opts.Keep).UnixMicro())
	if !s.expired(before) {
		return
	}
	err := s.db.Update(func(tx *bbolt.Tx) error {
		cursor := tx.Bucket(bucketExpiry).Cursor()
		var keys [][]byte
		for k, _ := cursor.First(); k != nil && len(keys) < sweepSlice; k, _ = cursor.Next() {
			if binary.BigEndian.Uint64(k) >= before {
				break
			}
			keys = append(keys, bytes.Clone(k))
		}
		for _, k := range keys {
			if err := s.expire(tx, k); err != nil {
				return fmt.Errorf("delete room %q: %w", k[8:], err)
			}
		}
		return nil
	})
	s.report(err)
}

// expired looks whether there is anything to do, without writing.
func (s *Store) expired(before uint64) (found bool) {
	err := s.db.View(func(tx *bbolt.Tx) error {
		k, _ := tx.Bucket(bucketExpiry).Cursor().First()
		found = k != nil && binary.BigEndian.Uint64(k) < before
		return nil
	})
	s.report(err)
	return found
}

// expire deletes the room that the expiry key names, unless it has gone on.
func (s *Store) expire(tx *bbolt.Tx, key []byte) error {
	stamp, name := binary.BigEndian.Uint64(key), string(key[8:])
	v := tx.Bucket(bucketClosed).Get(key[8:])
	if v != nil && s.rooms[name] == nil {
		r, err := decodeState(name, v)
		if err != nil {
			return err
		}
		if r.done == stamp {
			if c := &s.committer; len(c.entries) > 0 && c.entries[0].seq <= r.last {
				return nil // the journal still tells of it, and would at the next Open
			}
			if err := deleteRoom(tx, name); err != nil {
				return err
			}
		}
	}
	return tx.Bucket(bucketExpiry).Delete(key)
}

func deleteRoom(tx *bbolt.Tx, name string) error {
	prefix := logPrefix(name)
	cursor := tx.Bucket(bucketLogs).Cursor()
	for k, _ := cursor.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = cursor.Seek(prefix) {
		if err := cursor.Delete(); err != nil {
			return err
		}
	}
	return tx.Bucket(bucketClosed).Delete([]byte(name))
}
