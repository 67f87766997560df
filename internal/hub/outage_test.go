package hub_test

import (
	"testing"
	"time"

	"gomokud/internal/hub"
	"gomokud/internal/store/redistest"
)

// TestNoFlagFallsWhileTheStoreHangs: time in which no move could be stored is
// nobody's, also for the flag that was about to fall.
func TestNoFlagFallsWhileTheStoreHangs(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	n := startNode(t, openRedis(t, server), hub.Config{})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, message{"rule": "freestyle", "size": "15x15", "clock": message{"main": 3000}})
	play(ann, bob, room, 0, "h8", "a1", "i8")
	server.Freeze()
	time.Sleep(4500 * time.Millisecond) // the outage is the subject here; bob's time would be over
	server.Thaw()
	for _, e := range events(bob.await("the outage is made up for", func(m message) bool {
		list := events(m)
		return len(list) > 0 && list[0]["kind"] != "away" && list[0]["kind"] != "back"
	})) {
		if e["kind"] != "credited" {
			t.Fatalf("after the outage: %v", e)
		}
	}
	bob.must(message{"type": "place", "room": room, "ply": 3, "point": "a2"})
}
