package boltstore

import (
	"encoding/binary"
	"fmt"

	"go.etcd.io/bbolt"
)

// upgrade takes over a database of format 1, in which the journal was a bucket:
// sequence (uint64) -> batch.
func upgrade(tx *bbolt.Tx, journal *journal) error {
	bucketJournal := []byte("journal")
	old := tx.Bucket(bucketJournal)
	if old == nil {
		return nil
	}
	saved, first := old.Sequence(), true
	err := old.ForEach(func(k, v []byte) error {
		seq := binary.BigEndian.Uint64(k)
		if first {
			saved, first = seq-1, false
		}
		return journal.append(seq, func(b []byte) []byte { return append(b, v...) })
	})
	if err != nil {
		return fmt.Errorf("upgrade from format 1: %w", err)
	}
	if err := tx.DeleteBucket(bucketJournal); err != nil {
		return err
	}
	meta := tx.Bucket(bucketMeta)
	if err := meta.Put(keySaved, binary.BigEndian.AppendUint64(nil, saved)); err != nil {
		return err
	}
	return meta.Put(keyFormat, binary.BigEndian.AppendUint32(nil, formatVersion))
}
