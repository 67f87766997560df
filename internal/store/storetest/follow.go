package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gomokud/internal/store"
)

var following = []contract{
	{"a follower hears of what is appended", func(t *testing.T, s Store) {
		heard := make(chan store.Announcement, 1000)
		stop := s.Follow("r", func(a store.Announcement) { heard <- a })
		defer stop()
		// A subscription may take its time; hints before it are lost. So
		// append until one is heard.
		version := 0
		for a := range untilHeard(t, heard, func() {
			commit(t, s, "r", version, 2, 0, nil)
			version += 2
		}) {
			if a.Room != "r" {
				t.Fatalf("heard of room %q", a.Room)
			}
			if a.Version == 0 {
				continue
			}
			first := a.Version - len(a.Events)
			equalEvents(t, a.Events, Events("r", first, a.Version))
			return
		}
	}},
	{"what is announced is stored", func(t *testing.T, s Store) {
		heard := make(chan store.Announcement, 1000)
		stop := s.Follow("r", func(a store.Announcement) { heard <- a })
		defer stop()
		const versions = 100
		var wg sync.WaitGroup
		wg.Go(func() {
			for v := range versions {
				if err := s.Append(t.Context(), store.Commit{Room: "r", Expected: v, Events: Events("r", v, v+1)}); err != nil {
					t.Errorf("append: %v", err)
				}
			}
		})
		wg.Go(func() {
			deadline := time.After(Patience)
			for seen := 0; seen < versions; {
				select {
				case a := <-heard:
					tail, err := s.Read(t.Context(), "r", 0)
					if a.Version > 0 && (err != nil || tail.Version < a.Version) {
						t.Errorf("version %d is announced, but it is %d, %v", a.Version, tail.Version, err)
						return
					}
					seen = max(seen, a.Version, tail.Version)
				case <-deadline:
					t.Errorf("version %d was never announced", versions)
					return
				}
			}
		})
		wg.Wait()
	}},
	{"every follower hears, of its room only", func(t *testing.T, s Store) {
		heard := make(chan string, 1000)
		for f := range 3 {
			for _, room := range []string{"a", "b"} {
				stop := s.Follow(room, func(a store.Announcement) {
					if a.Room != room {
						t.Errorf("a follower of %q heard of %q", room, a.Room)
					}
					heard <- fmt.Sprint(room, f)
				})
				defer stop()
			}
		}
		missing := map[string]bool{"a0": true, "a1": true, "a2": true, "b0": true, "b1": true, "b2": true}
		version := 0
		for who := range untilHeard(t, heard, func() {
			commit(t, s, "a", version, 1, 0, nil)
			commit(t, s, "b", version, 1, 0, nil)
			commit(t, s, "c", version, 1, 0, nil)
			version++
		}) {
			delete(missing, who)
			if len(missing) == 0 {
				return
			}
		}
	}},
	{"after stop has returned nothing is heard", func(t *testing.T, s Store) {
		var wg sync.WaitGroup
		for f := range 20 {
			wg.Go(func() {
				var stopped atomic.Bool
				stop := s.Follow("r", func(store.Announcement) {
					if stopped.Load() {
						t.Errorf("follower %d was called after it had stopped", f)
					}
				})
				_, _ = s.Read(t.Context(), "r", 0)
				stop()
				stopped.Store(true)
				stop() // again does nothing
			})
		}
		for v := range 100 {
			commit(t, s, "r", v, 1, 0, nil)
		}
		wg.Wait()
		commit(t, s, "r", 100, 1, 0, nil)
	}},
	{"who stops and follows again hears again", func(t *testing.T, s Store) {
		version := 0
		for range 3 {
			heard := make(chan store.Announcement, 1000)
			stop := s.Follow("r", func(a store.Announcement) { heard <- a })
			for a := range untilHeard(t, heard, func() { commit(t, s, "r", version, 1, 0, nil); version++ }) {
				if a.Version > 0 {
					break
				}
			}
			stop()
		}
	}},
}

// untilHeard does something again and again and yields what is heard, until
// the loop ends; if that takes too long, the test fails.
func untilHeard[T any](t *testing.T, heard <-chan T, do func()) func(yield func(T) bool) {
	return func(yield func(T) bool) {
		t.Helper()
		deadline := time.After(Patience)
		again := time.NewTicker(20 * time.Millisecond)
		defer again.Stop()
		do()
		for {
			select {
			case v := <-heard:
				if !yield(v) {
					return
				}
			case <-again.C:
				do()
			case <-deadline:
				t.Fatalf("waited %v in vain", Patience)
			}
		}
	}
}
