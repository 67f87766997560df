package hub_test

import (
	"testing"

	"gomokud/internal/hub"
	"gomokud/internal/match"
)

func TestTwoPeoplePlayToAWin(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, freestyle)
	play(ann, bob, room, 0, "h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8")
	for _, p := range []*player{ann, bob} {
		m := p.must(message{"type": "join", "room": room})
		state := m["state"].(map[string]any)
		result := state["result"].(map[string]any)
		if state["phase"] != "over" || result["winner"] != "black" || result["reason"] != "five" || len(result["row"].([]any)) != 5 {
			t.Errorf("%s sees %v", p.id, state)
		}
	}
}

func TestAWinArrivesWithItsMove(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, freestyle)
	play(ann, bob, room, 0, "h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4")
	m := ann.must(message{"type": "place", "room": room, "ply": 8, "point": "l8"})
	if list := events(m); len(list) != 2 || list[1]["kind"] != "ended" {
		t.Errorf("the winning move came with %v", list)
	}
}

func TestStrangersArePairedInTheOrderTheyCame(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann, bob, cid := n.connect("ann"), n.connect("bob"), n.connect("cid")
	seek := message{"type": "seek", "game": freestyle}
	other := message{"type": "seek", "game": message{"rule": "renju", "size": "15x15", "clock": message{}}}

	await := func(p *player, kind string) message {
		t.Helper()
		return p.await(kind, func(m message) bool { return m["type"] == kind })
	}
	cid.must(other)
	await(cid, "seeking")
	ann.must(seek)
	await(ann, "seeking")
	bob.must(message{"type": "seek", "id": "bob-seeks", "game": freestyle})
	first, second := await(ann, "paired"), await(bob, "paired")
	if first["room"] != second["room"] || first["room"] == "" {
		t.Fatalf("paired into %v and %v", first["room"], second["room"])
	}
	room := first["room"].(string)
	// Sent again, the search finds what it has found, and no second opponent.
	again := bob.send(message{"type": "seek", "id": "bob-seeks", "game": freestyle})
	bob.await("the same room", func(m message) bool {
		if m["type"] == "seeking" {
			t.Errorf("%s began a second search", again)
		}
		return m["type"] == "paired" && m["room"] == room
	})
	m := ann.must(message{"type": "join", "room": room})
	if state := m["state"].(map[string]any); state["phase"] != "playing" {
		t.Errorf("the paired room is %v", state["phase"])
	}
	// cid waits for another game, and can give up.
	cid.must(message{"type": "unseek"})
	if hello := n.dial("cid").read(); hello["seeking"] != nil {
		t.Errorf("still seeking: %v", hello["seeking"])
	}
}

func TestASpectatorSeesAllAndMayDoNothing(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann, bob, eve := n.connect("ann"), n.connect("bob"), n.connect("eve")
	room := table(ann, bob, freestyle)
	play(ann, bob, room, 0, "h8", "a1", "i8")
	m := eve.must(message{"type": "join", "room": room})
	if moves := m["state"].(map[string]any)["moves"].([]any); len(moves) != 3 {
		t.Errorf("a late spectator sees %v", moves)
	}
	for _, cmd := range []message{
		{"type": "place", "ply": 3, "point": "j8"}, {"type": "resign"}, {"type": "abort"}, {"type": "claim"},
		{"type": "offer", "what": "draw"}, {"type": "accept", "what": "draw"}, {"type": "decline", "what": "takeback"},
		{"type": "pass", "ply": 3},
	} {
		cmd["room"] = room
		eve.refused(cmd, "not_seated")
	}
	eve.refused(message{"type": "sit", "room": room}, "seat_taken")
	play(ann, bob, room, 3, "a2")
	if e := eve.event("placed"); e["point"] != "a2" {
		t.Errorf("the spectator saw %v", e)
	}
	count := ann.await("the number of spectators", func(m message) bool { return m["type"] == "spectators" && m["count"] != 0.0 })
	if count["count"] != 1.0 {
		t.Errorf("spectators: %v", count)
	}
}

