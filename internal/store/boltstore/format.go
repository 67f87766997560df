package boltstore

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
)

// formatVersion is the layout described here, formatBucket the one that upgrade
// takes over. A file of another one is refused.
const (
	formatVersion = 2
	formatBucket  = 1
)

// The buckets. Numbers in keys are big-endian, so that they sort.
var (
	// format (uint32), secret (32 bytes), beat (the last one and the outages), saved
	// (uint64: the journal's entries up to this one are of no more use).
	bucketMeta = []byte("meta")
	// name length (byte), room, first event's index (uint32) -> chunk.
	bucketLogs = []byte("logs")
	// room -> state, for rooms that stand in a list: all read at Open.
	bucketOpen = []byte("open")
	// room -> state, for rooms in which nothing goes on: read when asked for.
	bucketClosed = []byte("closed")
	// done stamp (uint64), room -> nothing: where the sweep looks for closed
	// rooms whose time is up. Entries of rooms that went on later are stale.
	bucketExpiry = []byte("expiry")
)

var (
	keyFormat = []byte("format")
	keySecret = []byte("secret")
	keyBeat   = []byte("beat")
	keySaved  = []byte("saved")
)

// formatOf returns the format of a database, 0 if that is new.
func formatOf(db *bbolt.DB) (format uint32, err error) {
	err = db.View(func(tx *bbolt.Tx) error {
		name, _ := tx.Cursor().First()
		meta := tx.Bucket(bucketMeta)
		switch {
		case name == nil:
			return nil
		case meta == nil:
			return fmt.Errorf("not a gomokud file: it begins with bucket %q", name)
		case len(meta.Get(keyFormat)) != 4:
			return errors.New("no format version in the file")
		}
		format = binary.BigEndian.Uint32(meta.Get(keyFormat))
		if format != formatVersion && format != formatBucket {
			return fmt.Errorf("the file has format version %d, this program knows only %d", format, formatVersion)
		}
		return nil
	})
	return format, err
}

// create makes a new database's buckets.
func create(db *bbolt.DB) error {
	return db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{bucketMeta, bucketLogs, bucketOpen, bucketClosed, bucketExpiry} {
			if _, err := tx.CreateBucket(name); err != nil {
				return fmt.Errorf("create bucket %s: %w", name, err)
			}
		}
		secret := make([]byte, 32)
		rand.Read(secret)
		return errors.Join(tx.Bucket(bucketMeta).Put(keySecret, secret), putFormat(tx))
	})
}

func putFormat(tx *bbolt.Tx) error {
	return tx.Bucket(bucketMeta).Put(keyFormat, binary.BigEndian.AppendUint32(nil, formatVersion))
}

func logKey(room string, from int) []byte {
	return binary.BigEndian.AppendUint32(logPrefix(room), uint32(from))
}

// logPrefix is what the keys of a room's chunks begin with. The length in
// front keeps one name from being the beginning of another; store.MaxName fits
// into a byte.
func logPrefix(room string) []byte {
	return append([]byte{byte(len(room))}, room...)
}

func expiryKey(stamp uint64, room string) []byte {
	return append(binary.BigEndian.AppendUint64(nil, stamp), room...)
}

// chunkBegin is the index of the first event of the chunk with key k.
func chunkBegin(k []byte) int { return int(binary.BigEndian.Uint32(k[len(k)-4:])) }
