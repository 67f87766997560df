package boltstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
)

// A journal is the batches that were committed lately, in two files that take
// turns: while one is written, what the other holds moves to the database.
//
// An entry begins on a page of its own, so that a write torn by a power cut
// touches none before it:
//
//	sum      uint32, Castagnoli's CRC of all that follows
//	length   uint32, of the batch
//	number   uint64, one more than the entry's before
//	batch
//
// The files keep their length and are written over, as a file that grows costs
// a sync more. What is left of earlier turns has lower numbers.
type journal struct {
	files  [2]journalFile
	now    int   // the file that is written
	turn   int64 // the other's turn comes at this length
	buffer []byte
}

type journalFile struct {
	*os.File
	size int64  // of the file
	end  int64  // of its entries
	last uint64 // entry; 0 if none
}

const (
	pageSize   = 4096
	headerSize = 16
	growth     = 1 << 20   // by which a file grows
	mostBuffer = 256 << 10 // the longest that is kept; a usual entry is far shorter
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// openJournal opens the two files in the folder. Only a new journal may lack them.
func openJournal(dir string, turn int64, isNew bool) (*journal, error) {
	flag := os.O_RDWR | durably
	if isNew {
		flag |= os.O_CREATE
	}
	j := &journal{turn: turn}
	for i := range j.files {
		f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("journal-%d", i)), flag, 0o600)
		if err != nil {
			return nil, errors.Join(err, j.close())
		}
		j.files[i].File = f
	}
	return j, nil
}

func (j *journal) close() error {
	var errs []error
	for _, f := range j.files {
		if f.File != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// replay tells of the entries after the given one, in order. An entry that is
// missing between others is an error.
func (j *journal) replay(after uint64, tell func(seq uint64, batch []byte) error) error {
	var found [2][]journalEntry
	for i := range j.files {
		content, err := os.ReadFile(j.files[i].Name())
		if err != nil {
			return err
		}
		if found[i], err = j.files[i].entries(content, after); err != nil {
			return fmt.Errorf("%s: %w", j.files[i].Name(), err)
		}
	}
	if j.files[1].last > j.files[0].last {
		j.now = 1
	}
	if f := &j.files[j.now]; f.last < after { // all that it has is in the database
		f.end, f.last = 0, 0
	}
	if err := j.confirm(found[j.now]); err != nil {
		return err
	}
	for _, e := range append(found[1-j.now], found[j.now]...) {
		if e.seq != after+1 {
			return fmt.Errorf("%w: entry %d of the journal follows %d", errCorrupt, e.seq, after)
		}
		if err := tell(e.seq, e.batch); err != nil {
			return fmt.Errorf("entry %d of the journal: %w", e.seq, err)
		}
		after = e.seq
	}
	return nil
}

// confirm writes the newest entry once more: its write may have failed, so that
// only the system's memory had it.
func (j *journal) confirm(entries []journalEntry) error {
	if len(entries) == 0 {
		return nil
	}
	newest := entries[len(entries)-1]
	j.files[j.now].end -= pages(len(newest.batch))
	return j.append(newest.seq, func(b []byte) []byte { return append(b, newest.batch...) })
}

type journalEntry struct {
	seq   uint64
	batch []byte
}

// entries finds those of the file, and returns the ones after the given one.
func (f *journalFile) entries(content []byte, after uint64) (found []journalEntry, err error) {
	f.size, f.end, f.last = int64(len(content)), 0, 0
	for e, ok := entryAt(content, f.end); ok && (f.last == 0 || e.seq == f.last+1); e, ok = entryAt(content, f.end) {
		if e.seq > after {
			found = append(found, e)
		}
		f.last, f.end = e.seq, f.end+pages(len(e.batch))
	}
	// Behind the end may be what is left of earlier turns, and of a write that
	// was torn; nothing later, as that would have begun after this one's end.
	newest := max(f.last, after)
	for at := f.end; at < f.size; at += pageSize {
		if e, ok := entryAt(content, at); ok && e.seq > newest {
			return nil, fmt.Errorf("%w: entry %d is there, and none after %d", errCorrupt, e.seq, newest)
		}
	}
	return found, nil
}

func entryAt(content []byte, at int64) (e journalEntry, ok bool) {
	if at+headerSize > int64(len(content)) {
		return e, false
	}
	b := content[at:]
	end := headerSize + uint64(binary.BigEndian.Uint32(b[4:]))
	if end > uint64(len(b)) || binary.BigEndian.Uint32(b) != crc32.Checksum(b[4:end], castagnoli) {
		return e, false
	}
	return journalEntry{seq: binary.BigEndian.Uint64(b[8:]), batch: b[headerSize:end:end]}, true
}

// pages is the room that an entry with a batch of so many bytes takes.
func pages(batch int) int64 { return (headerSize + int64(batch) + pageSize - 1) / pageSize * pageSize }

// append writes an entry with the batch that encode appends to what it is given. It
// is on the disk when append returns. After an error nobody knows, and the next
// entry, which must have the same number, takes the same place.
func (j *journal) append(seq uint64, encode func([]byte) []byte) error {
	b := encode(append(j.buffer[:0], make([]byte, headerSize)...))
	binary.BigEndian.PutUint32(b[4:], uint32(len(b)-headerSize))
	binary.BigEndian.PutUint64(b[8:], seq)
	binary.BigEndian.PutUint32(b, crc32.Checksum(b[4:], castagnoli))
	b = append(b, make([]byte, pages(len(b)-headerSize)-int64(len(b)))...)
	if cap(b) <= mostBuffer {
		j.buffer = b
	}
	f := &j.files[j.now]
	if err := f.grow(f.end + int64(len(b))); err != nil {
		return err
	}
	if _, err := f.WriteAt(b, f.end); err != nil {
		return err
	}
	if err := flush(f.File); err != nil {
		return err
	}
	f.end, f.last = f.end+int64(len(b)), seq
	return nil
}

// grow makes the file at least so long. Zeros are no entry.
func (f *journalFile) grow(size int64) error {
	for f.size < size {
		if _, err := f.WriteAt(make([]byte, growth), f.size); err != nil {
			return err
		}
		f.size += growth
	}
	return nil
}

// takeTurns goes on in the other file if this one is long enough and what the
// other holds, up to the entry given, is in the database. It reports whether it does.
func (j *journal) takeTurns(saved uint64) bool {
	other := &j.files[1-j.now]
	if j.files[j.now].end < j.turn || other.last > saved {
		return false
	}
	j.now, other.end = 1-j.now, 0
	return true
}
