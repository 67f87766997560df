package hub

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
	"gomokud/internal/match"
	"gomokud/internal/rules"
	"gomokud/internal/store"
)

// quiet is a store beside which a deputy stands: it counts what a deputy must
// not say.
type quiet struct {
	*frail
	said    atomic.Int64
	dead    atomic.Bool // no node is heard
	outages []store.Outage
}

func (q *quiet) Attend(ctx context.Context, node, room string, a store.Attendance, now int64, ttl time.Duration) (store.Attendance, error) {
	q.said.Add(1)
	return q.frail.Attend(ctx, node, room, a, now, ttl)
}

func (q *quiet) Beat(ctx context.Context, now int64, gap time.Duration) ([]store.Outage, error) {
	q.said.Add(1)
	return q.frail.Beat(ctx, now, gap)
}

func (q *quiet) Outages(context.Context, int64, time.Duration) ([]store.Outage, error) {
	if q.dead.Load() {
		return nil, errFrail
	}
	return q.outages, nil
}

// office is a deputy, and the node that looks after the rooms in which it plays.
type office struct {
	*Deputy
	t    *testing.T
	node *Hub
	st   *quiet   // the deputy's view of the store
	book notebook // who thinks for it
}

func newOffice(t *testing.T) *office {
	t.Helper()
	own := newFrail(t)
	o := &office{t: t, st: &quiet{frail: &frail{Store: own.Store}}, book: newNotebook()}
	o.node = idleHub(t, own, asker{make(chan func(ai.Answer), 16)})
	o.Deputy = NewDeputy(Config{StoreTimeout: time.Second}, o.st, o.book, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	if err := o.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); o.Run(ctx) }()
	t.Cleanup(func() {
		if n := o.hub.registry.size(); n != 0 {
			t.Errorf("%d rooms are left in the deputy's memory", n)
		}
		if n := o.st.said.Load(); n != 0 {
			t.Errorf("the deputy was present %d times", n)
		}
		stop()
		<-done
	})
	return o
}

// table makes a room in which it is the bot's turn, and the hint that says so.
func (o *office) table() store.Hint {
	o.t.Helper()
	id := newBotTable(o.t, o.node)
	does(o.t, o.node, id, match.Place{Point: middle})
	return o.hint(id)
}

// hint is what the node would say of the room.
func (o *office) hint(id string) (h store.Hint) {
	o.t.Helper()
	o.look(id, func(s *match.State) {
		h = store.Hint{Room: id, Version: s.Position, Bot: "b", Deadline: int64(o.node.clock.now()) + time.Minute.Milliseconds()}
	})
	return h
}

// look shows the room as the node sees it.
func (o *office) look(id string, fn func(*match.State)) {
	o.t.Helper()
	err := o.node.within(o.t.Context(), id, func(r *room) error {
		if err := r.catchUp(o.t.Context()); err != nil {
			return err
		}
		fn(r.state)
		return nil
	})
	if err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) moves(id string) (n int) {
	o.t.Helper()
	o.look(id, func(s *match.State) { n = len(s.Moves) })
	return n
}

// end is what Answer returned.
type end struct {
	played bool
	err    error
}

// answer has the deputy play; the question is on its way to the notebook.
func (o *office) answer(h store.Hint) <-chan end {
	ends := make(chan end, 1)
	go func() {
		played, err := o.Answer(o.t.Context(), h)
		ends <- end{played, err}
	}()
	return ends
}

// reply moves to a point that is free.
func reply(q question) {
	q.answer(ai.Answer{Room: q.job.Room, Version: q.job.Version, Move: rules.Point{X: 7, Y: 8}})
}

func TestADeputyPlaysABotsTurn(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	h := o.table()
	ends := o.answer(h)
	q := <-o.book.asked
	if q.job.Version != h.Version || q.job.Bot != "b" || q.job.Owner != "ann" || q.job.Budget.Time != botThinks {
		t.Errorf("asked %+v", q.job)
	}
	reply(q)
	if got := <-ends; got != (end{played: true}) {
		t.Errorf("it ended with %+v", got)
	}
	if n := o.moves(h.Room); n != 2 {
		t.Errorf("%d moves, want 2", n)
	}
}

func TestADeputyThinksUntilTheDeadline(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	h := o.table()
	h.Deadline = int64(o.hub.clock.now()) + 3000
	ends := o.answer(h)
	q := <-o.book.asked
	if b := q.job.Budget.Time; b <= 0 || b > 3*time.Second {
		t.Errorf("it may think for %v", b)
	}
	reply(q)
	<-ends
	o.moves(h.Room) // now the node knows
	does(t, o.node, h.Room, match.Place{Ply: 2, Point: rules.Point{X: 1, Y: 1}})
	h = o.hint(h.Room)
	h.Deadline = int64(o.hub.clock.now()) - 1
	if _, err := o.Answer(t.Context(), h); !errors.Is(err, store.ErrLate) {
		t.Errorf("after the deadline: %v, want ErrLate", err)
	}
	o.book.idle(t)
}

