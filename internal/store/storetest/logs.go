package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gomokud/internal/store"
)

var logs = []contract{
	{"expecting nothing creates a room", func(t *testing.T, s Store) {
		commit(t, s, "r", 0, 2, 0, nil)
		if epoch := CheckLog(t, s, "r", 2); epoch == "" {
			t.Error("a log has no epoch")
		}
	}},
	{"rooms have epochs of their own, for as long as they live", func(t *testing.T, s Store) {
		commit(t, s, "a", 0, 1, 0, nil)
		commit(t, s, "b", 0, 1, 0, nil)
		a, b := CheckLog(t, s, "a", 1), CheckLog(t, s, "b", 1)
		if a == b {
			t.Errorf("both epochs are %q", a)
		}
		commit(t, s, "a", 1, 1, 0, nil)
		if again := CheckLog(t, s, "a", 2); again != a {
			t.Errorf("the epoch was %q and is %q", a, again)
		}
	}},
	{"events come back in order, byte by byte", func(t *testing.T, s Store) {
		events := [][]byte{{}, {0}, []byte("\r\n$3\xff\x00"), make([]byte, 70_000), []byte("last")}
		if err := s.Append(t.Context(), store.Commit{Room: "r", Events: events}); err != nil {
			t.Fatal(err)
		}
		tail, err := s.Read(t.Context(), "r", 0)
		if err != nil {
			t.Fatal(err)
		}
		equalEvents(t, tail.Events, events)
	}},
	{"any bytes make a room's name", func(t *testing.T, s Store) {
		names := []string{"a", "a\x00", "a\x00\x00\x00\x00\x00", "ä/{x}:*", "{p01}", "a b\n"}
		for i, name := range names {
			commit(t, s, name, 0, i+1, 0, nil)
		}
		for i, name := range names {
			CheckLog(t, s, name, i+1)
		}
	}},
	{"a wrong expectation is a conflict and writes nothing", func(t *testing.T, s Store) {
		commit(t, s, "r", 0, 2, 0, &store.Index{Players: []string{"p"}})
		for _, expected := range []int{0, 1, 3, 100} {
			err := s.Append(t.Context(), store.Commit{
				Room: "r", Expected: expected, Events: [][]byte{[]byte("never")}, Wake: 1, Index: &store.Index{Live: true},
			})
			if !errors.Is(err, store.ErrConflict) {
				t.Errorf("expecting %d of 2 events: %v, want a conflict", expected, err)
			}
		}
		CheckLog(t, s, "r", 2)
		if live, err := s.Live(t.Context(), 10); err != nil || len(live) > 0 {
			t.Errorf("a conflicting commit changed the lists: %q, %v", live, err)
		}
	}},
	{"a room that is not there cannot be continued", func(t *testing.T, s Store) {
		err := s.Append(t.Context(), store.Commit{Room: "r", Expected: 1, Events: [][]byte{{1}}})
		if !errors.Is(err, store.ErrConflict) {
			t.Errorf("got %v, want a conflict", err)
		}
	}},
	{"a room that is not there cannot be read", func(t *testing.T, s Store) {
		if _, err := s.Read(t.Context(), "r", 0); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("got %v, want not found", err)
		}
	}},
	{"reading begins where it is told", func(t *testing.T, s Store) {
		commit(t, s, "r", 0, 3, 0, nil)
		commit(t, s, "r", 3, 2, 0, nil)
		for from := range 8 {
			tail, err := s.Read(t.Context(), "r", from)
			if err != nil || tail.Version != 5 {
				t.Fatalf("read from %d: version %d, %v", from, tail.Version, err)
			}
			equalEvents(t, tail.Events, Events("r", min(from, 5), 5))
		}
	}},
	{"memory goes to and fro by copy", func(t *testing.T, s Store) {
		events := Events("r", 0, 2)
		if err := s.Append(t.Context(), store.Commit{Room: "r", Events: events}); err != nil {
			t.Fatal(err)
		}
		events[0][0] = 'X'
		tail, err := s.Read(t.Context(), "r", 0)
		if err != nil {
			t.Fatal(err)
		}
		tail.Events[1][0] = 'Y'
		_ = append(tail.Events[0], "spill"...)
		CheckLog(t, s, "r", 2)
	}},
	{"a commit that makes no sense is refused", func(t *testing.T, s Store) {
		some := [][]byte{{1}}
		for _, c := range []store.Commit{
			{Room: "r"},
			{Room: "", Events: some},
			{Room: strings.Repeat("r", store.MaxName+1), Events: some},
			{Room: "r", Expected: -1, Events: some},
			{Room: "r", Expected: 1, Wake: store.KeepWake},
			{Room: "r", Expected: 1, Index: &store.Index{}},
			{Room: "r", Wake: store.KeepWake, Events: some},
			{Room: "r", Expected: 1, Wake: -2, Events: some},
		} {
			if err := s.Append(t.Context(), c); err == nil || errors.Is(err, store.ErrConflict) {
				t.Errorf("%+v was not: %v", c, err)
			}
		}
		if _, err := s.Read(t.Context(), "r", 0); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("got %v, want not found", err)
		}
		commit(t, s, strings.Repeat("r", store.MaxName), 0, 1, 0, nil)
	}},
	{"an ended context ends the call", func(t *testing.T, s Store) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := s.Append(ctx, store.Commit{Room: "r", Events: [][]byte{{1}}})
		if !errors.Is(err, context.Canceled) || errors.Is(err, store.ErrConflict) {
			t.Errorf("append: %v", err)
		}
		if _, err := s.Read(ctx, "r", 0); !errors.Is(err, context.Canceled) {
			t.Errorf("read: %v", err)
		}
	}},
	{"of racing appends one wins each version", race},
	{"of commits at the same time each succeeds or conflicts for itself", eachForItself},
	{"many rooms are written at once", manyRooms},
	{"a closed store is unavailable", func(t *testing.T, s Store) {
		commit(t, s, "r", 0, 1, 0, nil)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		err := s.Append(t.Context(), store.Commit{Room: "r", Expected: 1, Events: [][]byte{{1}}})
		if !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("append: %v", err)
		}
		if _, err := s.Read(t.Context(), "r", 0); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("read: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("close again: %v", err)
		}
	}},
}

