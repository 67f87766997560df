package redisstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/redis/go-redis/v9"

	"gomokud/internal/store"
)

// maxGroup bounds the commits of one call, which nothing else on the server
// interrupts.
const maxGroup = 256

// A lane carries commits that extend a log and change no list: moves. Those
// that come while a call is under way go together in the next one, so that the
// cost of a call is shared when there are many and nobody waits when there are
// few. In a cluster each partition has a lane, since a call is about one slot and
// a master that hangs must not hold up the others' rooms; else there is one.
//
// One goroutine of its own makes the calls, whose stack has grown to what they
// need. It makes them itself: the pipeline that is shared would hand each to two
// more goroutines, and has nothing to add to a group.
type lane struct {
	store *Store
	ear   *ear          // that hears these rooms
	wake  chan struct{} // has room for one: there is a group

	mu      sync.Mutex
	next    *group // of those who wait for the call under way; nil if nobody does
	members int    // of the last group: the next one's will be about as many
	spare   []byte // for the next one's packed
	closed  bool
	driving sync.WaitGroup
}

// keepPacked is how many bytes of a group are worth keeping for the next.
const keepPacked = 64 << 10

// A group is commits that travel together.
type group struct {
	members []member
	packed  []byte        // the commits as extend.lua reads them
	done    chan struct{} // closed when each member's err says what became of it
}

// A member is one commit of a group.
type member struct {
	log, due string // keys; due is empty if the wake is kept
	room     string
	expected int
	version  int // that it leads to
	ends     int // in packed
	err      error
}

// lane is the one for a room.
func (s *Store) lane(room string) *lane { return s.lanes[partitionNumber(room)%len(s.lanes)] }

// extend stores a commit.
func (l *lane) extend(ctx context.Context, c store.Commit) error {
	g, n, err := l.join(c)
	if err != nil {
		return err
	}
	select {
	case <-g.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if m := &g.members[n]; displaced(m.err) { // by itself it may wait for the slot to settle
		m.err = nil
		g.fail(ctx, n, n+1, l.call(ctx, l.store.callMoving, g, n, n+1))
	}
	return g.members[n].err
}

// newLane begins to drive a lane.
func newLane(s *Store, e *ear) *lane {
	l := &lane{store: s, ear: e, wake: make(chan struct{}, 1)}
	l.driving.Go(l.drive)
	return l
}

// join puts a commit into the next group, and sees to it that this will go.
func (l *lane) join(c store.Commit) (g *group, n int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, 0, fmt.Errorf("%w: %w", store.ErrUnavailable, redis.ErrClosed)
	}
	if l.next == nil {
		l.next = &group{members: make([]member, 0, l.members), packed: l.spare, done: make(chan struct{})}
		l.spare = nil
		l.wake <- struct{}{} // taken, with the group before, ere there is another
	}
	g, n = l.next, len(l.next.members)
	g.add(c)
	return g, n, nil
}

// drive sends groups until the lane is closed.
func (l *lane) drive() {
	for range l.wake {
		runtime.Gosched() // whoever can go on now may join
		l.mu.Lock()
		g := l.next
		l.next = nil
		l.members = len(g.members)
		l.mu.Unlock()
		l.send(g)
		if cap(g.packed) <= keepPacked && !g.again() {
			l.mu.Lock()
			l.spare = g.packed[:0]
			l.mu.Unlock()
		}
		close(g.done)
	}
}

// close refuses what comes from now on. What has come is still sent.
func (l *lane) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.closed = true
		close(l.wake)
	}
}

// send stores the commits of a group, as far as they can be stored together:
// while their slot moves, some rooms are here and some are there.
func (l *lane) send(g *group) {
	ctx := context.Background() // the client has its timeouts
	for from := 0; from < len(g.members); from += maxGroup {
		to := min(from+maxGroup, len(g.members))
		g.fail(ctx, from, to, l.call(ctx, l.store.callAlone, g, from, to))
	}
}

// again reports whether some member must be sent again, by itself.
func (g *group) again() bool {
	return slices.ContainsFunc(g.members, func(m member) bool { return displaced(m.err) })
}

// fail tells some members of an error that concerns them all, if there is one.
func (g *group) fail(ctx context.Context, from, to int, err error) {
	if err == nil {
		return
	}
	for i := from; i < to; i++ {
		g.members[i].err = unavailable(ctx, err)
	}
}

// errSpoilt: something else is where a room's log or its agenda should be.
var errSpoilt = errors.New("redisstore: the room's log or agenda is something else")

// caller is how a script is called.
type caller func(ctx context.Context, script script, keys []string, args ...any) (*redis.Cmd, error)

// call calls for some commits of a group and tells those that do not fit.
func (l *lane) call(ctx context.Context, call caller, g *group, from, to int) error {
	members := g.members[from:to]
	keys, packed := g.arguments(from, to)
	cmd, err := call(ctx, l.store.scripts.extend, keys, l.ear.hears(members), packed)
	if err != nil {
		return err
	}
	conflicts, err := cmd.Int64Slice()
	if err != nil || len(conflicts)%2 != 0 {
		return errors.Join(errReply, err)
	}
	for i := 0; i < len(conflicts); i += 2 {
		m, version := &members[conflicts[i]-1], conflicts[i+1]
		if version < 0 {
			m.err = unavailable(ctx, errSpoilt)
			continue
		}
		m.err = fmt.Errorf("%w: to %d events, not %d", store.ErrConflict, version, m.expected)
	}
	for i := range members {
		if m := &members[i]; m.err == nil && m.version > m.expected {
			l.store.followers.Announce(store.Announcement{Room: m.room, Version: m.version})
		}
	}
	return nil
}

// arguments are extend.lua's for some commits of a group.
func (g *group) arguments(from, to int) (keys []string, packed []byte) {
	keys = make([]string, 0, 2*(to-from))
	for _, m := range g.members[from:to] {
		keys = append(keys, m.log)
		if m.due != "" {
			keys = append(keys, m.due)
		}
	}
	begins := 0
	if from > 0 {
		begins = g.members[from-1].ends
	}
	return keys, g.packed[begins:g.members[to-1].ends]
}

// add takes a commit in. It copies the events: the call may outlast the
// caller's wait.
func (g *group) add(c store.Commit) {
	p := partitionOf(c.Room)
	m := member{room: c.Room, log: p.log(c.Room), expected: c.Expected, version: c.Expected + len(c.Events)}
	if c.Wake != store.KeepWake {
		m.due = p.due()
	}
	b := append(g.packed, array16)
	b = binary.BigEndian.AppendUint16(b, uint16(2+2*len(c.Events)))
	b = appendInt(appendInt(b, int64(c.Expected)), c.Wake)
	for i, e := range c.Events { // before each what parseAnnouncement reads there
		if i == 0 {
			b = binary.BigEndian.AppendUint32(appendHead(b, 8), uint32(m.version))
		} else {
			b = appendHead(b, 4)
		}
		b = binary.BigEndian.AppendUint32(b, uint32(len(e)))
		b = append(appendHead(b, len(e)), e...)
	}
	g.packed, m.ends = b, len(b)
	g.members = append(g.members, m)
}

// What is needed of msgpack.
const (
	int64Mark = 0xd3
	str32Mark = 0xdb
	array16   = 0xdc
)

func appendInt(b []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(append(b, int64Mark), uint64(n))
}

// appendHead appends what stands before a string of so many bytes.
func appendHead(b []byte, size int) []byte {
	return binary.BigEndian.AppendUint32(append(b, str32Mark), uint32(size))
}
