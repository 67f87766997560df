package hub_test

import (
	"fmt"
	"reflect"
	"testing"

	"gomokud/internal/hub"
	"gomokud/internal/store/redistest"
)

// TestEveryTabKnowsOfTheSearch: also one that was open before at another node,
// which of two searches counts, and that a tab may go while another stays.
func TestEveryTabKnowsOfTheSearch(t *testing.T) {
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
			stranger := b.connect("eve")
			is := func(kind string) func(message) bool { return func(m message) bool { return m["type"] == kind } }
			caro := message{"rule": "caro", "size": "15x15", "clock": message{}}
			for _, search := range []struct {
				tab  int
				game message
			}{{0, freestyle}, {2, caro}, {1, freestyle}} {
				tabs[search.tab].must(message{"type": "seek", "game": search.game})
				for i, tab := range tabs {
					told := tab.await("the search", is("seeking"))
					if rule := told["game"].(map[string]any)["rule"]; rule != search.game["rule"] {
						t.Fatalf("begun in tab %d for %v: tab %d is told %v", search.tab, search.game, i, told)
					}
					late := []*node{a, a, b}[i].dial("ann")
					if hello := late.read(); !reflect.DeepEqual(hello["seeking"], map[string]any(told)) {
						t.Errorf("a new tab is greeted with %v, want %v", hello["seeking"], told)
					}
					late.conn.Close()
				}
			}
			tabs[0].conn.Close()
			tabs[1].conn.Close()
			bob := a.connect("bob")
			bob.must(message{"type": "seek", "game": freestyle})
			found := bob.await("paired", is("paired"))
			if told := tabs[2].await("paired", is("paired")); told["room"] != found["room"] {
				t.Errorf("ann and bob are led to %v and %v", told["room"], found["room"])
			}
			id := stranger.send(message{"type": "ping"})
			if m := stranger.read(); m["type"] != "pong" || m["id"] != id {
				t.Errorf("eve was told %v", m)
			}
		})
	}
}

// TestWhoWaitsIsSeenAtEveryNode: for which game, and until the search ends.
func TestWhoWaitsIsSeenAtEveryNode(t *testing.T) {
	t.Parallel()
	st := openRedis(t, redistest.Start(t))
	a, b := startNode(t, st, hub.Config{Node: "a"}), startNode(t, st, hub.Config{Node: "b"})
	ann, eve := a.connect("ann"), b.connect("eve")
	eve.must(message{"type": "lobby", "on": true})
	tells := func(players float64) func(message) bool {
		return func(m message) bool {
			waiting, _ := m["waiting"].([]any)
			if players == 0 {
				return m["waiting"] != nil && len(waiting) == 0
			}
			return len(waiting) == 1 && waiting[0].(map[string]any)["players"] == players
		}
	}
	eve.await("that nobody waits", tells(0))
	ann.must(message{"type": "seek", "game": freestyle})
	told := eve.await("that somebody waits", tells(1))
	if game := told["waiting"].([]any)[0].(map[string]any)["game"]; fmt.Sprint(game) != fmt.Sprint(freestyle) {
		t.Errorf("somebody waits for %v, want %v", game, freestyle)
	}
	ann.must(message{"type": "unseek"})
	eve.await("that nobody waits any more", tells(0))
}
