package hub_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"gomokud/internal/hub"
	"gomokud/internal/store"
)

// counted counts how often a log is read.
type counted struct {
	hub.Store
	reads atomic.Int64
}

func (c *counted) Read(ctx context.Context, room string, from int) (store.Tail, error) {
	c.reads.Add(1)
	return c.Store.Read(ctx, room, from)
}

// gauge is what a gauge of the node's shows.
func (n *node) gauge(name string) int {
	n.t.Helper()
	families, err := n.counts.Gather()
	if err != nil {
		n.t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return int(f.GetMetric()[0].GetGauge().GetValue())
		}
	}
	n.t.Fatalf("there is no %s", name)
	return 0
}

// cutOff breaks the lines of players, who are all that the node has.
func (n *node) cutOff(players ...*player) {
	n.t.Helper()
	for _, p := range players {
		p.conn.NetConn().Close()
	}
	for end := time.Now().Add(deadline); n.gauge("gomokud_connections") > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			n.t.Fatal("the node has not noticed")
		}
	}
}

func TestWhoIsCutOffFindsTheRoomAsItWas(t *testing.T) {
	t.Parallel()
	st := &counted{Store: openBolt(t, t.TempDir())}
	n := startNode(t, st, hub.Config{})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, freestyle)
	play(ann, bob, room, 0, "h8", "i9", "j10")
	reads := st.reads.Load()
	n.cutOff(ann, bob)
	ann = n.connect("ann")
	m := ann.must(message{"type": "join", "room": room})
	if moves := m["state"].(map[string]any)["moves"].([]any); len(moves) != 3 || st.reads.Load() != reads {
		t.Errorf("%v after %d readings of the log, want none", moves, st.reads.Load()-reads)
	}
	if e := ann.event("away"); e["color"] != "white" {
		t.Errorf("Bob is not back, but it is said: %v", e)
	}
	bob = n.connect("bob")
	bob.must(message{"type": "join", "room": room})
	ann.event("back")
	play(ann, bob, room, 3, "a1", "k11")
}

func TestARoomThatEverybodyLeftFollowsItsLog(t *testing.T) {
	t.Parallel()
	a, b := twoNodes(t)
	ann, bob := a.connect("ann"), a.connect("bob")
	room := table(ann, bob, freestyle)
	play(ann, bob, room, 0, "h8", "i9")
	a.cutOff(ann, bob)
	ann, bob = b.connect("ann"), b.connect("bob")
	for _, p := range []*player{ann, bob} {
		p.must(message{"type": "join", "room": room})
	}
	play(ann, bob, room, 2, "j10", "a1")
	seen := bob.must(message{"type": "join", "room": room})
	back := a.connect("bob").must(message{"type": "join", "room": room, "epoch": seen["epoch"], "have": 1})
	for end := time.Now().Add(deadline); version(back) < version(seen); {
		if time.Now().After(end) {
			t.Fatalf("version %d, want %d", version(back), version(seen))
		}
		back = a.connect("bob").must(message{"type": "join", "room": room})
	}
}

func TestNoRoomOutlivesItsNode(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann, bob := n.connect("ann"), n.connect("bob")
	table(ann, bob, freestyle)
	n.cutOff(ann, bob)
	if got := n.gauge("gomokud_rooms"); got != 1 {
		t.Errorf("%d rooms wait for those who were cut off, want 1", got)
	}
	n.stop()
	if got := n.gauge("gomokud_rooms"); got != 0 {
		t.Errorf("%d rooms are left", got)
	}
}
