package redisstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gomokud/internal/store"
	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
	"gomokud/internal/store/storetest"
)

// another is a master other than this one.
func another(c *redistest.Cluster, than *redistest.Server) *redistest.Server {
	for _, s := range c.Masters() {
		if s != than {
			return s
		}
	}
	return nil
}

// roomAt finds a room that the server holds, or does not hold.
func roomAt(c *redistest.Cluster, s *redistest.Server, there bool) string {
	for i := 0; ; i++ {
		if room := fmt.Sprint("at-", i); (c.Holder(redisstore.LogKey(room)) == s) == there {
			return room
		}
	}
}

// The parts rely on each other's leaving a cluster in good health; the last
// does not.
func TestCluster(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 1)
	t.Run("Contract", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) storetest.Store {
			c.Do("FLUSHALL")
			return open(t, c.URL, redisstore.Options{})
		})
	})
	t.Run("ScriptsAreSentAgain", func(t *testing.T) {
		w := &writer{T: t, store: open(t, c.URL, redisstore.Options{}), room: t.Name()}
		for range 3 {
			w.mustAppend()
			c.Do("SCRIPT", "FLUSH")
		}
	})
	t.Run("SubscriptionsAreKilled", func(t *testing.T) {
		checkLooks(t, c.URL, func() { c.Do("CLIENT", "KILL", "TYPE", "pubsub") })
	})
	t.Run("ConnectionsAreCut", func(t *testing.T) {
		cutConnections(t, c.URL, func() { c.Do("CLIENT", "KILL", "TYPE", "normal") })
	})
	t.Run("AMasterIsOutOfMemory", func(t *testing.T) { outOfMemory(t, c) })
	t.Run("ACommitIsWholeWhileItsSlotMoves", func(t *testing.T) { wholeWhileMoving(t, c) })
	t.Run("WhatIsStoredWhileASlotMovesIsAnnounced", func(t *testing.T) { announcedWhileMoving(t, c) })
	t.Run("SlotsMoveUnderLoad", func(t *testing.T) {
		tr := newTraffic(t, c.URL, 48, false) // three a slot
		for _, g := range tr.games[:8] {
			tr.flows()
			key := redisstore.LogKey(g.room)
			c.Migrate(key, another(c, c.Holder(key))).Finish()
		}
		tr.flows()
		tr.end(nil)
	})
	t.Run("AnAgreedFailoverLosesNothing", func(t *testing.T) {
		tr := newTraffic(t, c.URL, 8, false)
		tr.flows()
		c.Failover(redisstore.LogKey(tr.games[0].room))
		tr.flows()
		tr.end(nil)
	})
	t.Run("AMasterIsKilled", func(t *testing.T) {
		tr := newTraffic(t, c.URL, 8, true)
		tr.flows()
		master := c.Holder(redisstore.LogKey(tr.games[0].room))
		safe := replicated(tr, master.URL)
		master.Kill()
		tr.flows()
		tr.end(safe)
	})
}

func outOfMemory(t *testing.T, c *redistest.Cluster) {
	s := open(t, c.URL, redisstore.Options{})
	full := c.Masters()[0]
	in, out := roomAt(c, full, true), roomAt(c, full, false)
	full.Ask("CONFIG", "SET", "maxmemory", "1")
	defer full.Ask("CONFIG", "SET", "maxmemory", "0")
	err := s.Append(t.Context(), store.Commit{Room: in, Events: [][]byte{{1}}, Index: &store.Index{Live: true}})
	if !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("append there: %v", err)
	}
	if _, err := s.Read(t.Context(), in, 0); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a part of it was written: %v", err)
	}
	if err := s.Append(t.Context(), store.Commit{Room: out, Events: storetest.Events(out, 0, 1)}); err != nil {
		t.Errorf("append elsewhere: %v", err)
	}
}

// A key that a script touches may be on the other side already. Those which it
// names Redis looks after; the list of a player who leaves the game is not among
// them.
func wholeWhileMoving(t *testing.T, c *redistest.Cluster) {
	s := open(t, c.URL, redisstore.Options{})
	room := t.Name()
	commit := func(ctx context.Context, version int, players ...string) error {
		return s.Append(ctx, store.Commit{
			Room: room, Expected: version, Events: storetest.Events(room, version, version+1), Wake: 1,
			Index: &store.Index{Live: true, Players: players},
		})
	}
	if err := commit(t.Context(), 0, "anna", "bea"); err != nil {
		t.Fatal(err)
	}
	key := redisstore.LogKey(room)
	m := c.Migrate(key, another(c, c.Holder(key)))
	m.Keys(redisstore.MineKey(room, "bea"))
	if err := commit(t.Context(), 1, "anna"); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("append while the keys are on both sides: %v", err)
	}
	storetest.CheckLog(t, s, room, 1)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := commit(ctx, 1, "anna", "cleo"); err == nil {
		t.Error("append of a key that is on neither side")
	}
	storetest.CheckLog(t, s, room, 1)
	waited := make(chan error)
	go func() { waited <- commit(t.Context(), 1, "anna") }()
	m.Finish()
	if err := <-waited; err != nil && !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("append as the slot settles: %v", err)
	}
	tail, err := s.Read(t.Context(), room, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := commit(t.Context(), tail.Version); err != nil {
		t.Fatal(err)
	}
	for _, player := range []string{"anna", "bea"} {
		if rooms, err := s.RoomsOf(t.Context(), player); err != nil || len(rooms) > 0 {
			t.Errorf("%s is still said to play in %v, %v", player, rooms, err)
		}
	}
}