func TestABotFillsASeat(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann := n.connect("ann")
	for _, bot := range []string{"seven-step", "shape-dictionary"} {
		room := ann.must(message{"type": "create", "game": freestyle, "color": "white", "bot": bot})["room"].(string)
		joined := ann.must(message{"type": "join", "room": room})
		if moves := joined["state"].(map[string]any)["moves"].([]any); len(moves) == 0 {
			ann.event("placed") // the bot begins by itself
		}
		ann.must(message{"type": "place", "room": room, "ply": 1, "point": "a1"})
		if e := ann.event("placed"); e["point"] == "a1" {
			ann.event("placed")
		}
		// A takeback is granted at once and takes the pair of moves back.
		m := ann.must(message{"type": "offer", "room": room, "what": "takeback"})
		if list := events(m); list[0]["kind"] != "takenback" || list[0]["plies"] != 2.0 {
			t.Errorf("%s: takeback led to %v", bot, list)
		}
		m = ann.must(message{"type": "offer", "room": room, "what": "draw"})
		if list := events(m); len(list) != 2 || list[1]["kind"] != "declined" {
			t.Errorf("%s: a draw offer led to %v", bot, list)
		}
		ann.must(message{"type": "resign", "room": room})
		m = ann.must(message{"type": "offer", "room": room, "what": "rematch"})
		if list := events(m); list[0]["kind"] != "started" || list[0]["black"] != "ann" {
			t.Errorf("%s: a rematch led to %v", bot, list)
		}
		ann.must(message{"type": "abort", "room": room})
	}
}

func TestARematchKeepsTheTable(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann, bob, eve := n.connect("ann"), n.connect("bob"), n.connect("eve")
	room := table(ann, bob, freestyle)
	eve.must(message{"type": "join", "room": room})
	ann.must(message{"type": "resign", "room": room})
	bob.event("ended")
	bob.must(message{"type": "offer", "room": room, "what": "rematch"})
	ann.event("offered")
	ann.must(message{"type": "accept", "room": room, "what": "rematch"})
	for _, p := range []*player{bob, eve} {
		if e := p.event("started"); e["black"] != "bob" || e["white"] != "ann" || e["number"] != 2.0 {
			t.Errorf("%s saw %v", p.id, e)
		}
	}
	play(bob, ann, room, 0, "h8", "i9")
	if e := eve.event("placed"); e["point"] != "h8" {
		t.Errorf("the spectator did not come along: %v", e)
	}
	m := eve.must(message{"type": "join", "room": room})
	if white := m["state"].(map[string]any)["black"].(map[string]any); white["score"] != 1.0 {
		t.Errorf("the winner's score is %v", white)
	}
}

func TestForbiddenPoints(t *testing.T) {
	t.Parallel()
	for _, policy := range []match.ForbiddenPolicy{match.Loses, match.Refused} {
		n := startNode(t, openBolt(t, t.TempDir()), hub.Config{Node: string(policy)})
		ann, bob := n.connect("ann"), n.connect("bob")
		room := table(ann, bob, message{"rule": "renju", "size": "15x15", "clock": message{}, "forbidden": policy})
		// Two open threes would meet in h8.
		play(ann, bob, room, 0, "f8", "a1", "g8", "a3", "h6", "a5", "h7", "a7")
		m := ann.must(message{"type": "join", "room": room})
		forbidden := m["view"].(map[string]any)["forbidden"].([]any)
		if len(forbidden) != 1 || forbidden[0].(map[string]any)["point"] != "h8" || forbidden[0].(map[string]any)["foul"] != "double-three" {
			t.Fatalf("%s: forbidden %v, want h8 for a double-three", policy, forbidden)
		}
		move := message{"type": "place", "room": room, "ply": 8, "point": "h8"}
		if policy == match.Refused {
			ann.refused(move, "forbidden_point")
			continue
		}
		if list := events(ann.must(move)); len(list) != 2 || list[1]["reason"] != "foul" || list[1]["winner"] != "white" {
			t.Errorf("a forbidden move led to %v", list)
		}
	}
}

func TestTheLobbyShowsLiveGames(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann, bob, eve := n.connect("ann"), n.connect("bob"), n.connect("eve")
	room := table(ann, bob, freestyle)
	play(ann, bob, room, 0, "h8")
	eve.must(message{"type": "lobby", "on": true})
	game := func(want func(map[string]any) bool) {
		t.Helper()
		eve.await("a game in the lobby", func(m message) bool {
			games, _ := m["games"].([]any)
			for _, g := range games {
				if g := g.(map[string]any); g["room"] == room && want(g) {
					return true
				}
			}
			return false
		})
	}
	game(func(g map[string]any) bool { return len(g["moves"].([]any)) == 1 })
	play(ann, bob, room, 1, "i9")
	game(func(g map[string]any) bool { return len(g["moves"].([]any)) == 2 })
	ann.must(message{"type": "resign", "room": room})
	game(func(g map[string]any) bool { return g["over"] == true })
	eve.await("the game's going", func(m message) bool {
		gone, _ := m["gone"].([]any)
		return len(gone) == 1 && gone[0] == room
	})
}
