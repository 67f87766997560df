package hub_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"gomokud/internal/hub"
	"gomokud/internal/store"
)

// hanging is a store whose appends can be made to hang.
type hanging struct {
	hub.Store
	hangs atomic.Bool
	asked chan struct{}
}

func (s *hanging) Append(ctx context.Context, c store.Commit) error {
	if !s.hangs.Load() {
		return s.Store.Append(ctx, c)
	}
	select {
	case s.asked <- struct{}{}:
	default:
	}
	<-ctx.Done()
	return ctx.Err()
}

func TestDrainDoesNotWaitForAHangingStore(t *testing.T) {
	t.Parallel()
	st := &hanging{Store: openBolt(t, t.TempDir()), asked: make(chan struct{}, 1)}
	n := startNode(t, st, hub.Config{StoreTimeout: deadline})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, freestyle)
	st.hangs.Store(true)
	ann.send(message{"type": "place", "room": room, "ply": 0, "point": "h8"})
	<-st.asked
	bob.send(message{"type": "resign", "room": room}) // waits for ann's move
	began := time.Now()
	n.stop()
	if took := time.Since(began); took > deadline/2 {
		t.Errorf("the drain took %v", took)
	}
}
