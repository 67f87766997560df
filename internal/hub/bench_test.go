package hub

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/match"
	"gomokud/internal/rules"
	"gomokud/internal/store"
	"gomokud/internal/store/boltstore"
)

// forgetful acknowledges what it does not keep, so that only the hub's own work
// is measured.
type forgetful struct{ Store }

func (forgetful) Append(context.Context, store.Commit) error { return nil }

// swallow is a line that is always free.
type swallow struct{ paper }

func (*swallow) Offer(data []byte) (int, error) { return len(data), nil }

// BenchmarkMove is a move from the message to everybody's socket, without the
// store and the sockets themselves.
func BenchmarkMove(b *testing.B) {
	for _, spectators := range []int{0, 1000} {
		b.Run(fmt.Sprintf("%d_spectators", spectators), func(b *testing.B) { benchmarkMove(b, spectators) })
	}
}

func benchmarkMove(b *testing.B, spectators int) {
	st, err := boltstore.Open(b.TempDir(), boltstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	cfg := Config{Node: "bench", CommandsPerSecond: 1e9, SessionCommandsPerSecond: 1e9}
	h := New(cfg, st, nil, nil, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	if err := h.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	ann, bob := onLine(h, "ann", new(swallow)), onLine(h, "bob", new(swallow))
	black, white := match.Player{ID: "ann", Name: "Ann"}, match.Player{ID: "bob", Name: "Bob"}
	g := match.Game{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}, Clock: match.TimeControl{Main: match.Hour}}
	first, err := match.Create(match.Command{By: black}, g, match.DefaultLimits(), rules.Black, &white, h.clock.now())
	if err != nil {
		b.Fatal(err)
	}
	const id = "benchroom"
	if _, err := h.found(b.Context(), id, first); err != nil {
		b.Fatal(err)
	}
	h.store = forgetful{st}
	viewers := []*client{ann, bob}
	for i := range spectators {
		viewers = append(viewers, onLine(h, fmt.Sprintf("s%d", i), new(swallow)))
	}
	for _, c := range viewers {
		if err := c.join(b.Context(), request{ID: "join", Room: id}); err != nil {
			b.Fatal(err)
		}
		defer c.leaveAll()
	}
	r := ann.in(id)
	begin := *r.state
	b.ReportAllocs()
	for i, ply := 0, 0; b.Loop(); i, ply = i+1, ply+1 {
		if ply == 60 { // no five so far: begin anew
			b.StopTimer()
			again := begin
			again.Since, again.Version = h.clock.now(), r.state.Version
			again.Rest()
			r.state, ply = &again, 0
			b.StartTimer()
		}
		p := rules.Point{X: int8(ply % 15), Y: int8(ply / 15 * 3)}
		if ply%4 >= 2 {
			p.Y++
		}
		c := viewers[ply%2]
		line := fmt.Appendf(nil, `{"type":"place","id":"m%d","room":"%s","ply":%d,"point":"%s"}`, i, id, ply, p)
		c.handle(b.Context(), line)
		if r.state.Version == 0 || len(r.state.Moves) != ply+1 {
			b.Fatalf("move %d was not made", ply)
		}
	}
}
