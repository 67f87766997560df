package hub

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/rules"
	"gomokud/internal/store"
)

// TestASearchWithoutAConnectionDoesNothing but wait for its player: it may
// long go on from another node, and nobody here could be told what it found.
func TestASearchWithoutAConnectionDoesNothing(t *testing.T) {
	t.Parallel()
	st := newFrail(t)
	h := idleHub(t, st, asker{})
	ann := offline(h, "ann")
	ann.visitor.clients = []*client{ann}
	h.visitors.byID["ann"] = ann.visitor
	g := match.Game{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}}
	if _, err := h.seek(t.Context(), ann, request{ID: "seek", Game: &g}); err != nil {
		t.Fatal(err)
	}
	asked := 0
	st.meanwhile = func(store.Ticket) { asked++ }
	s := h.pairing.get("ann")
	step := func() {
		t.Helper()
		if err := h.pair(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	step()
	elsewhere := s.ticket
	elsewhere.Begun++
	pair := func(t2 store.Ticket) store.Pairing {
		t.Helper()
		p, err := st.Store.Pair(t.Context(), t2, int64(h.clock.now()), ticketTTL)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	pair(elsewhere)
	ann.visitor.clients = nil
	step()
	if asked != 1 || h.pairing.get("ann") != s {
		t.Errorf("asked %d times, want only while ann is here; still searching: %t", asked, h.pairing.get("ann") == s)
	}
	s.seen = s.seen.Add(-ticketTTL - time.Second)
	step()
	if h.pairing.get("ann") != nil {
		t.Error("it goes on for ever")
	}
	if p := pair(store.Ticket{Player: "bob", Queue: elsewhere.Queue, Room: "bob's"}); p.Opponent == nil {
		t.Error("it took the search from another node along")
	}
}

// TestWhatWasFoundForSomebodyWhoWasAwayIsNotOfferedOnceItIsOver: they may have
// seen the game in the list of theirs.
func TestWhatWasFoundForSomebodyWhoWasAwayIsNotOfferedOnceItIsOver(t *testing.T) {
	t.Parallel()
	for _, over := range []bool{false, true} {
		st := newFrail(t)
		h := idleHub(t, st, asker{})
		g := match.Game{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}}
		for _, id := range []string{"ann", "bob"} {
			c := offline(h, id)
			c.visitor.clients = []*client{c}
			h.visitors.byID[id] = c.visitor
		}
		seek := func(id, command string) *seeker {
			t.Helper()
			if _, err := h.seek(t.Context(), h.visitors.byID[id].clients[0], request{ID: command, Game: &g}); err != nil {
				t.Fatal(err)
			}
			return h.pairing.get(id)
		}
		step := func(s *seeker) {
			t.Helper()
			if err := h.pair(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		ann := seek("ann", "first")
		step(ann)
		h.pairing.drop(ann) // she was away for too long
		step(seek("bob", "bob's"))
		rooms, err := st.RoomsOf(t.Context(), "ann")
		if err != nil || len(rooms) != 1 {
			t.Fatalf("ann plays in %v, %v", rooms, err)
		}
		if over {
			err := h.within(t.Context(), rooms[0], func(r *room) error {
				_, err := r.command(t.Context(), match.Command{ID: "over", By: match.Player{ID: "bob"}, Act: match.Resign{}}, h.clock.now())
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		step(seek("ann", "second"))
		if searching := h.pairing.get("ann") != nil; searching != over {
			t.Errorf("the game is over: %t; ann goes on searching: %t", over, searching)
		}
	}
}

// TestWhoCallsOffTooLateHasAGame: they are told its room, at the node where they
// searched. Only if it never comes is the search over.
func TestWhoCallsOffTooLateHasAGame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ atTheSameNode, appears bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
		st := newFrail(t)
		here, there := idleHub(t, st, asker{}), idleHub(t, st, asker{})
		ann, bob := searcher(t, here, "ann"), searcher(t, there, "bob")
		ann.ticket.Begun -= 1000 // a while ago
		step := func(h *Hub, s *seeker) {
			t.Helper()
			if err := h.pair(t.Context(), s); err != nil && tt.appears {
				t.Fatal(err)
			}
		}
		step(here, ann)
		st.noAppend.Store(!tt.appears)
		step(there, bob)
		node := there
		if tt.atTheSameNode {
			node = here
		}
		if err := node.unseek(t.Context(), "ann"); err != nil {
			t.Fatal(err)
		}
		step(here, ann)
		want := "paired"
		if !tt.appears {
			if here.pairing.get("ann") != ann {
				t.Fatalf("%+v: ann does not wait for the room", tt)
			}
			ann.waits = ann.waits.Add(-roomAppear - time.Second)
			step(here, ann) // gives the room up
			step(here, ann)
			want = "unseeking"
		}
		if told := lastTold(here, "ann"); !strings.Contains(told, want) || here.pairing.get("ann") != nil {
			t.Errorf("%+v: ann was told %q and searches: %t", tt, told, here.pairing.get("ann") != nil)
		}
	}
}

// TestWhatBeginsAfterCallingOffIsANewSearch, also in the same millisecond.
func TestWhatBeginsAfterCallingOffIsANewSearch(t *testing.T) {
	t.Parallel()
	h := idleHub(t, newFrail(t), asker{})
	for i := range 50 {
		id := fmt.Sprint("player ", i)
		old := searcher(t, h, id)
		if err := h.unseek(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if told := lastTold(h, id); !strings.Contains(told, "unseeking") {
			t.Errorf("told %q", told)
		}
		s := searcher(t, h, id)
		for _, s := range []*seeker{old, s} {
			if err := h.pair(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		if told := lastTold(h, id); h.pairing.get(id) != s || !strings.Contains(told, `"seeking"`) {
			t.Fatalf("the new search is over; told %q", told)
		}
		if err := h.unseek(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if err := h.pair(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for _, player := range []string{"ann", "bob"} { // nobody is left in the queue
		s := searcher(t, h, player)
		if err := h.pair(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if found := h.pairing.get(player) == nil; found != (player == "bob") {
			t.Errorf("%s found somebody: %t", player, found)
		}
	}
}

// searcher begins a search of an offline player.
func searcher(t *testing.T, h *Hub, id string) *seeker {
	t.Helper()
	if h.visitors.byID[id] == nil {
		c := offline(h, id)
		c.visitor.clients = []*client{c}
		h.visitors.byID[id] = c.visitor
	}
	g := match.Game{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}}
	if _, err := h.seek(t.Context(), h.visitors.byID[id].clients[0], request{ID: "seek", Game: &g}); err != nil {
		t.Fatal(err)
	}
	return h.pairing.get(id)
}

// lastTold is the last that the offline player was told.
func lastTold(h *Hub, id string) string {
	told := h.visitors.byID[id].clients[0].told()
	if len(told) == 0 {
		return ""
	}
	return string(told[len(told)-1])
}

// TestASearchIsTakenOverOnce: not again, not if it may have ended meanwhile, and
// not where its player is not. One that is damaged hurts no other.
func TestASearchIsTakenOverOnce(t *testing.T) {
	t.Parallel()
	st := newFrail(t)
	h := idleHub(t, st, asker{})
	tabs := map[string]*client{}
	for _, id := range []string{"ann", "dan"} {
		c := offline(h, id)
		c.visitor.clients = []*client{c}
		h.visitors.byID[id], tabs[id] = c.visitor, c
	}
	now := int64(h.clock.now())
	elsewhere := func(begun int64, player, queue, data string) {
		t.Helper()
		ticket := store.Ticket{Player: player, Begun: now + begun, Queue: queue, Room: player + "'s", Data: []byte(data)}
		if _, err := st.Pair(t.Context(), ticket, now, ticketTTL); err != nil {
			t.Fatal(err)
		}
	}
	adopt := func(want int) {
		t.Helper()
		if err := h.adoptSearches(t.Context()); err != nil {
			t.Fatal(err)
		}
		told := tabs["ann"].told()
		if len(told) != want || want > 0 && !strings.Contains(string(told[0]), `"seeking"`) {
			t.Errorf("ann was told %q, want %d messages", told, want)
		}
	}
	caro, renju := `{"rule":"caro","size":"15x15","clock":{}}`, `{"rule":"renju","size":"15x15","clock":{}}`
	elsewhere(1, "ann", caro, `{"id":"ann","name":"Ann"}`)
	elsewhere(2, "bob", renju, `{"id":"bob","name":"Bob"}`)
	elsewhere(3, "dan", "of what?", "who?")
	adopt(1)
	adopt(0)
	if h.pairing.get("bob") != nil || h.pairing.get("dan") != nil || len(tabs["dan"].told()) > 0 {
		t.Error("searches are taken over of who is not there, and of nobody knows whom")
	}
	elsewhere(4, "ann", `{"rule":"caro","size":"9x9","clock":{}}`, `{"id":"ann","name":"Ann"}`)
	st.listed = func() { h.pairing.remove("ann") }
	adopt(0)
	st.listed = nil
	adopt(1)
	if s := h.pairing.get("ann"); s == nil || s.game.Size.Width != 9 || s.player.Name != "Ann" || s.ticket.Room == "ann's" {
		t.Errorf("taken over is %+v", s)
	}
}
