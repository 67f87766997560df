package boltstore

import (
	"encoding/binary"
	"errors"

	"gomokud/internal/store"
)

// errCorrupt: bytes on the disk are not what was written there.
var errCorrupt = errors.New("boltstore: corrupt value")

// A record is a commit as the journal keeps it.
//
//	room, epoch        strings
//	expected, wake     varints; a wake may be store.KeepWake
//	index              a byte: 0 none, else 1 | live<<1 | done<<2
//	players            with an index only: their number, strings
//	events             strings until the record ends
//
// A string is a uvarint length and the bytes.
type record struct {
	room     string
	epoch    string // with expected 0, which creates the room
	expected int
	wake     int64
	index    *store.Index
	events   [][]byte // alias the encoded bytes
}

const (
	indexSet = 1 << iota
	indexLive
	indexDone
)

// encodeRecord is c as a record.
func encodeRecord(c store.Commit, epoch string) []byte {
	size := len(c.Room) + len(epoch) + 32
	for _, e := range c.Events {
		size += len(e) + 2
	}
	b := make([]byte, 0, size)
	b = appendString(b, c.Room)
	b = appendString(b, epoch)
	b = binary.AppendVarint(b, int64(c.Expected))
	b = binary.AppendVarint(b, c.Wake)
	b = appendIndex(b, c.Index)
	for _, e := range c.Events {
		b = appendString(b, e)
	}
	return b
}

func appendIndex(b []byte, ix *store.Index) []byte {
	if ix == nil {
		return append(b, 0)
	}
	flags := byte(indexSet)
	if ix.Live {
		flags |= indexLive
	}
	if ix.Done {
		flags |= indexDone
	}
	return appendStrings(append(b, flags), ix.Players)
}

// decodeRecord is the inverse of encodeRecord.
func decodeRecord(b []byte) (record, error) {
	d := decoder{b: b}
	r := record{
		room:     string(d.string()),
		epoch:    string(d.string()),
		expected: int(d.varint()),
		wake:     d.varint(),
	}
	if flags := d.byte(); flags&indexSet != 0 {
		r.index = &store.Index{Live: flags&indexLive != 0, Done: flags&indexDone != 0, Players: d.strings()}
	}
	r.events = d.rest()
	return r, d.err
}

// A batch is a journal entry: the stamp of its first record, then the records
// as strings. The n-th record's stamp is n higher.

func appendBatchHeader(b []byte, stamp uint64) []byte { return binary.AppendUvarint(b, stamp) }

// decodeBatch returns the records in order; they alias b.
func decodeBatch(b []byte) (stamp uint64, records []record, err error) {
	d := decoder{b: b}
	stamp = d.uvarint()
	for _, enc := range d.rest() {
		r, err := decodeRecord(enc)
		if err != nil {
			return 0, nil, err
		}
		records = append(records, r)
	}
	return stamp, records, d.err
}

// encodeState is what the open and closed buckets hold about a room.
func encodeState(r *room) []byte {
	b := appendString(nil, r.epoch)
	b = binary.AppendVarint(b, int64(r.version))
	b = binary.AppendVarint(b, r.wake)
	b = binary.AppendUvarint(b, r.live)
	b = binary.AppendUvarint(b, r.done)
	b = binary.AppendUvarint(b, r.last)
	return appendStrings(b, r.players)
}

// decodeState returns the room as it was saved: no event of it is only in the
// journal.
func decodeState(name string, b []byte) (*room, error) {
	d := decoder{b: b}
	r := &room{
		name:    name,
		epoch:   string(d.string()),
		version: int(d.varint()),
		wake:    d.varint(),
		live:    d.uvarint(),
		done:    d.uvarint(),
		last:    d.uvarint(),
		players: d.strings(),
		slot:    noSlot,
	}
	r.saved = r.version
	return r, d.err
}

// encodeChunk is a run of events, one string after the other.
func encodeChunk(events [][]byte) []byte {
	size := 0
	for _, e := range events {
		size += len(e) + 2
	}
	b := make([]byte, 0, size)
	for _, e := range events {
		b = appendString(b, e)
	}
	return b
}

// decodeChunk returns events that alias b.
func decodeChunk(b []byte) ([][]byte, error) {
	d := decoder{b: b}
	events := d.rest()
	return events, d.err
}

func appendString[S ~string | ~[]byte](b []byte, s S) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendStrings(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = appendString(b, s)
	}
	return b
}

// A decoder takes values off the front of b. After the first that is not there
// it returns zeros and keeps the error.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) fail() { d.b, d.err = nil, errCorrupt }

func (d *decoder) byte() byte {
	if len(d.b) == 0 {
		d.fail()
		return 0
	}
	v := d.b[0]
	d.b = d.b[1:]
	return v
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) string() []byte {
	n := d.uvarint()
	if n > uint64(len(d.b)) {
		d.fail()
		return nil
	}
	v := d.b[:n:n]
	d.b = d.b[n:]
	return v
}

func (d *decoder) strings() []string {
	n := d.uvarint()
	if n > uint64(len(d.b)) { // each takes a byte at least
		d.fail()
		return nil
	}
	list := make([]string, 0, n)
	for range n {
		list = append(list, string(d.string()))
	}
	return list
}

// rest takes strings until nothing is left.
func (d *decoder) rest() [][]byte {
	var list [][]byte
	for len(d.b) > 0 {
		list = append(list, d.string())
	}
	return list
}
