package hub

import (
	"bytes"
	"context"
	"crypto/rand"
	"log/slog"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/match"
	"gomokud/internal/rules"
	"gomokud/internal/store/boltstore"
)

// FuzzCommands throws lines at two players' connections, in turn, without the
// network between: whatever they are, nothing panics, every command is
// answered, and the room's log folds.
func FuzzCommands(f *testing.F) {
	f.Add([]byte(`{"type":"place","id":"1","room":"ROOM","ply":0,"point":"h8"}
{"type":"place","id":"2","room":"ROOM","ply":1,"point":"i9"}
{"type":"offer","id":"3","room":"ROOM","what":"takeback"}
{"type":"accept","id":"4","room":"ROOM","what":"takeback"}`))
	f.Add([]byte(`{"type":"resign","id":"1","room":"ROOM"}
{"type":"offer","id":"2","room":"ROOM","what":"rematch"}
{"type":"accept","id":"3","room":"ROOM","what":"rematch"}`))
	f.Add([]byte(`{"type":"join","id":"1","room":"ROOM","epoch":"x","have":-3}
{"type":"leave","id":"2","room":"ROOM"}
{"type":"create","id":"3","game":{"rule":"caro","size":"5x25","clock":{"period":1000,"periods":1}},"color":"white"}
{"type":"lobby","id":"4","on":true}
{"type":"pass","id":"5","room":"ROOM","ply":0}`))

	st, err := boltstore.Open(f.TempDir(), boltstore.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { st.Close() })
	unlimited := Config{Node: "fuzz", RoomsPerSession: 1 << 30, RoomsPerMinute: 1e9, CommandsPerSecond: 1e9, SessionCommandsPerSecond: 1e9}
	h := New(unlimited, st, nil, nil, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	if err := h.Start(f.Context()); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		room := newTable(t, h)
		var players []*client
		for _, id := range []string{"ann", "bob"} {
			c := offline(h, id)
			players = append(players, c)
			c.handle(t.Context(), []byte(`{"type":"join","id":"join","room":"`+room+`"}`))
			defer c.leaveAll()
		}
		for i, line := range bytes.Split(script, []byte("\n")) {
			if i == 50 {
				break
			}
			c := players[i%2]
			c.told()
			c.handle(t.Context(), bytes.ReplaceAll(line, []byte("ROOM"), []byte(room)))
			if len(c.told()) == 0 && !c.kicked() {
				t.Fatalf("no answer to %q", line)
			}
		}
		tail, err := st.Read(t.Context(), room, 0)
		if err != nil {
			t.Fatal(err)
		}
		state := new(match.State)
		for _, raw := range tail.Events {
			e, err := match.Decode(raw)
			if err != nil {
				t.Fatal(err)
			}
			if err := state.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// newTable seats ann and bob at a new table.
func newTable(t *testing.T, h *Hub) string {
	t.Helper()
	id := rand.Text()
	ann, bob := match.Player{ID: "ann", Name: "Ann"}, match.Player{ID: "bob", Name: "Bob"}
	g := match.Game{Rule: rules.Renju, Size: rules.Size{Width: 15, Height: 15}}
	events, err := match.Create(match.Command{By: ann}, g, match.DefaultLimits(), sides[0], &bob, h.clock.now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.found(context.Background(), id, events); err != nil {
		t.Fatal(err)
	}
	return id
}
