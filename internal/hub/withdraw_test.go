package hub_test

import (
	"testing"
	"time"

	"gomokud/internal/hub"
	"gomokud/internal/store/redistest"
)

// TestASearchEndsWhereverItIsCalledOff: all tabs at all nodes that search learn it,
// nobody is paired with the player, who may search again.
func TestASearchEndsWhereverItIsCalledOff(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(*testing.T) hub.Store{
		"embedded": func(t *testing.T) hub.Store { return openBolt(t, t.TempDir()) },
		"redis":    func(t *testing.T) hub.Store { return openRedis(t, redistest.Start(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := open(t)
			a, b := startNode(t, st, hub.Config{Node: "a"}), startNode(t, st, hub.Config{Node: "b"})
			tabs := []*player{a.connect("ann"), a.connect("ann"), b.connect("ann")}
			is := func(kind string) func(message) bool { return func(m message) bool { return m["type"] == kind } }
			for _, caller := range []*player{tabs[2], tabs[0], tabs[1]} { // another node's, the one that searches, its neighbour
				tabs[0].must(message{"type": "seek", "game": freestyle})
				for _, tab := range tabs {
					tab.await("the search", is("seeking"))
				}
				time.Sleep(300 * time.Millisecond) // more than the nodes' clocks may be apart
				caller.must(message{"type": "unseek"})
				for _, tab := range tabs {
					if tab != caller { // who has heard it before the answer
						tab.await("the end of the search", is("unseeking"))
					}
				}
				if hello := a.dial("ann").read(); hello["seeking"] != nil || len(hello["rooms"].([]any)) > 0 {
					t.Errorf("ann is greeted with %v", hello)
				}
			}
			bob, cid := b.connect("bob"), a.connect("cid")
			bob.must(message{"type": "seek", "game": freestyle})
			time.Sleep(time.Second) // both nodes go their rounds
			cid.must(message{"type": "seek", "game": freestyle})
			one, other := bob.await("paired", is("paired")), cid.await("paired", is("paired"))
			if one["room"] != other["room"] {
				t.Errorf("bob and cid are led to %v and %v", one["room"], other["room"])
			}
			tabs[1].must(message{"type": "seek", "game": freestyle})
			tabs[2].await("the search", is("seeking"))
			dan := b.connect("dan")
			dan.must(message{"type": "seek", "game": freestyle})
			found := dan.await("paired", is("paired"))
			for _, tab := range tabs {
				if p := tab.await("paired", is("paired")); p["room"] != found["room"] {
					t.Errorf("ann and dan are led to %v and %v", p["room"], found["room"])
				}
			}
		})
	}
}
