package redisstore_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"gomokud/internal/store"
	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
	"gomokud/internal/store/storetest"
)

// a writer appends to a room, one event at a time.
type writer struct {
	*testing.T
	store   *redisstore.Store
	room    string // "" is "r"
	moves   bool   // it appends moves, which go another way than what changes lists
	version int
}

// eachWay runs a test of a writer of either kind.
func eachWay(t *testing.T, test func(t *testing.T, w *writer)) {
	for _, moves := range []bool{false, true} {
		t.Run(map[bool]string{false: "Lists", true: "Moves"}[moves], func(t *testing.T) {
			test(t, &writer{T: t, moves: moves})
		})
	}
}

func (w *writer) append() error {
	w.room = cmp.Or(w.room, "r")
	c := store.Commit{
		Room: w.room, Expected: w.version, Events: storetest.Events(w.room, w.version, w.version+1),
		Wake: 1, Index: &store.Index{Live: true, Players: []string{"p"}},
	}
	if w.moves && w.version > 0 {
		c.Index = nil
	}
	err := w.store.Append(w.Context(), c)
	if err == nil {
		w.version++
	}
	return err
}

func (w *writer) mustAppend() {
	w.Helper()
	if err := w.append(); err != nil {
		w.Fatal(err)
	}
}

func (w *writer) mustFail() {
	w.Helper()
	if err := w.append(); !errors.Is(err, store.ErrUnavailable) {
		w.Fatalf("append: %v, want unavailable", err)
	}
}

// recover appends until it works, as a caller should: after a failure it reads
// before it concludes anything.
func (w *writer) recover() {
	w.Helper()
	wait(w.T, "the store to come back", func() bool {
		tail, err := w.store.Read(w.Context(), w.room, 0)
		if err != nil {
			return false
		}
		w.version = tail.Version
		return w.append() == nil
	})
	storetest.CheckLog(w.T, w.store, w.room, w.version)
}

// wait polls until the condition holds.
func wait(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(storetest.Patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v for %s", storetest.Patience, what)
		}
	}
}

func TestScriptsAreSentAgain(t *testing.T) {
	server := redistest.Start(t)
	w := &writer{T: t, store: open(t, server.URL, redisstore.Options{})}
	for range 3 {
		w.mustAppend()
		server.Do("SCRIPT", "FLUSH")
	}
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			room := fmt.Sprint("room-", i)
			for v := range 20 {
				if v == i%20 {
					server.Do("SCRIPT", "FLUSH")
				}
				if err := w.store.Append(t.Context(), store.Commit{Room: room, Expected: v, Events: storetest.Events(room, v, v+1)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for i := range 50 {
		storetest.CheckLog(t, w.store, fmt.Sprint("room-", i), 20)
	}
}

func TestServerKilled(t *testing.T) {
	eachWay(t, func(t *testing.T, w *writer) {
		server := redistest.Start(t)
		w.store = open(t, server.URL, redisstore.Options{})
		w.mustAppend()
		server.Kill()
		w.mustFail()
		if _, err := w.store.Read(t.Context(), "r", 0); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("read: %v", err)
		}
		if _, err := w.store.Live(t.Context(), 10); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("live: %v", err)
		}
		if _, err := w.store.Now(t.Context()); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("now: %v", err)
		}
		server.Start()
		w.recover()
	})
}

// While appends are under way the server is killed: what was acknowledged must
// be there, once and in order.
func TestServerKilledMidStream(t *testing.T) {
	server := redistest.Start(t, "--appendfsync", "always") // with everysec a kill may lose what waits for the disk
	s := open(t, server.URL, redisstore.Options{})
	var acknowledged [32]int
	begun := make(chan struct{}, 1000)
	var wg sync.WaitGroup
	for i := range acknowledged {
		wg.Go(func() {
			room := fmt.Sprint("room-", i)
			for v := 0; ; v++ {
				err := s.Append(t.Context(), store.Commit{Room: room, Expected: v, Events: storetest.Events(room, v, v+1)})
				if errors.Is(err, store.ErrConflict) {
					t.Errorf("%s conflicts with itself", room)
				}
				if err != nil {
					return
				}
				acknowledged[i]++
				select {
				case begun <- struct{}{}:
				default:
				}
			}
		})
	}
	for range cap(begun) {
		<-begun
	}
	server.Kill()
	wg.Wait()
	server.Start()
	wait(t, "the store to come back", func() bool { _, err := s.Now(t.Context()); return err == nil })
	for i, n := range acknowledged {
		room := fmt.Sprint("room-", i)
		tail, err := s.Read(t.Context(), room, 0)
		if err != nil && !errors.Is(err, store.ErrNotFound) || tail.Version < n || tail.Version > n+1 {
			t.Errorf("%s has %d events, %d were acknowledged, %v", room, tail.Version, n, err)
		}
		if tail.Version > 0 {
			storetest.CheckLog(t, s, room, tail.Version)
		}
	}
}

