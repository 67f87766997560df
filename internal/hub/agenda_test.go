package hub

import (
	"context"
	"slices"
	"sync"
	"testing"

	"gomokud/internal/store"
)

// noting remembers the wakes of what was committed.
type noting struct {
	Store
	mu    sync.Mutex
	wakes []int64
}

func (n *noting) Append(ctx context.Context, c store.Commit) error {
	err := n.Store.Append(ctx, c)
	if err == nil {
		n.mu.Lock()
		n.wakes = append(n.wakes, c.Wake)
		n.mu.Unlock()
	}
	return err
}

// latest are the wakes of the commits since it was called last.
func (n *noting) latest() (wakes []int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	wakes, n.wakes = n.wakes, nil
	return wakes
}

// TestTheAgendaIsNeverLate: a move leaves a wake-up alone that comes early
// enough; one that somebody else may have changed, or that is close, is set. A
// sweep that finds nothing to do sets it anew.
func TestTheAgendaIsNeverLate(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	st := &noting{Store: newFrail(t)}
	h, other := idleHub(t, st, asker{}), idleHub(t, st, asker{})
	room := newTable(t, h) // without a clock: to be looked at in three days
	ann, bob := follows(t, h, "ann", room), follows(t, h, "bob", room)
	r := ann.in(room)
	wake := func() (at int64) {
		owned(t, r, func() { at = int64(r.state.Wake()) })
		return at
	}
	points := []string{"h8", "a1", "h9", "c3", "k5", "e7", "m2"}
	ply := 0
	plays := func(c *client, keeps bool) {
		t.Helper()
		st.latest()
		if err := place(t, c, room, points[ply], ply, points[ply]); err != nil {
			t.Fatal(err)
		}
		ply++
		want := wake()
		if keeps {
			want = store.KeepWake
		}
		if got := st.latest(); !slices.Equal(got, []int64{want}) {
			t.Errorf("move %d was committed with wakes %d, want %d", ply, got, want)
		}
	}
	plays(ann, false) // the state came from the log
	plays(bob, true)
	plays(ann, true)

	elsewhere := follows(t, other, "bob", room)
	if err := place(t, elsewhere, room, "elsewhere", ply, points[ply]); err != nil {
		t.Fatal(err)
	}
	ply++
	until(t, "the move is heard of", func() (heard bool) {
		owned(t, r, func() { heard = len(r.state.Moves) == ply })
		return heard
	})
	plays(ann, false)
	plays(bob, true)

	// A failover may have lost a wake-up with the end of the log, which somebody
	// else has put back: there is no event that tells, but the log is looked at.
	if err := r.look(ctx, store.Announcement{}, 0); err != nil {
		t.Fatal(err)
	}
	plays(ann, false)

	owned(t, r, func() { r.due = 0 }) // whatever it says
	for _, early := range []int64{3_600_000, 3000, 1} {
		now := wake() - early
		if due, err := st.Due(ctx, wake(), now, 10); err != nil || !slices.Equal(due, []string{room}) {
			t.Fatalf("due are %q, %v", due, err)
		}
		st.latest()
		h.wakeDue(ctx, now)
		if got := st.latest(); !slices.Equal(got, []int64{wake()}) {
			t.Errorf("after a sweep that came %d ms too early the wakes %d were set, want %d", early, got, wake())
		}
		if due, err := st.Due(ctx, wake()-1, wake(), 10); err != nil || len(due) > 0 {
			t.Errorf("due too early: %q, %v", due, err)
		}
	}
	h.wakeDue(ctx, wake())
	if got := st.latest(); len(got) > 0 {
		t.Errorf("it is due, and the wakes %d were set", got)
	}
}
