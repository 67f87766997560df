package hub

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
	"gomokud/internal/store/boltstore"
)

type faultyThinker struct{}

func (faultyThinker) Submit(ai.Job, func(ai.Answer)) error { panic("a fault of ours") }
func (faultyThinker) Cancel(string)                        {}

// TestAFaultCostsOneCommand: the process lives on, the sender is told, and what
// had been stored before the fault is there.
func TestAFaultCostsOneCommand(t *testing.T) {
	st, err := boltstore.Open(t.TempDir(), boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	h := New(Config{Node: "faulty"}, st, faultyThinker{}, []Bot{{Name: "b", Title: "B"}}, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	if err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := offline(h, "ann")
	defer c.leaveAll()
	ask := func(command, want string) {
		t.Helper()
		c.told()
		c.handle(t.Context(), []byte(command))
		if !bytes.Contains(bytes.Join(c.told(), nil), []byte(want)) {
			t.Fatalf("%s was not answered with %s", command, want)
		}
	}
	game := `"game":{"rule":"freestyle","size":"15x15","clock":{}},"color":"black","bot":"b"`
	ask(`{"type":"create","id":"new",`+game+`}`, `"type":"ok"`)
	room, err := h.roomName(t.Context(), "ann", "new")
	if err != nil {
		t.Fatal(err)
	}
	ask(`{"type":"join","id":"join","room":"`+room+`"}`, `"type":"room"`)
	move := `{"type":"place","id":"move","ply":0,"point":"h8","room":"` + room + `"}`
	ask(move, `"code":"internal"`) // the bot could not be asked
	ask(move, `"type":"ok"`)       // but the move was stored, once
	ask(`{"type":"resign","id":"resign","room":"`+room+`"}`, `"kind":"ended"`)
}