// Who listens, listens at the master that still has the slot; the room may be at
// the other one already.
func announcedWhileMoving(t *testing.T, c *redistest.Cluster) {
	a, b := open(t, c.URL, redisstore.Options{}), open(t, c.URL, redisstore.Options{})
	room := t.Name()
	index := &store.Index{Live: true, Players: []string{"p"}}
	if err := a.Append(t.Context(), store.Commit{Room: room, Events: storetest.Events(room, 0, 1), Wake: 1, Index: index}); err != nil {
		t.Fatal(err)
	}
	heard := make(chan store.Announcement, 100)
	t.Cleanup(b.Follow(room, func(an store.Announcement) { heard <- an }))
	awaitVersion(t, heard, 0) // subscribed
	key := redisstore.LogKey(room)
	m := c.Migrate(key, another(c, c.Holder(key)))
	m.All()
	for version := 1; version <= 4; version++ {
		c := move(room, version)
		if version%2 == 0 {
			c.Index = index
		}
		if err := a.Append(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		awaitVersion(t, heard, 0) // told to look
	}
	m.Finish()
}

func TestClusterWithoutReplicas(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 0)
	for _, s := range c.Servers {
		s.Ask("CONFIG", "SET", "cluster-require-full-coverage", "no")
	}
	t.Run("Warnings", func(t *testing.T) {
		if got := warnings(t, c.URL); got != "" {
			t.Errorf("warned of nothing: %s", got)
		}
		if got := warnings(t, c.Servers[1].URL); !strings.Contains(got, "redis+cluster://") {
			t.Errorf("one of many nodes is asked alone: %q", got)
		}
		last := c.Servers[2]
		last.Ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
		defer last.Ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
		got := warnings(t, c.URL)
		if strings.Count(got, "\n") != 1 || !strings.Contains(got, "noeviction") || !strings.Contains(got, strings.TrimPrefix(last.URL, "redis://")) {
			t.Errorf("one master evicts: %q", got)
		}
	})
	t.Run("Passwords", func(t *testing.T) {
		c.Do("CONFIG", "SET", "requirepass", "right")
		with := func(password string) string { return strings.Replace(c.URL, "//", "//:"+password+"@", 1) }
		if _, err := redisstore.Open(t.Context(), with("wrong"), redisstore.Options{}); err == nil {
			t.Error("a wrong one was accepted")
		}
		w := &writer{T: t, store: open(t, with("right"), redisstore.Options{}), room: t.Name()}
		w.mustAppend()
		for _, s := range c.Servers {
			s.AskAs("right", "CONFIG", "SET", "requirepass", "")
		}
	})
	t.Run("OneAddressIsEnough", func(t *testing.T) {
		seed, _, _ := strings.Cut(c.URL, ",")
		w := &writer{T: t, store: open(t, seed, redisstore.Options{}), room: t.Name()}
		w.mustAppend()
	})
	t.Run("AMasterIsKilledAndComesBack", func(t *testing.T) {
		// With everysec a write to the file waits up to two seconds for a sync that
		// is under way, so that even a kill may lose what was acknowledged.
		c.Do("CONFIG", "SET", "appendfsync", "always")
		tr := newTraffic(t, c.URL, 8, false)
		tr.flows()
		master := c.Holder(redisstore.LogKey(tr.games[0].room))
		master.Kill()
		wait(t, "a failure", func() bool { return tr.games[0].unavailable.Load() > 0 })
		live, err := tr.node.Live(t.Context(), 100)
		if err != nil || len(live) == 0 || slices.Contains(live, tr.games[0].room) {
			t.Errorf("the other masters' games are not shown: %v, %v", live, err)
		}
		if rooms, err := tr.node.RoomsOf(t.Context(), "p"); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("some of a player's games are shown as all: %v, %v", rooms, err)
		}
		master.Start()
		tr.flows()
		tr.end(nil)
	})
	t.Run("AMasterHangs", func(t *testing.T) { hangs(t, c) })
}

// A master that hangs holds up its own rooms, not the others'.
func hangs(t *testing.T, c *redistest.Cluster) {
	s := open(t, c.URL+"?read_timeout=1h", redisstore.Options{})
	stuck := c.Servers[0]
	in, out := roomAt(c, stuck, true), roomAt(c, stuck, false)
	stuck.Freeze()
	waits := make(chan error, 1)
	go func() {
		waits <- s.Append(t.Context(), store.Commit{Room: in, Events: storetest.Events(in, 0, 1)})
	}()
	for v := range 100 {
		if err := s.Append(t.Context(), store.Commit{Room: out, Expected: v, Events: storetest.Events(out, v, v+1), Wake: 1}); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case err := <-waits:
		t.Errorf("a server that is stuck answered: %v", err)
	default:
	}
	stuck.Thaw()
	<-waits
}
