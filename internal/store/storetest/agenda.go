package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"gomokud/internal/store"
)

var agenda = []contract{
	{"rooms are due from their wake on, the most overdue first", func(t *testing.T, s Store) {
		commit(t, s, "late", 0, 1, 300, nil)
		commit(t, s, "early", 0, 1, 100, nil)
		commit(t, s, "middle", 0, 1, 200, nil)
		commit(t, s, "never", 0, 1, 0, nil)
		equalLists(t, "due at 99", due(t, s, 99, 1000, 10), nil)
		equalLists(t, "due at 250", due(t, s, 250, 1000, 10), []string{"early", "middle"})
		equalLists(t, "due at 300", due(t, s, 300, 1000, 10), []string{"late"})
	}},
	{"no more rooms are due than asked for", func(t *testing.T, s Store) {
		for i := range 30 {
			commit(t, s, fmt.Sprintf("room-%02d", i), 0, 1, int64(100+i), nil)
		}
		var got []string
		for range 3 {
			got = append(got, due(t, s, 200, 1000, 10)...)
		}
		var want []string
		for i := range 30 {
			want = append(want, fmt.Sprintf("room-%02d", i))
		}
		equalLists(t, "due, ten at a time", got, want)
		equalLists(t, "due, none wanted", due(t, s, 2000, 3000, 0), nil)
	}},
	{"a room that was due is put off", func(t *testing.T, s Store) {
		commit(t, s, "r", 0, 1, 100, nil)
		equalLists(t, "first", due(t, s, 100, 500, 10), []string{"r"})
		equalLists(t, "meanwhile", due(t, s, 499, 900, 10), nil)
		equalLists(t, "again", due(t, s, 500, 900, 10), []string{"r"})
	}},
	{"the next commit decides anew when a room is due", func(t *testing.T, s Store) {
		commit(t, s, "r", 0, 1, 100, nil)
		due(t, s, 100, 500, 10)
		commit(t, s, "r", 1, 1, 200, nil)
		equalLists(t, "due", due(t, s, 200, 600, 10), []string{"r"})
		commit(t, s, "r", 2, 1, 0, nil)
		equalLists(t, "due", due(t, s, 10_000, 20_000, 10), nil)
	}},
	{"a commit may keep what was said before", func(t *testing.T, s Store) {
		commit(t, s, "r", 0, 1, 100, nil)
		commit(t, s, "r", 1, 1, store.KeepWake, nil)
		equalLists(t, "too early", due(t, s, 99, 500, 10), nil)
		equalLists(t, "due", due(t, s, 100, 500, 10), []string{"r"})
		commit(t, s, "r", 2, 1, store.KeepWake, &store.Index{Live: true})
		equalLists(t, "put off", due(t, s, 499, 900, 10), nil)
		equalLists(t, "due", due(t, s, 500, 900, 10), []string{"r"})
		commit(t, s, "r", 3, 1, 0, nil)
		commit(t, s, "r", 4, 1, store.KeepWake, nil)
		equalLists(t, "never", due(t, s, 10_000, 20_000, 10), nil)
		CheckLog(t, s, "r", 5)
	}},
	{"a commit without events says when to wake, and no more", func(t *testing.T, s Store) {
		commit(t, s, "r", 0, 2, 300, nil)
		commit(t, s, "r", 2, 0, 200, nil)
		for _, expected := range []int{1, 3} {
			err := s.Append(t.Context(), store.Commit{Room: "r", Expected: expected, Wake: 100})
			if !errors.Is(err, store.ErrConflict) {
				t.Errorf("expecting %d of 2 events: %v, want a conflict", expected, err)
			}
		}
		CheckLog(t, s, "r", 2)
		equalLists(t, "too early", due(t, s, 199, 500, 10), nil)
		equalLists(t, "due", due(t, s, 200, 500, 10), []string{"r"})
		commit(t, s, "r", 2, 0, 0, nil)
		equalLists(t, "never", due(t, s, 10_000, 20_000, 10), nil)
		commit(t, s, "r", 2, 1, 0, nil)
		CheckLog(t, s, "r", 3)
	}},
	{"two sweeps never get the same room", func(t *testing.T, s Store) {
		const rooms = 100
		for i := range rooms {
			commit(t, s, fmt.Sprintf("room-%d", i), 0, 1, 100, nil)
		}
		var mu sync.Mutex
		got := make(map[string]int)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 30 {
					list, err := s.Due(t.Context(), 100, 1000, 7)
					if err != nil {
						t.Errorf("due: %v", err)
					}
					mu.Lock()
					for _, room := range list {
						got[room]++
					}
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		for _, room := range due(t, s, 100, 1000, rooms) {
			got[room]++
		}
		if len(got) != rooms {
			t.Errorf("%d of %d rooms were due", len(got), rooms)
		}
		for room, n := range got {
			if n != 1 {
				t.Errorf("%s was due %d times", room, n)
			}
		}
	}},
	{"live games are listed, the latest begun first", func(t *testing.T, s Store) {
		live := &store.Index{Live: true}
		for _, room := range []string{"a", "b", "c", "d"} {
			commit(t, s, room, 0, 1, 0, live)
		}
		commit(t, s, "private", 0, 1, 0, &store.Index{})
		commit(t, s, "unlisted", 0, 1, 0, nil)
		commit(t, s, "a", 1, 1, 0, live) // still the same game
		commit(t, s, "b", 1, 1, 0, nil)
		commit(t, s, "c", 1, 1, 0, &store.Index{Done: true})
		equalLists(t, "live", liveRooms(t, s, 10), []string{"d", "b", "a"})
		equalLists(t, "two live", liveRooms(t, s, 2), []string{"d", "b"})
		equalLists(t, "no live", liveRooms(t, s, 0), nil)
		commit(t, s, "c", 2, 1, 0, live) // a new game there
		equalLists(t, "live", liveRooms(t, s, 10), []string{"c", "d", "b", "a"})
	}},
	{"a player's rooms are those of the last list of players", func(t *testing.T, s Store) {
		commit(t, s, "a", 0, 1, 0, &store.Index{Players: []string{"ann", "bob"}})
		commit(t, s, "b", 0, 1, 0, &store.Index{Players: []string{"ann", "ann"}})
		commit(t, s, "c", 0, 1, 0, nil)
		equalLists(t, "ann", roomsOf(t, s, "ann"), []string{"a", "b"})
		equalLists(t, "bob", roomsOf(t, s, "bob"), []string{"a"})
		equalLists(t, "nobody", roomsOf(t, s, "nobody"), nil)
		commit(t, s, "a", 1, 1, 0, nil)
		equalLists(t, "ann", roomsOf(t, s, "ann"), []string{"a", "b"})
		commit(t, s, "a", 2, 1, 0, &store.Index{Players: []string{"cid", "bob"}})
		equalLists(t, "ann", roomsOf(t, s, "ann"), []string{"b"})
		equalLists(t, "bob", roomsOf(t, s, "bob"), []string{"a"})
		equalLists(t, "cid", roomsOf(t, s, "cid"), []string{"a"})
		commit(t, s, "a", 3, 1, 0, &store.Index{Done: true})
		equalLists(t, "bob", roomsOf(t, s, "bob"), nil)
	}},
	{"a finished room can be read, and goes on if it is told to", func(t *testing.T, s Store) {
		commit(t, s, "r", 0, 1, 0, &store.Index{Live: true})
		commit(t, s, "r", 1, 1, 0, &store.Index{Done: true})
		epoch := CheckLog(t, s, "r", 2)
		commit(t, s, "r", 2, 1, 50, &store.Index{Players: []string{"p"}, Live: true})
		if again := CheckLog(t, s, "r", 3); again != epoch {
			t.Errorf("the epoch was %q and is %q", epoch, again)
		}
		equalLists(t, "due", due(t, s, 50, 100, 1), []string{"r"})
		equalLists(t, "live", liveRooms(t, s, 1), []string{"r"})
		equalLists(t, "p", roomsOf(t, s, "p"), []string{"r"})
	}},
}

func due(t *testing.T, s Store, now, again int64, limit int) []string {
	t.Helper()
	rooms, err := s.Due(t.Context(), now, again, limit)
	if err != nil {
		t.Fatalf("due: %v", err)
	}
	return rooms
}

func liveRooms(t *testing.T, s Store, limit int) []string {
	t.Helper()
	rooms, err := s.Live(t.Context(), limit)
	if err != nil {
		t.Fatalf("live: %v", err)
	}
	return rooms
}

// roomsOf returns the player's rooms, sorted.
func roomsOf(t *testing.T, s Store, player string) []string {
	t.Helper()
	rooms, err := s.RoomsOf(t.Context(), player)
	if err != nil {
		t.Fatalf("rooms of %s: %v", player, err)
	}
	return slices.Sorted(slices.Values(rooms))
}
