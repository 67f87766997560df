package redisstore_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gomokud/internal/store"
	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/storetest"
)

// traffic is many games at once: each is written on one node and followed on
// another, as the hub would.
type traffic struct {
	*testing.T
	node, other *redisstore.Store
	games       []*game
	lossy       bool // a log may come back shorter than what was acknowledged

	stopped atomic.Bool
	writing sync.WaitGroup
}

type game struct {
	room         string
	acknowledged atomic.Int64
	unavailable  atomic.Int64 // times that the writer was told so
	signs        chan store.Announcement

	mu   sync.Mutex
	seen [][]byte // by the follower
}

// newTraffic begins; t.end must be called.
func newTraffic(t *testing.T, url string, rooms int, lossy bool) *traffic {
	t.Helper()
	tr := &traffic{T: t, node: open(t, url, redisstore.Options{}), other: open(t, url, redisstore.Options{}), lossy: lossy}
	for i := range rooms {
		g := &game{room: fmt.Sprintf("%s-%d", t.Name(), i), signs: make(chan store.Announcement, 100)}
		tr.games = append(tr.games, g)
		done := make(chan struct{})
		var following sync.WaitGroup
		following.Go(func() { tr.follow(g, done) })
		stop := tr.other.Follow(g.room, func(a store.Announcement) {
			select {
			case g.signs <- a:
			default: // so much that a gap will be seen
			}
		})
		leave := tr.node.Follow(g.room, func(store.Announcement) {}) // as who plays there does
		t.Cleanup(func() { leave(); stop(); close(done); following.Wait() })
		tr.writing.Go(func() { tr.write(g) })
	}
	return tr
}

// write appends one event after the other until the end. After a failure it
// reads before it concludes anything.
func (tr *traffic) write(g *game) {
	ctx := tr.Context()
	version := 0
	for !tr.stopped.Load() {
		c := store.Commit{Room: g.room, Expected: version, Events: storetest.Events(g.room, version, version+1)}
		if version%4 == 0 { // the others are moves
			c.Index = &store.Index{Live: true, Players: []string{"p", fmt.Sprint("p", version%3)}}
		}
		if c.Wake = int64(version); version%2 == 1 {
			c.Wake = store.KeepWake
		}
		err := tr.node.Append(ctx, c)
		if err == nil {
			version++
			g.acknowledged.Store(int64(version))
			continue
		}
		if !tr.lossy && errors.Is(err, store.ErrConflict) {
			tr.Errorf("%s conflicts with itself: %v", g.room, err)
		}
		g.unavailable.Add(1)
		for !tr.stopped.Load() {
			tail, err := tr.node.Read(ctx, g.room, 0)
			if err == nil || errors.Is(err, store.ErrNotFound) {
				if !tr.lossy && tail.Version < version {
					tr.Errorf("%s has %d events, %d were acknowledged", g.room, tail.Version, version)
				}
				version = tail.Version
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// follow keeps a copy of the log: from what is announced where that continues
// it, else by reading. It never reads without having been told.
func (tr *traffic) follow(g *game, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case a := <-g.signs:
			g.mu.Lock()
			if a.Version > 0 && a.Version-len(a.Events) == len(g.seen) {
				g.seen = append(g.seen, a.Events...)
				g.mu.Unlock()
				continue
			}
			stale := a.Version > 0 && a.Version <= len(g.seen) && !tr.lossy
			g.mu.Unlock()
			for !stale {
				tail, err := tr.other.Read(tr.Context(), g.room, 0)
				if err == nil || errors.Is(err, store.ErrNotFound) || tr.Context().Err() != nil {
					g.mu.Lock()
					g.seen = tail.Events
					g.mu.Unlock()
					break
				}
				time.Sleep(5 * time.Millisecond)
			}
		}
	}
}

// acknowledged is what each writer knows to be stored.
func (tr *traffic) acknowledged() []int {
	var all []int
	for _, g := range tr.games {
		all = append(all, int(g.acknowledged.Load()))
	}
	return all
}

// flows waits until every writer has got on by some events.
func (tr *traffic) flows() {
	tr.Helper()
	before := tr.acknowledged()
	wait(tr.T, "the games to go on", func() bool {
		for i, n := range tr.acknowledged() {
			if n == before[i] {
				return false
			}
		}
		return true
	})
}

// end stops the writers. Every log must hold what was acknowledged, or at least
// as much of it as told, once and in order; every follower must have all of it.
func (tr *traffic) end(atLeast []int) {
	tr.Helper()
	tr.stopped.Store(true)
	tr.writing.Wait()
	for i, g := range tr.games {
		tail := tr.read(g.room)
		if !tr.lossy {
			atLeast = tr.acknowledged()
		}
		if tail.Version < atLeast[i] {
			tr.Errorf("%s has %d events, %d were safe", g.room, tail.Version, atLeast[i])
		}
		if !slices.EqualFunc(tail.Events, storetest.Events(g.room, 0, tail.Version), bytes.Equal) {
			tr.Errorf("the log of %s is %q", g.room, tail.Events)
		}
		same := func() bool {
			g.mu.Lock()
			defer g.mu.Unlock()
			return slices.EqualFunc(g.seen, tail.Events, bytes.Equal)
		}
		for deadline := time.Now().Add(storetest.Patience); !same(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				tr.Fatalf("the follower of %s has %d of %d events", g.room, len(g.seen), tail.Version)
			}
		}
	}
	tr.Logf("acknowledged %v", tr.acknowledged())
}

// read waits for servers that have not yet come to terms with a failover.
func (tr *traffic) read(room string) store.Tail {
	tr.Helper()
	for deadline := time.Now().Add(storetest.Patience); ; time.Sleep(5 * time.Millisecond) {
		tail, err := tr.node.Read(tr.Context(), room, 0)
		switch {
		case err == nil:
			return tail
		case !errors.Is(err, store.ErrUnavailable) || time.Now().After(deadline):
			tr.Fatal(err)
		}
	}
}
