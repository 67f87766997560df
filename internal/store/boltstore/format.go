package boltstore

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
)

// formatVersion is the layout described here. A file of another one is refused, but
// for the one that upgrade knows.
const formatVersion = 2

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

// prepare makes a new file's buckets, or checks that an old file's are ours.
// It returns the secret.
func prepare(db *bbolt.DB, journal *journal) (secret []byte, err error) {
	err = db.Update(func(tx *bbolt.Tx) error {
		if meta := tx.Bucket(bucketMeta); meta != nil {
			secret = append(secret, meta.Get(keySecret)...)
			if err := upgrade(tx, journal); err != nil {
				return err
			}
			return checkFormat(meta.Get(keyFormat))
		}
		if name, _ := tx.Cursor().First(); name != nil {
			return fmt.Errorf("not a gomokud file: it begins with bucket %q", name)
		}
		for _, name := range [][]byte{bucketMeta, bucketLogs, bucketOpen, bucketClosed, bucketExpiry} {
			if _, err := tx.CreateBucket(name); err != nil {
				return fmt.Errorf("create bucket %s: %w", name, err)
			}
		}
		secret = make([]byte, 32)
		rand.Read(secret)
		meta := tx.Bucket(bucketMeta)
		return errors.Join(
			meta.Put(keySecret, secret),
			meta.Put(keyFormat, binary.BigEndian.AppendUint32(nil, formatVersion)),
		)
	})
	return secret, err
}

func checkFormat(v []byte) error {
	if len(v) != 4 {
		return fmt.Errorf("no format version in the file")
	}
	if got := binary.BigEndian.Uint32(v); got != formatVersion {
		return fmt.Errorf("the file has format version %d, this program knows only %d", got, formatVersion)
	}
	return nil
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
