package hub_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"gomokud/internal/hub"
	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
)

// openRedis opens a store on the server that the test closes.
func openRedis(t *testing.T, server *redistest.Server) hub.Store {
	t.Helper()
	st, err := redisstore.Open(t.Context(), server.URL, redisstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// twoNodes are two hubs over one Redis.
func twoNodes(t *testing.T) (a, b *node) {
	t.Helper()
	server := redistest.Start(t)
	return startNode(t, openRedis(t, server), hub.Config{Node: "a"}), startNode(t, openRedis(t, server), hub.Config{Node: "b"})
}

func TestTwoNodesServeOneRoom(t *testing.T) {
	t.Parallel()
	a, b := twoNodes(t)
	ann, bob, eve := a.connect("ann"), b.connect("bob"), b.connect("eve")
	room := table(ann, bob, freestyle)
	eve.must(message{"type": "join", "room": room})
	play(ann, bob, room, 0, "h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8")
	if e := eve.event("ended"); e["winner"] != "black" {
		t.Errorf("the other node's spectator saw %v", e)
	}
	count := ann.await("spectators", func(m message) bool { return m["type"] == "spectators" && m["count"] == 1.0 })
	if count["room"] != room {
		t.Errorf("spectators of %v", count)
	}
}

func TestTwoNodesPairTheirPlayers(t *testing.T) {
	t.Parallel()
	a, b := twoNodes(t)
	ann, bob := a.connect("ann"), b.connect("bob")
	seek := message{"type": "seek", "game": freestyle}
	ann.must(seek)
	bob.must(message{"type": "seek", "game": freestyle})
	paired := func(m message) bool { return m["type"] == "paired" }
	first, second := ann.await("paired", paired), bob.await("paired", paired)
	if first["room"] != second["room"] {
		t.Fatalf("paired into %v and %v", first["room"], second["room"])
	}
}

// TestAPlayerWhoSearchesOnTwoNodesGetsOneGame: both tabs learn of it, and
// neither goes on searching.
func TestAPlayerWhoSearchesOnTwoNodesGetsOneGame(t *testing.T) {
	t.Parallel()
	renju := message{"rule": "renju", "size": "15x15", "clock": message{}}
	paired := func(p *player) any {
		return p.await("paired", func(m message) bool { return m["type"] == "paired" })["room"]
	}
	for name, games := range map[string][2]message{"for the same": {freestyle, freestyle}, "for two": {freestyle, renju}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nodes := make([]*node, 2)
			nodes[0], nodes[1] = twoNodes(t)
			var tabs, others [2]*player
			for i, n := range nodes {
				tabs[i] = n.connect("ann")
				tabs[i].must(message{"type": "seek", "game": games[i]})
			}
			time.Sleep(300 * time.Millisecond) // more than the nodes' clocks may be apart
			others[0] = nodes[0].connect("bob")
			others[0].must(message{"type": "seek", "game": games[0]})
			if name == "for two" { // one of these two is not paired with ann
				others[1] = nodes[1].connect("cid")
				others[1].must(message{"type": "seek", "game": games[1]})
			}
			room := paired(tabs[0])
			if other := paired(tabs[1]); other != room {
				t.Errorf("the tabs are led to %v and %v", room, other)
			}
			left, wants := nodes[0].connect("eve"), freestyle
			if name == "for two" {
				left = others[1]
				if joined := left.must(message{"type": "join", "room": room}); joined["state"].(map[string]any)["game"].(map[string]any)["rule"] == "renju" {
					left = others[0]
				} else {
					wants = renju
				}
			} else {
				left.must(message{"type": "seek", "game": wants})
			}
			fay := nodes[1].connect("fay")
			fay.must(message{"type": "seek", "game": wants})
			if one, other := paired(left), paired(fay); one != other {
				t.Errorf("two who are left are led to %v and %v", one, other)
			}
			if rooms := nodes[0].dial("ann").read()["rooms"].([]any); len(rooms) != 1 || rooms[0] != room {
				t.Errorf("ann plays in %v, want only %v", rooms, room)
			}
		})
	}
}

