package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gomokud/internal/store"
)

// Histories plays random histories and compares the store with a model that is
// too simple to be wrong. reopen, if not nil, is called now and then and
// returns the store to go on with; the model forgets what Due put off, as a
// store may.
func Histories(t *testing.T, open func(t *testing.T) Store, reopen func(t *testing.T, s Store) Store) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			m := &model{T: t, s: open(t), rnd: rand.New(rand.NewPCG(seed, 0)), rooms: make(map[string]*modelRoom)}
			for range 300 {
				switch dice := m.rnd.IntN(20); {
				case dice < 14:
					m.append()
				case dice < 16:
					m.conflict()
				case dice < 18:
					m.due()
				case dice < 19:
					m.rest()
					m.compare()
				case reopen != nil:
					m.s = reopen(t, m.s)
					for _, r := range m.rooms {
						r.due = r.wake
					}
					m.compare()
				}
			}
			m.compare()
		})
	}
}

type model struct {
	*testing.T
	s     Store
	rnd   *rand.Rand
	rooms map[string]*modelRoom
	begun int // games so far
}

type modelRoom struct {
	name      string
	version   int
	epoch     string
	wake, due int64
	players   []string
	begun     int // 0 when not live
}

var modelPlayers = []string{"ann", "bob", "cid", "dan"}

func (m *model) room() *modelRoom {
	name := fmt.Sprint("room-", m.rnd.IntN(12))
	if m.rooms[name] == nil {
		m.rooms[name] = &modelRoom{name: name}
	}
	return m.rooms[name]
}

func (m *model) commit(r *modelRoom) store.Commit {
	c := store.Commit{
		Room: r.name, Expected: r.version, Events: Events(r.name, r.version, r.version+1+m.rnd.IntN(3)),
		Wake: int64(m.rnd.IntN(4)) * int64(m.rnd.IntN(1_000_000)),
	}
	if r.version > 0 && m.rnd.IntN(3) == 0 {
		c.Wake = store.KeepWake
	}
	switch m.rnd.IntN(5) {
	case 0:
		c.Index = &store.Index{Done: true}
		c.Wake = 0
	case 1, 2:
		c.Index = &store.Index{Live: m.rnd.IntN(2) == 0, Done: m.rnd.IntN(4) == 0}
		for _, p := range modelPlayers {
			if m.rnd.IntN(3) == 0 {
				c.Index.Players = append(c.Index.Players, p)
			}
		}
	}
	return c
}

func (m *model) append() {
	m.Helper()
	r := m.room()
	c := m.commit(r)
	if err := m.s.Append(m.Context(), c); err != nil {
		m.Fatalf("append: %v", err)
	}
	r.version += len(c.Events)
	if c.Wake != store.KeepWake {
		r.wake, r.due = c.Wake, c.Wake
	}
	if c.Index == nil {
		return
	}
	r.players = c.Index.Players
	switch {
	case !c.Index.Live:
		r.begun = 0
	case r.begun == 0:
		m.begun++
		r.begun = m.begun
	}
}

func (m *model) rest() {
	m.Helper()
	r := m.room()
	if r.version == 0 {
		return
	}
	c := store.Commit{Room: r.name, Expected: r.version, Wake: int64(m.rnd.IntN(1_000_000))}
	if err := m.s.Append(m.Context(), c); err != nil {
		m.Fatalf("append no events: %v", err)
	}
	r.wake, r.due = c.Wake, c.Wake
}

func (m *model) conflict() {
	m.Helper()
	r := m.room()
	c := m.commit(r)
	c.Expected += 1 - 2*m.rnd.IntN(2)
	switch c.Expected {
	case -1:
		return
	case 0:
		c.Wake = 0 // there is none to keep
	}
	if err := m.s.Append(m.Context(), c); !errors.Is(err, store.ErrConflict) {
		m.Fatalf("append at %d of %d: %v", c.Expected, r.version, err)
	}
}

func (m *model) due() {
	m.Helper()
	now, limit := int64(m.rnd.IntN(1_000_000)), 1+m.rnd.IntN(4)
	again := now + 1 + int64(m.rnd.IntN(1_000_000))
	got := due(m.T, m.s, now, again, limit)
	want := m.sorted(func(r *modelRoom) int { return int(r.due) })
	want = slices.DeleteFunc(want, func(r *modelRoom) bool { return r.due > now })
	want = want[:min(limit, len(want))]
	if len(got) != len(want) {
		m.Fatalf("due are %q, want %q", got, names(want))
	}
	for i, name := range got { // of rooms equally overdue any may come first
		if m.rooms[name].due != want[i].due {
			m.Fatalf("due are %q, want %q", got, names(want))
		}
	}
	for _, name := range got {
		m.rooms[name].due = again
	}
}

func (m *model) compare() {
	m.Helper()
	for _, r := range m.rooms {
		if r.version == 0 {
			if _, err := m.s.Read(m.Context(), r.name, 0); !errors.Is(err, store.ErrNotFound) {
				m.Fatalf("read %s: %v", r.name, err)
			}
			continue
		}
		epoch := CheckLog(m.T, m.s, r.name, r.version)
		if r.epoch != "" && epoch != r.epoch {
			m.Fatalf("the epoch of %s was %s and is %s", r.name, r.epoch, epoch)
		}
		r.epoch = epoch
		from := m.rnd.IntN(r.version)
		tail, err := m.s.Read(m.Context(), r.name, from)
		if err != nil {
			m.Fatal(err)
		}
		equalEvents(m.T, tail.Events, Events(r.name, from, r.version))
	}
	live := m.sorted(func(r *modelRoom) int { return -r.begun })
	equalLists(m.T, "live", liveRooms(m.T, m.s, 100), names(live))
	for _, p := range modelPlayers {
		var want []string
		for _, r := range m.rooms {
			if slices.Contains(r.players, p) {
				want = append(want, r.name)
			}
		}
		equalLists(m.T, "rooms of "+p, roomsOf(m.T, m.s, p), slices.Sorted(slices.Values(want)))
	}
}

// sorted returns the rooms whose key is not 0, in its order.
func (m *model) sorted(key func(*modelRoom) int) []*modelRoom {
	var rooms []*modelRoom
	for _, r := range m.rooms {
		if key(r) != 0 {
			rooms = append(rooms, r)
		}
	}
	slices.SortFunc(rooms, func(a, b *modelRoom) int { return cmp.Compare(key(a), key(b)) })
	return rooms
}

func names(rooms []*modelRoom) []string {
	var list []string
	for _, r := range rooms {
		list = append(list, r.name)
	}
	return list
}
