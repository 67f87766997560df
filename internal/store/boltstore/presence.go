package boltstore

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"go.etcd.io/bbolt"

	"gomokud/internal/store"
)

// presence is who is where, in memory, and when the service was last alive, in
// the file.
type presence struct {
	mu        sync.Mutex
	rooms     map[string]map[string]sighting // by room and node
	purgeSize int                            // look for stale rooms at this many

	beating sync.Mutex
	beat    int64 // the last one; 0 before the first ever
	outages []store.Outage
}

// sighting is what a node said about a room.
type sighting struct {
	store.Attendance
	until int64
}

// Attend implements hub.Presence.
func (s *Store) Attend(ctx context.Context, node, room string, a store.Attendance, now int64, ttl time.Duration) (store.Attendance, error) {
	if err := s.usable(ctx); err != nil {
		return store.Attendance{}, err
	}
	p := &s.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	p.purge(now)
	if p.rooms[room] == nil {
		p.rooms[room] = make(map[string]sighting)
	}
	p.rooms[room][node] = sighting{a, now + ttl.Milliseconds()}
	var sum store.Attendance
	for node, seen := range p.rooms[room] {
		if seen.until <= now {
			delete(p.rooms[room], node)
			continue
		}
		sum.Black = sum.Black || seen.Black
		sum.White = sum.White || seen.White
		sum.Spectators += seen.Spectators
	}
	return sum, nil
}

// purge drops the rooms of which nobody has spoken lately, whenever there are
// twice as many as were left the last time.
func (p *presence) purge(now int64) {
	if p.rooms == nil {
		p.rooms, p.purgeSize = make(map[string]map[string]sighting), 64
	}
	if len(p.rooms) < p.purgeSize {
		return
	}
	for room, nodes := range p.rooms {
		for node, seen := range nodes {
			if seen.until <= now {
				delete(nodes, node)
			}
		}
		if len(nodes) == 0 {
			delete(p.rooms, room)
		}
	}
	p.purgeSize = max(64, 2*len(p.rooms))
}

// remembered is how long an outage is told of, in milliseconds.
const remembered = int64(24 * time.Hour / time.Millisecond)

// Beat implements hub.Presence. Each beat is a synced write: it says that
// moves could have been stored, and that is how it knows.
func (s *Store) Beat(ctx context.Context, now int64, gap time.Duration) ([]store.Outage, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	p := &s.presence
	p.beating.Lock()
	defer p.beating.Unlock()
	outages := make([]store.Outage, 0, len(p.outages)+1)
	for _, o := range p.outages {
		if o.To > now-remembered {
			outages = append(outages, o)
		}
	}
	if p.beat != 0 && now-p.beat > gap.Milliseconds() {
		outages = append(outages, store.Outage{From: p.beat, To: now})
	}
	beat := max(p.beat, now)
	if err := s.db.Update(func(tx *bbolt.Tx) error { return putBeat(tx, beat, outages) }); err != nil {
		return nil, unavailable("beat", err)
	}
	p.beat, p.outages = beat, outages
	return append([]store.Outage(nil), outages...), nil
}

// putBeat replaces the beat and the outages: there are never many.
func putBeat(tx *bbolt.Tx, beat int64, outages []store.Outage) error {
	value := binary.AppendVarint(nil, beat)
	value = binary.AppendUvarint(value, uint64(len(outages)))
	for _, o := range outages {
		value = binary.AppendVarint(value, o.From)
		value = binary.AppendVarint(value, o.To)
	}
	return tx.Bucket(bucketMeta).Put(keyBeat, value)
}

// load reads what putBeat wrote.
func (p *presence) load(tx *bbolt.Tx) error {
	v := tx.Bucket(bucketMeta).Get(keyBeat)
	if v == nil {
		return nil
	}
	d := decoder{b: v}
	p.beat = d.varint()
	for n := d.uvarint(); n > 0 && d.err == nil; n-- {
		p.outages = append(p.outages, store.Outage{From: d.varint(), To: d.varint()})
	}
	if d.err != nil {
		return fmt.Errorf("last beat: %w", d.err)
	}
	return nil
}