func TestASeatLeftOnOneNodeIsSeenOnTheOther(t *testing.T) {
	t.Parallel()
	a, b := twoNodes(t)
	ann, bob := a.connect("ann"), b.connect("bob")
	room := table(ann, bob, freestyle)
	bob.conn.Close()
	if e := ann.event("away"); e["color"] != "white" {
		t.Errorf("away: %v", e)
	}
	bob = a.connect("bob") // comes back by the other door
	bob.must(message{"type": "join", "room": room})
	if e := ann.event("back"); e["color"] != "white" {
		t.Errorf("back: %v", e)
	}
}

// TestOnePlyIsPlayedOnce: the same player moves on two nodes at once, again and
// again; every ply is granted to one of the two.
func TestOnePlyIsPlayedOnce(t *testing.T) {
	t.Parallel()
	a, b := twoNodes(t)
	ann, bob := a.connect("ann"), b.connect("bob")
	room := table(ann, bob, freestyle)
	tabs := [2][2]*player{{ann, b.connect("ann")}, {bob, a.connect("bob")}}
	for _, pair := range tabs {
		for _, p := range pair {
			p.must(message{"type": "join", "room": room})
		}
	}
	for ply := range 20 {
		var answers [2]message
		var racing sync.WaitGroup
		for i, p := range tabs[ply%2] {
			point := fmt.Sprintf("%c%d", 'a'+ply%15, 1+2*i+4*(ply/15))
			racing.Go(func() {
				answers[i] = p.do(message{"type": "place", "room": room, "ply": ply, "point": point})
			})
		}
		racing.Wait()
		granted := 0
		for _, m := range answers {
			switch {
			case m["type"] == "events":
				granted++
			case m["code"] != "not_your_turn" && m["code"] != "stale":
				t.Fatalf("ply %d: answered %v", ply, m)
			}
		}
		if granted != 1 {
			t.Fatalf("ply %d was granted %d times: %v", ply, granted, answers)
		}
		// The others wait until they have seen it, too.
		for _, p := range tabs[(ply+1)%2] {
			p.event("placed")
		}
	}
	for _, pair := range tabs {
		for _, p := range pair {
			m := p.must(message{"type": "join", "room": room})
			if moves := m["state"].(map[string]any)["moves"].([]any); len(moves) != 20 {
				t.Errorf("%s sees %d moves", p.id, len(moves))
			}
		}
	}
}

func TestWithoutTheStoreNothingIsAcknowledgedOrLost(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	n := startNode(t, openRedis(t, server), hub.Config{StoreTimeout: 2 * time.Second})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, freestyle)
	play(ann, bob, room, 0, "h8", "i9")
	server.Kill()

	move := func() message {
		return message{"type": "place", "id": "through-the-storm", "room": room, "ply": 2, "point": "j10"}
	}
	ann.refused(move(), "busy")
	bob.await("word of the trouble", func(m message) bool { return m["type"] == "service" && m["store"] == "unreachable" })
	server.Start()
	bob.await("word of its end", func(m message) bool { return m["type"] == "service" && m["store"] == "ok" })
	for {
		m := ann.do(move())
		if m["type"] != "error" {
			break
		}
		if m["code"] != "busy" {
			t.Fatalf("sent again: %v", m)
		}
	}
	if e := bob.event("placed"); e["point"] != "j10" {
		t.Errorf("bob saw %v", e)
	}
	m := bob.must(message{"type": "join", "room": room})
	if moves := m["state"].(map[string]any)["moves"].([]any); fmt.Sprint(moves) != "[h8 i9 j10]" {
		t.Errorf("the moves are %v", moves)
	}
}

// TestAReloadWithoutTheStoreShowsTheLatest: the node has the room in memory, also
// when the page that is loaded anew was the only one.
func TestAReloadWithoutTheStoreShowsTheLatest(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	n := startNode(t, openRedis(t, server), hub.Config{StoreTimeout: 2 * time.Second})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, freestyle)
	play(ann, bob, room, 0, "h8", "i9", "j10")
	server.Kill()
	for _, others := range []string{"the opponent is there", "nobody is there"} {
		ann.conn.Close()
		if others == "nobody is there" {
			bob.conn.Close()
		}
		ann = n.connect("ann")
		m := ann.must(message{"type": "join", "room": room})
		if moves := m["state"].(map[string]any)["moves"]; fmt.Sprint(moves) != "[h8 i9 j10]" {
			t.Errorf("while %s: the moves are %v", others, moves)
		}
	}
}
