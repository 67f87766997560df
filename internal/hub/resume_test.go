package hub_test

import (
	"testing"
	"time"

	"gomokud/internal/hub"
	"gomokud/internal/match"
)

func TestResumeByVersion(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, freestyle)
	whole := bob.must(message{"type": "join", "room": room})
	epoch, have := whole["epoch"], version(whole)
	bob.conn.Close()
	ann.must(message{"type": "place", "room": room, "ply": 0, "point": "h8"})

	bob = n.connect("bob")
	tail := bob.must(message{"type": "join", "room": room, "epoch": epoch, "have": have})
	if list := events(tail); tail["type"] != "events" || len(list) != 1 || list[0]["point"] != "h8" {
		t.Errorf("the tail is %v", tail)
	}
	for name, join := range map[string]message{
		"another epoch":      {"epoch": "00000000", "have": have},
		"nothing known":      {},
		"more than there is": {"epoch": epoch, "have": have + 1000},
		"a negative version": {"epoch": epoch, "have": -1},
	} {
		join["type"], join["room"] = "join", room
		if m := bob.must(join); m["type"] != "room" || version(m) < have+1 {
			t.Errorf("%s: answered %v", name, m)
		}
	}
	if m := bob.must(message{"type": "join", "room": room, "epoch": epoch, "have": version(tail)}); len(events(m)) != 0 && m["type"] != "events" {
		t.Errorf("up to date: answered %v", m)
	}
}

func TestACommandHasItsEffectOnce(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, freestyle)
	move := func() message {
		return message{"type": "place", "id": "once", "room": room, "ply": 0, "point": "h8"}
	}
	first := ann.must(move())
	again := ann.must(move())
	if again["type"] != "ok" || version(again) != version(first) {
		t.Errorf("sent again: %v, want ok at version %d", again, version(first))
	}
	// From a new connection, after the position has moved on.
	bob.must(message{"type": "place", "room": room, "ply": 1, "point": "i9"})
	ann2 := n.connect("ann")
	ann2.must(message{"type": "join", "room": room})
	if m := ann2.must(move()); m["type"] != "ok" || version(m) != version(first) {
		t.Errorf("from a new connection: %v", m)
	}
	other := move()
	other["point"] = "a1"
	ann2.refused(other, "id_reused")
	// A refusal is remembered too: the same command later is not a new one.
	early := message{"type": "place", "id": "early", "room": room, "ply": 3, "point": "j10"}
	bob.refused(early, "not_your_turn")
	ann2.must(message{"type": "place", "room": room, "ply": 2, "point": "c3"})
	bob.refused(early, "not_your_turn")
	m := ann2.must(message{"type": "join", "room": room})
	if moves := m["state"].(map[string]any)["moves"].([]any); len(moves) != 3 {
		t.Errorf("moves are %v", moves)
	}
}

func TestACreateHasItsEffectOnce(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	create := func() message { return message{"type": "create", "id": "new", "game": freestyle, "color": "random"} }
	room := n.connect("ann").must(create())["room"]
	if again := n.connect("ann").must(create())["room"]; again != room {
		t.Errorf("sent again, it made %v beside %v", again, room)
	}
	if other := n.connect("bob").must(create())["room"]; other == room {
		t.Error("another player's command of the same id led to the same room")
	}
	changed := create()
	changed["color"] = "black"
	n.connect("ann").refused(changed, "id_reused")
}

func TestARestartKeepsGamesAndClocks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	st := openBolt(t, dir)
	n := startNode(t, st, hub.Config{})
	ann, bob := n.connect("ann"), n.connect("bob")
	clock := message{"rule": "freestyle", "size": "15x15", "clock": message{"main": 600_000}}
	room := table(ann, bob, clock)
	play(ann, bob, room, 0, "h8", "i9", "j10")
	before := ann.must(message{"type": "join", "room": room})
	n.stop()
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}

	time.Sleep(2500 * time.Millisecond) // downtime is the subject here: more than a missed heartbeat
	n = startNode(t, openBolt(t, dir), hub.Config{})
	ann, bob = n.connect("ann"), n.connect("bob")
	m := ann.must(message{"type": "join", "room": room, "epoch": before["epoch"], "have": version(before)})
	if list := events(m); len(list) != 1 || list[0]["kind"] != "credited" || list[0]["color"] != "white" || list[0]["ms"].(float64) < 2000 {
		t.Fatalf("back after the restart, told %v; want at least 2000 ms credited to white", m)
	}
	m = bob.must(message{"type": "join", "room": room})
	if moves := m["state"].(map[string]any)["moves"].([]any); len(moves) != 3 {
		t.Fatalf("after the restart the moves are %v", moves)
	}
	bob.must(message{"type": "place", "room": room, "ply": 3, "point": "a1"})
}

func TestABotMovesAfterARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	st := openBolt(t, dir)
	n := startNode(t, st, hub.Config{})
	ann := n.connect("ann")
	room := ann.must(message{"type": "create", "game": freestyle, "color": "black", "bot": "seven-step"})["room"].(string)
	ann.must(message{"type": "join", "room": room})
	ann.must(message{"type": "place", "room": room, "ply": 0, "point": "h8"})
	n.stop() // perhaps before the bot has answered
	st.Close()

	n = startNode(t, openBolt(t, dir), hub.Config{})
	ann = n.connect("ann")
	m := ann.must(message{"type": "join", "room": room})
	if moves := m["state"].(map[string]any)["moves"].([]any); len(moves) < 2 {
		ann.event("placed")
	}
}

func TestWhoLeavesIsAwayAndCanBeClaimed(t *testing.T) {
	t.Parallel()
	limits := match.DefaultLimits()
	limits.ClaimAfter = 100
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{Limits: limits})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, freestyle)
	ann.refused(message{"type": "claim", "room": room}, "not_away")
	play(ann, bob, room, 0, "h8", "i9", "j10")
	ann.refused(message{"type": "claim", "room": room}, "not_away")
	bob.conn.Close()
	if e := ann.event("away"); e["color"] != "white" {
		t.Fatalf("away: %v", e)
	}
	bob = n.connect("bob")
	bob.must(message{"type": "join", "room": room})
	ann.event("back")
	bob.conn.Close()
	ann.event("away")
	for {
		m := ann.do(message{"type": "claim", "room": room})
		if m["type"] == "events" {
			break
		}
		if m["code"] != "not_away" {
			t.Fatalf("claim: %v", m)
		}
		time.Sleep(20 * time.Millisecond) // until the grace time is over
	}
	m := ann.must(message{"type": "join", "room": room})
	result := m["state"].(map[string]any)["result"].(map[string]any)
	if result["winner"] != "black" || result["reason"] != "abandonment" {
		t.Errorf("the claim led to %v", result)
	}
}

func TestAFlagFallsByItself(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, message{"rule": "freestyle", "size": "15x15", "clock": message{"main": 1000}})
	play(ann, bob, room, 0, "h8")
	if e := ann.event("ended"); e["winner"] != "black" || e["reason"] != "time" {
		t.Errorf("ended %v", e)
	}
}

func TestDrainSendsEverybodyBackLater(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann := n.connect("ann")
	go n.stop()
	m := ann.await("bye", func(m message) bool { return m["type"] == "bye" })
	if m["retry"].(float64) < 100 {
		t.Errorf("bye %v", m)
	}
	for {
		_, _, err := ann.conn.ReadMessage()
		if err == nil {
			continue
		}
		if !isClose(err, 4000) {
			t.Errorf("closed with %v, want 4000", err)
		}
		break
	}
}
