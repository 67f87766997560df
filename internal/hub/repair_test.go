package hub_test

import (
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"gomokud/internal/hub"
	"gomokud/internal/store/redistest"
)

// rolledBack is a Redis that forgets what it has acknowledged, as a failover
// to a replica that lagged behind does.
type rolledBack struct {
	t *testing.T
	*redis.Client
}

func rollBack(t *testing.T, server *redistest.Server) rolledBack {
	t.Helper()
	o, err := redis.ParseURL(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := redis.NewClient(o)
	t.Cleanup(func() { c.Close() })
	return rolledBack{t, c}
}

// key is the room's one key of the kind.
func (r rolledBack) key(kind, room string) string {
	r.t.Helper()
	keys, err := r.Keys(r.t.Context(), "*:"+kind+":"+room).Result()
	if err != nil || len(keys) != 1 {
		r.t.Fatalf("keys %q of room %s, %v", keys, room, err)
	}
	return keys[0]
}

// loses takes the latest n events from a room's log and returns them.
func (r rolledBack) loses(room string, n int) []string {
	r.t.Helper()
	lost, err := r.RPopCount(r.t.Context(), r.key("log", room), n).Result()
	if err != nil || len(lost) != n {
		r.t.Fatalf("lost %d events, want %d: %v", len(lost), n, err)
	}
	return lost
}

// log is a room's whole log.
func (r rolledBack) log(room string) []string {
	r.t.Helper()
	events, err := r.LRange(r.t.Context(), r.key("log", room), 0, -1).Result()
	if err != nil {
		r.t.Fatal(err)
	}
	return events
}

func TestWhatTheStoreLostIsPutBack(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(r rolledBack, room string){
		"the last move":  func(r rolledBack, room string) { r.loses(room, 1) },
		"many moves":     func(r rolledBack, room string) { r.loses(room, 5) },
		"the whole room": func(r rolledBack, room string) { r.Del(r.t.Context(), r.key("log", room), r.key("room", room)) },
		"everything":     func(r rolledBack, _ string) { r.FlushDB(r.t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := redistest.Start(t)
			a := startNode(t, openRedis(t, server), hub.Config{Node: "a"})
			ann, bob := a.connect("ann"), a.connect("bob")
			room := table(ann, bob, freestyle)
			play(ann, bob, room, 0, "h8", "a1", "i8", "a2", "j8", "a3")
			r := rollBack(t, server)
			before := r.log(room)
			lose(r, room)
			play(ann, bob, room, 6, "k8", "a4", "l8")
			after := r.log(room)
			if len(after) < len(before) || strings.Join(after[:len(before)], "\n") != strings.Join(before, "\n") {
				t.Errorf("the log\n%s\nbegan as\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
			}
			if end := after[len(after)-1]; !strings.Contains(end, `"ended"`) {
				t.Errorf("the log ends with %s", end)
			}
		})
	}
}

func TestTwoNodesMendOneLog(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	a := startNode(t, openRedis(t, server), hub.Config{Node: "a"})
	b := startNode(t, openRedis(t, server), hub.Config{Node: "b"})
	ann, bob := a.connect("ann"), b.connect("bob")
	room := table(ann, bob, freestyle)
	play(ann, bob, room, 0, "h8", "a1", "i8", "a2")
	r := rollBack(t, server)
	before := r.log(room)
	r.loses(room, 2)
	play(ann, bob, room, 4, "j8", "a3", "k8", "a4", "l8")
	if after := r.log(room); strings.Join(after[:len(before)], "\n") != strings.Join(before, "\n") {
		t.Errorf("the log was not mended:\n%s", strings.Join(after, "\n"))
	}
}

// TestAnotherHistoryIsShownAsItIs: when the log has gone on without what it
// lost, nothing is put back over it, and people see what is there.
func TestAnotherHistoryIsShownAsItIs(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	a := startNode(t, openRedis(t, server), hub.Config{Node: "a"})
	ann, bob := a.connect("ann"), a.connect("bob")
	room := table(ann, bob, freestyle)
	play(ann, bob, room, 0, "h8", "a1", "i8")
	r := rollBack(t, server)
	r.loses(room, 2) // a1 and i8
	// A node that never saw them serves bob next.
	b := startNode(t, openRedis(t, server), hub.Config{Node: "b"})
	bob2 := b.connect("bob")
	bob2.must(message{"type": "join", "room": room})
	bob2.must(message{"type": "place", "room": room, "ply": 1, "point": "o15"})
	ann.send(message{"type": "offer", "room": room, "what": "draw"}) // her node tries to add it to what is no more
	whole := ann.await("the room as it is", func(m message) bool { return m["type"] == "room" && m["room"] == room })
	if moves := whole["state"].(map[string]any)["moves"].([]any); len(moves) != 2 || moves[1] != "o15" {
		t.Errorf("ann is shown the moves %v", moves)
	}
	ann.must(message{"type": "place", "room": room, "ply": 2, "point": "g7"})
	bob2.event("placed")
}
