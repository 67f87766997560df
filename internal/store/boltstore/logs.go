package boltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"gomokud/internal/store"
)

// Append implements hub.Logs.
func (s *Store) Append(ctx context.Context, c store.Commit) error {
	if err := c.Check(); err != nil {
		return fmt.Errorf("append to room %q: %w", c.Room, err)
	}
	if err := s.usable(ctx); err != nil {
		return fmt.Errorf("append to room %s: %w", c.Room, err)
	}
	epoch := ""
	if c.Expected == 0 {
		epoch = store.NewEpoch()
	}
	req := &request{encoded: encodeRecord(c, epoch), done: make(chan error, 1)}
	if err := s.commit(ctx, req); err != nil {
		return fmt.Errorf("append to room %s: %w", c.Room, err)
	}
	return nil
}

// Read implements hub.Logs.
func (s *Store) Read(ctx context.Context, name string, from int) (store.Tail, error) {
	if err := s.usable(ctx); err != nil {
		return store.Tail{}, fmt.Errorf("read room %s: %w", name, err)
	}
	from = max(from, 0)
	tail, saved, ok := s.readMemory(name, from)
	if ok && from >= saved {
		return tail, nil
	}
	err := s.db.View(func(tx *bbolt.Tx) error {
		if !ok {
			v := tx.Bucket(bucketClosed).Get([]byte(name))
			if v == nil {
				return store.ErrNotFound
			}
			r, err := decodeState(name, v)
			if err != nil {
				return err
			}
			tail, saved = store.Tail{Epoch: r.epoch, Version: r.version}, r.version
		}
		older, err := readChunks(tx, name, from, saved)
		tail.Events = append(older, tail.Events...)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return store.Tail{}, fmt.Errorf("read room %s: %w", name, err)
	}
	if err != nil {
		return store.Tail{}, unavailable("read room "+name, err)
	}
	return tail, nil
}

// readMemory is what memory has of the log's end, and how many events come
// before that.
func (s *Store) readMemory(name string, from int) (t store.Tail, saved int, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	r := s.rooms[name]
	if r == nil {
		return store.Tail{}, 0, false
	}
	t = store.Tail{Epoch: r.epoch, Version: r.version}
	if skip := max(from-r.saved, 0); skip < len(r.tail) {
		t.Events = cloneAll(r.tail[skip:])
	}
	return t, r.saved, true
}

// readChunks returns copies of the room's saved events [from, to).
func readChunks(tx *bbolt.Tx, name string, from, to int) ([][]byte, error) {
	if from >= to {
		return nil, nil
	}
	prefix := logPrefix(name)
	cursor := tx.Bucket(bucketLogs).Cursor()
	k, v := cursor.Seek(logKey(name, from))
	if !bytes.Equal(k, logKey(name, from)) { // it is inside the chunk before
		k, v = cursor.Prev()
	}
	var events [][]byte
	for ; bytes.HasPrefix(k, prefix) && from < to; k, v = cursor.Next() {
		chunk, err := decodeChunk(v)
		if err != nil {
			return nil, err
		}
		begin := chunkBegin(k)
		if begin > from || from-begin > len(chunk) {
			return nil, errCorrupt
		}
		chunk = chunk[from-begin : min(len(chunk), to-begin)]
		events = append(events, cloneAll(chunk)...)
		from += len(chunk)
	}
	if from < to { // deleted since memory was asked: its time was up
		return nil, store.ErrNotFound
	}
	return events, nil
}

// cloneAll copies the events into memory of their own, in two allocations.
func cloneAll(events [][]byte) [][]byte {
	size := 0
	for _, e := range events {
		size += len(e)
	}
	buf := make([]byte, 0, size)
	list := make([][]byte, len(events))
	for i, e := range events {
		at := len(buf)
		buf = append(buf, e...)
		list[i] = buf[at:len(buf):len(buf)]
	}
	return list
}

// Follow implements hub.Logs.
func (s *Store) Follow(room string, fn func(store.Announcement)) (stop func()) {
	return s.followers.Follow(room, fn)
}