func TestADeputyIsCalledOff(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]match.Action{"the game ends": match.Resign{}, "the move is taken back": match.Offer{What: match.Takeback}} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			h := o.table()
			ends := o.answer(h)
			q := <-o.book.asked
			does(t, o.node, h.Room, act)
			if got := <-ends; got != (end{}) {
				t.Errorf("it ended with %+v", got)
			}
			if called := <-o.book.called; called != h.Room {
				t.Errorf("called off in %s", called)
			}
			before := o.moves(h.Room)
			reply(q) // too late
			o.book.idle(t)
			if got := o.moves(h.Room); got != before {
				t.Errorf("%d moves, want %d", got, before)
			}
		})
	}
}

// TestALateAnswerChangesNothing: the deputy has not heard that the position has
// changed.
func TestALateAnswerChangesNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.st.deaf.Store(true)
	h := o.table()
	ends := o.answer(h)
	q := <-o.book.asked
	does(t, o.node, h.Room, match.Offer{What: match.Takeback})
	does(t, o.node, h.Room, match.Place{Point: rules.Point{X: 3, Y: 3}})
	reply(q)
	if got := <-ends; got != (end{}) {
		t.Errorf("it ended with %+v", got)
	}
	o.look(h.Room, func(s *match.State) {
		if len(s.Moves) != 1 || s.Moves[0].Point != (rules.Point{X: 3, Y: 3}) {
			t.Errorf("the moves are %v", s.Moves)
		}
	})
}

func TestAHintThatIsNotTrueHasNoEffect(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	h := o.table()
	for name, change := range map[string]func(*store.Hint){
		"an earlier position": func(h *store.Hint) { h.Version-- },
		"a later position":    func(h *store.Hint) { h.Version++ },
	} {
		untrue := h
		change(&untrue)
		if played, err := o.Answer(t.Context(), untrue); played || err != nil {
			t.Errorf("%s: played %v, %v", name, played, err)
		}
	}
	if _, err := o.Answer(t.Context(), store.Hint{Room: rand.Text(), Version: 3, Deadline: h.Deadline}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("no such room: %v", err)
	}
	o.book.idle(t)
}

func TestAHintMayComeBeforeTheAnnouncement(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.st.deaf.Store(true)
	first := o.table()
	firstEnd := o.answer(first)
	<-o.book.asked
	does(t, o.node, first.Room, match.Offer{What: match.Takeback})
	does(t, o.node, first.Room, match.Place{Point: middle})
	second := o.answer(o.hint(first.Room))
	reply(<-o.book.asked)
	if got := <-second; !got.played || got.err != nil {
		t.Errorf("the newer turn ended with %+v", got)
	}
	if got := <-firstEnd; got != (end{}) {
		t.Errorf("the older turn ended with %+v", got)
	}
	if n := o.moves(first.Room); n != 2 {
		t.Errorf("%d moves, want 2", n)
	}
}

func TestATurnIsBegunOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	h := o.table()
	ends := o.answer(h)
	q := <-o.book.asked
	if played, err := o.Answer(t.Context(), h); played || err != nil {
		t.Errorf("the second time: played %v, %v", played, err)
	}
	o.book.idle(t)
	reply(q)
	<-ends
}

func TestADeputyThatIsStoppedLetsGo(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	h := o.table()
	ctx, stop := context.WithCancel(t.Context())
	ends := make(chan error)
	go func() {
		_, err := o.Answer(ctx, h)
		ends <- err
	}()
	<-o.book.asked
	stop()
	if err := <-ends; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	if called := <-o.book.called; called != h.Room {
		t.Errorf("called off in %s", called)
	}
}

func TestADeputyPlaysNothingWhileNoNodeLives(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	h := o.table()
	o.st.dead.Store(true)
	ends := o.answer(h)
	reply(<-o.book.asked)
	if got := <-ends; got.played || !errors.Is(got.err, store.ErrUnavailable) {
		t.Errorf("it ended with %+v", got)
	}
	if n := o.moves(h.Room); n != 1 {
		t.Errorf("%d moves, want 1", n)
	}
}

func TestADeputyCreditsOutages(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := rand.Text()
	g := match.Game{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}, Clock: match.TimeControl{Main: match.Minute}}
	events, err := match.Create(match.Command{By: match.Player{ID: "ann", Name: "Ann"}}, g, match.DefaultLimits(),
		rules.Black, &match.Player{ID: "bot:b", Name: "B", Bot: "b"}, o.node.clock.now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.node.found(t.Context(), id, events); err != nil {
		t.Fatal(err)
	}
	does(t, o.node, id, match.Place{Point: middle})
	var since int64
	o.look(id, func(s *match.State) { since = int64(s.Since) })
	o.st.outages = []store.Outage{{From: since, To: since + 5}}
	ends := o.answer(o.hint(id))
	q := <-o.book.asked
	until(t, "the outage is over", func() bool { return int64(o.hub.clock.now()) >= since+5 })
	reply(q)
	if got := <-ends; !got.played {
		t.Errorf("it ended with %+v", got)
	}
	var credited []match.Credited
	tail, err := o.st.Read(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range tail.Events {
		e, err := match.Decode(raw)
		if err != nil {
			t.Fatal(err)
		}
		if c, is := e.Fact.(match.Credited); is {
			credited = append(credited, c)
		}
	}
	if len(credited) != 1 || credited[0].Color != rules.White || credited[0].Span != 5 {
		t.Errorf("credited %+v", credited)
	}
}