// race lets many writers bring one room to a version, each deciding anew after
// a conflict.
func race(t *testing.T, s Store) {
	const writers, versions = 32, 200
	var winners [versions]atomic.Int32 // 1 + who wrote that version
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			at := 0
			for at < versions {
				n := min(1+w%3, versions-at)
				events := make([][]byte, n)
				for i := range events {
					events[i] = fmt.Appendf(nil, "%d", w)
				}
				err := s.Append(t.Context(), store.Commit{Room: "r", Expected: at, Events: events})
				switch {
				case err == nil:
					for i := range n {
						if !winners[at+i].CompareAndSwap(0, int32(w+1)) {
							t.Errorf("version %d was acknowledged twice", at+i)
						}
					}
					at += n
				case errors.Is(err, store.ErrConflict):
					tail, err := s.Read(t.Context(), "r", at)
					if err != nil || tail.Version <= at && tail.Version > 0 {
						t.Errorf("after a conflict at %d: version %d, %v", at, tail.Version, err)
						return
					}
					at = tail.Version
				default:
					t.Errorf("append: %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	tail, err := s.Read(t.Context(), "r", 0)
	if err != nil || tail.Version != versions {
		t.Fatalf("version %d, %v", tail.Version, err)
	}
	for i, e := range tail.Events {
		if want := fmt.Sprint(winners[i].Load() - 1); string(e) != want {
			t.Fatalf("event %d is by %s, acknowledged to %s", i, e, want)
		}
	}
}

func manyRooms(t *testing.T, s Store) {
	const rooms, versions = 100, 20
	var wg sync.WaitGroup
	for r := range rooms {
		wg.Go(func() {
			room := fmt.Sprintf("room-%d", r)
			for v := range versions {
				err := s.Append(t.Context(), store.Commit{Room: room, Expected: v, Events: Events(room, v, v+1)})
				if err != nil {
					t.Errorf("append: %v", err)
					return
				}
				tail, err := s.Read(t.Context(), room, v)
				if err != nil || tail.Version != v+1 || len(tail.Events) != 1 {
					t.Errorf("an acknowledged event cannot be read: %d events, version %d, %v", len(tail.Events), tail.Version, err)
					return
				}
			}
		})
	}
	wg.Wait()
	for r := range rooms {
		CheckLog(t, s, fmt.Sprintf("room-%d", r), versions)
	}
}

func eachForItself(t *testing.T, s Store) {
	const rooms, versions = 60, 10
	name := func(r int) string { return fmt.Sprint("room-", r) }
	for r := range rooms {
		commit(t, s, name(r), 0, 1, 0, nil)
	}
	var wg sync.WaitGroup
	for r := range rooms {
		wg.Go(func() {
			for v := 1; v < versions; v++ {
				c := store.Commit{Room: name(r), Expected: v, Events: Events(name(r), v, v+1), Wake: int64(v)}
				if r%3 == 0 { // never fits
					c.Expected += 1 + v%2
				}
				if err := s.Append(t.Context(), c); errors.Is(err, store.ErrConflict) != (r%3 == 0) || err != nil && r%3 != 0 {
					t.Errorf("%s, expecting %d: %v", c.Room, c.Expected, err)
					return
				}
			}
		})
	}
	wg.Wait()
	for r := range rooms {
		version := versions
		if r%3 == 0 {
			version = 1
		}
		CheckLog(t, s, name(r), version)
	}
}