func TestConnectionsAreCut(t *testing.T) {
	server := redistest.Start(t)
	cutConnections(t, server.URL, func() { server.Do("CLIENT", "KILL", "TYPE", "normal") })
}

// Who listens, and who else, changes all the time: nobody misses a move.
func TestSubscriptionsAreCut(t *testing.T) {
	server := redistest.Start(t)
	tr := newTraffic(t, server.URL, 32, false)
	for range 5 {
		tr.flows()
		server.Do("CLIENT", "KILL", "TYPE", "pubsub")
		time.Sleep(250 * time.Millisecond) // until they come back
	}
	tr.flows()
	tr.end(nil)
}

// cutConnections cuts them while appends are under way: some of these are stored
// and not acknowledged. If such a one were sent again, it would conflict with
// itself.
func cutConnections(t *testing.T, url string, cut func()) {
	t.Helper()
	tr := newTraffic(t, url, 32, false)
	for range 30 {
		tr.flows()
		cut()
	}
	tr.flows()
	tr.end(nil)
}

func TestServerDoesNotAnswer(t *testing.T) {
	eachWay(t, func(t *testing.T, w *writer) {
		server := redistest.Start(t)
		w.store = open(t, server.URL+"?read_timeout=100ms&dial_timeout=100ms&write_timeout=100ms", redisstore.Options{})
		w.mustAppend()
		server.Freeze()
		w.mustFail()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := w.store.Read(ctx, "r", 0); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("read: %v, want the context's error", err)
		}
		server.Thaw()
		w.recover()
	})
}

func TestServerOutOfMemory(t *testing.T) {
	eachWay(t, func(t *testing.T, w *writer) {
		server := redistest.Start(t)
		w.store = open(t, server.URL, redisstore.Options{})
		w.mustAppend()
		server.Do("CONFIG", "SET", "maxmemory", "1")
		for range 10 {
			w.mustFail()
			storetest.CheckLog(t, w.store, "r", 1)
		}
		err := w.store.Append(t.Context(), store.Commit{Room: "new", Events: [][]byte{{1}}, Index: &store.Index{Live: true}})
		if !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("append to a new room: %v", err)
		}
		if _, err := w.store.Read(t.Context(), "new", 0); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a part of the commit was written: %v", err)
		}
		server.Do("CONFIG", "SET", "maxmemory", "0")
		w.mustAppend()
		storetest.CheckLog(t, w.store, "r", 2)
	})
}

func TestBrokenSubscription(t *testing.T) {
	server := redistest.Start(t)
	s := open(t, server.URL, redisstore.Options{})
	breaks := map[string]func(){
		"connection killed": func() { server.Do("CLIENT", "KILL", "TYPE", "pubsub") },
		"server restarted":  server.Restart,
	}
	looks := make(chan string, 1000)
	for i := range 5 {
		room := fmt.Sprint("room-", i)
		defer s.Follow(room, func(a store.Announcement) {
			if a.Version == 0 {
				looks <- a.Room
			}
		})()
	}
	awaitLooks(t, looks, 5) // once they are subscribed
	for name, brk := range breaks {
		brk()
		t.Log(name)
		awaitLooks(t, looks, 5)
	}
}

// A server that is stuck breaks no connection, but it answers no ping.
func TestSilentSubscription(t *testing.T) {
	t.Parallel() // it takes as long as the silence that is borne
	server := redistest.Start(t)
	s := open(t, server.URL, redisstore.Options{})
	looks := make(chan string, 1000)
	defer s.Follow("r", func(a store.Announcement) { looks <- a.Room })()
	awaitLooks(t, looks, 1)
	server.Freeze()
	wait(t, "the subscription to be given up", s.Deaf)
	server.Thaw()
	awaitLooks(t, looks, 1)
}

// Whoever comes while there is no server, with whatever name of a room, leaves
// nothing behind.
func TestNothingGathersWithoutAServer(t *testing.T) {
	server := redistest.Start(t)
	s := open(t, server.URL, redisstore.Options{})
	server.Kill()
	wait(t, "the subscription to be lost", s.Deaf)
	for i := range 1000 {
		s.Follow(fmt.Sprint("made-up-", i), func(store.Announcement) {})()
	}
	wait(t, "them to be forgotten", func() bool { return s.Dirty() == 0 })
	looks := make(chan string, 1)
	defer s.Follow("r", func(a store.Announcement) { looks <- a.Room })()
	server.Start()
	awaitLooks(t, looks, 1)
}

// awaitLooks waits until so many rooms' followers have been told to look.
func awaitLooks(t *testing.T, looks <-chan string, rooms int) {
	t.Helper()
	told := make(map[string]bool)
	deadline := time.After(storetest.Patience)
	for len(told) < rooms {
		select {
		case room := <-looks:
			told[room] = true
		case <-deadline:
			t.Fatalf("followers of %d of %d rooms were told to look", len(told), rooms)
		}
	}
}
