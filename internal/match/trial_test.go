package match_test

import (
	"errors"
	"reflect"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// fataler is a test or a property's run.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// trial puts a room to the test, command by command, and keeps its own simple
// books beside the state.
type trial struct {
	t     fataler
	state *match.State
	twin  *match.State // folded from the same events, but never asked to decide
	log   []match.Event

	moves   []match.Move // of the game that is on
	ended   bool         // so is this
	granted []granted    // commands that led to something
}

type granted struct {
	cmd     match.Command
	version int
}

func newTrial(t fataler, d dice) *trial {
	t.Helper()
	first, err := randomRoom(d)
	if err != nil {
		t.Fatalf("Create: %v", err)
	}
	tr := &trial{t: t, state: new(match.State), twin: new(match.State)}
	for _, e := range first {
		tr.apply(e)
	}
	return tr
}

// same reports whether two states of a room are equal, their boards made.
func same(a, b *match.State) bool {
	return reflect.DeepEqual(a.Board(), b.Board()) && reflect.DeepEqual(a, b)
}

// step decides a command, checks that the answer is lawful and folds it.
func (tr *trial) step(c match.Command, at match.Instant) {
	tr.t.Helper()
	before := tr.state.At
	turn, version := tr.state.SeatOf(c.By.ID), tr.state.Version
	events, err := match.Decide(tr.state, c, at)
	if !same(tr.state, tr.twin) {
		tr.t.Fatalf("deciding %T changed the state", c.Act)
	}
	if err != nil && len(events) > 0 {
		tr.t.Fatalf("%T led to both %d events and %v", c.Act, len(events), err)
	}
	for i, e := range events {
		if want := max(at, before); e.At != want {
			tr.t.Fatalf("an event at %d, decided at %d after %d", e.At, at, before)
		}
		if last := i == len(events)-1; (e.Cmd != nil) != (last && c.ID != "") {
			tr.t.Fatalf("event %d of %d for id %q has the stamp %+v", i, len(events), c.ID, e.Cmd)
		}
		tr.apply(e)
	}
	if c.By.ID != "" && len(events) == 0 && err == nil {
		tr.t.Fatalf("a player's %T led neither to an event nor to an error", c.Act)
	}
	if c.By.ID != "" && turn == rules.Empty && err == nil && tr.state.SeatOf(c.By.ID) == rules.Empty {
		tr.t.Fatalf("%s has no seat and did %T", c.By.ID, c.Act)
	}
	if len(events) > 0 && c.ID != "" {
		tr.granted = append(tr.granted, granted{c, version + len(events)})
		tr.repeat(len(tr.granted) - 1)
	}
}

// apply folds an event and checks what must hold after it.
func (tr *trial) apply(e match.Event) {
	tr.t.Helper()
	data, err := match.Encode(e)
	if err != nil {
		tr.t.Fatalf("Encode(%+v): %v", e, err)
	}
	read, err := match.Decode(data)
	if err != nil || !reflect.DeepEqual(read, e) {
		tr.t.Fatalf("%s comes back as %+v, error %v, want %+v", data, read, err, e)
	}
	seats := tr.state.Seats
	clocks := match.ByColor[match.Clock]{Black: seats.Black.Clock, White: seats.White.Clock}
	gone := match.ByColor[match.Instant]{Black: seats.Black.Away, White: seats.White.Away}
	mover := tr.state.Turn()
	for _, s := range []*match.State{tr.state, tr.twin} {
		if err := s.Apply(read); err != nil {
			tr.t.Fatalf("Apply(%s): %v", data, err)
		}
	}
	tr.log = append(tr.log, read)
	tr.book(read.Fact)
	tr.checkTime(read, clocks, gone, mover)
	tr.checkBoard()
	tr.checkTable()
}

// repeat sends a granted command again and wants to hear that it was granted.
func (tr *trial) repeat(i int) {
	tr.t.Helper()
	g := tr.granted[i]
	events, err := match.Decide(tr.state, g.cmd, tr.state.At+1)
	var repeated match.Repeated
	if !errors.As(err, &repeated) || repeated.Version != g.version || len(events) > 0 {
		tr.t.Fatalf("%T again leads to %d events and %v, want version %d", g.cmd.Act, len(events), err, g.version)
	}
	other := g.cmd
	other.Act = match.Place{Ply: -1}
	if events, err := match.Decide(tr.state, other, tr.state.At+1); !errors.Is(err, match.ErrReusedID) || len(events) > 0 {
		tr.t.Fatalf("the id of a %T for something else leads to %d events and %v", g.cmd.Act, len(events), err)
	}
}

// tickLaw checks that nothing happens by itself before Wake, and something at it.
func (tr *trial) tickLaw() {
	tr.t.Helper()
	s := tr.state
	tick := func(at match.Instant) []match.Event {
		events, err := match.Decide(s, match.Command{Act: match.Tick{}}, at)
		if err != nil {
			tr.t.Fatalf("Tick: %v", err)
		}
		return events
	}
	wake := s.Wake()
	switch {
	case (wake == 0) != (s.Phase == match.Over):
		tr.t.Fatalf("Wake is %d, %s", wake, s.Phase)
	case wake == 0:
		if events := tick(s.At + match.Instant(400*match.Day)); len(events) > 0 {
			tr.t.Fatalf("Wake is 0, but %+v happens", events)
		}
		return
	}
	if events := tick(wake - 1); s.At < wake && len(events) > 0 {
		tr.t.Fatalf("%+v happens before Wake at %d", events, wake)
	}
	look := s.Phase == match.Playing && s.Game.Clock.Unlimited() && s.Seats.Of(s.Turn()).Away == 0
	if events := tick(wake); (len(events) == 0) != look {
		tr.t.Fatalf("%d events at Wake, though a mere look is %t", len(events), look)
	}
	after, err := match.Fold(append(tr.log[:len(tr.log):len(tr.log)], tick(wake)...))
	if err != nil {
		tr.t.Fatalf("Fold: %v", err)
	}
	if !look && after.Wake() == wake {
		tr.t.Fatalf("a Tick at Wake leaves it at %d", wake)
	}
}

// refold checks that the log as a whole leads to the state that was reached
// step by step.
func (tr *trial) refold() {
	tr.t.Helper()
	again, err := match.Fold(tr.log)
	if err != nil {
		tr.t.Fatalf("Fold: %v", err)
	}
	if !same(again, tr.state) {
		tr.t.Fatalf("the log leads to\n%+v\nand led to\n%+v", again, tr.state)
	}
}
