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
	"gomokud/internal/store/boltstore"
)

// frail is a store that can be made to fail, as a disk or a network does.
type frail struct {
	Store
	noRead, noAppend, deaf atomic.Bool
	latest                 atomic.Int64 // followers who were told of version 6
	meanwhile              func(store.Ticket)
	listed                 func() // the searches
}

// Searches lets happen what a test wants to happen before the answer is there.
func (s *frail) Searches(ctx context.Context, now int64) ([]store.Ticket, error) {
	list, err := s.Store.Searches(ctx, now)
	if s.listed != nil {
		s.listed()
	}
	return list, err
}

// Pair lets happen what a test wants to happen meanwhile.
func (s *frail) Pair(ctx context.Context, t store.Ticket, now int64, ttl time.Duration) (store.Pairing, error) {
	if s.meanwhile != nil {
		s.meanwhile(t)
	}
	return s.Store.Pair(ctx, t, now, ttl)
}

var errFrail = errors.Join(store.ErrUnavailable, errors.New("made to fail"))

func (s *frail) Append(ctx context.Context, c store.Commit) error {
	if s.noAppend.Load() {
		return errFrail
	}
	return s.Store.Append(ctx, c)
}

func (s *frail) Read(ctx context.Context, room string, from int) (store.Tail, error) {
	if s.noRead.Load() {
		return store.Tail{}, errFrail
	}
	return s.Store.Read(ctx, room, from)
}

func (s *frail) Follow(room string, fn func(store.Announcement)) func() {
	return s.Store.Follow(room, func(a store.Announcement) {
		if !s.deaf.Load() {
			fn(a)
		}
		if a.Version == 6 {
			s.latest.Add(1)
		}
	})
}

// asker remembers what it was asked and answers nothing by itself.
type asker struct{ asked chan func(ai.Answer) }

func (a asker) Submit(_ ai.Job, answer func(ai.Answer)) error {
	a.asked <- answer
	return nil
}

func (a asker) Cancel(string) {}

func newFrail(t *testing.T) *frail {
	t.Helper()
	st, err := boltstore.Open(t.TempDir(), boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return &frail{Store: st}
}

// idleHub does nothing by itself: its loops do not run.
func idleHub(t *testing.T, st Store, th Thinker) *Hub {
	t.Helper()
	h := New(Config{Node: rand.Text(), StoreTimeout: time.Second}, st, th, nil, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	if err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.mu.Lock()
		h.closed = true
		h.mu.Unlock()
		h.end()
		h.tasks.Wait()
	})
	return h
}

// follows is a client of the hub that has joined the room.
func follows(t *testing.T, h *Hub, id, room string) *client {
	t.Helper()
	c := offline(h, id)
	if err := c.join(t.Context(), request{ID: "join", Room: room}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.leaveAll)
	c.told()
	return c
}

func place(t *testing.T, c *client, room, id string, ply int, point string) error {
	t.Helper()
	p, err := rules.ParsePoint(point)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.play(t.Context(), request{ID: id, Room: room}, match.Place{Ply: ply, Point: p})
	return err
}

// until waits for something to become true.
func until(t *testing.T, what string, true func() bool) {
	t.Helper()
	for end := time.Now().Add(15 * time.Second); !true(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// owned runs fn with the room's token.
func owned(t *testing.T, r *room, fn func()) {
	t.Helper()
	if err := r.take(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer r.give()
	fn()
}

func TestASpectatorWhoDoesNotReadHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	h := idleHub(t, newFrail(t), asker{})
	room := newTable(t, h)
	ann := follows(t, h, "ann", room)
	deaf := newStuck()
	defer deaf.Close()
	eve := onLine(h, "eve", deaf)
	defer eve.leaveAll()
	eve.out.most = 1
	go func() {
		for range 3 {
			eve.join(t.Context(), request{ID: "again", Room: room})
		}
	}()
	until(t, "eve's outbox is full", func() bool { return eve.out.length() > 0 })
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	r := ann.in(room)
	for range 3 {
		if err := r.take(ctx); err != nil {
			eve.kick(closeTooSlow, "")
			t.Fatal("the room waits for her")
		}
		r.give()
		time.Sleep(20 * time.Millisecond) // lets her next join come in between
	}
	until(t, "eve is sent back to resume", eve.kicked)
}

func TestAnnouncementsThatComeTogetherAreAllFollowed(t *testing.T) {
	t.Parallel()
	st := newFrail(t)
	here, there := idleHub(t, st, asker{}), idleHub(t, st, asker{})
	room := newTable(t, here)
	eve := follows(t, here, "eve", room)
	ann, bob := follows(t, there, "ann", room), follows(t, there, "bob", room)
	if err := there.countCrowd(t.Context(), ann.in(room)); err != nil { // so that nobody counts as away
		t.Fatal(err)
	}
	r := eve.in(room)
	owned(t, r, func() { // a look has to wait, while more is announced
		if err := errors.Join(place(t, ann, room, "1", 0, "h8"), place(t, bob, room, "2", 1, "i9")); err != nil {
			t.Fatal(err)
		}
		until(t, "both nodes were told of the second move", func() bool { return st.latest.Load() == 2 })
	})
	until(t, "eve's node knows both moves", func() (both bool) {
		owned(t, r, func() { both = len(r.state.Moves) == 2 })
		return both
	})
}

func TestWhoKnowsMoreThanTheNodeIsNotSentBack(t *testing.T) {
	t.Parallel()
	st := newFrail(t)
	deaf := &frail{Store: st.Store}
	deaf.deaf.Store(true)
	here, there := idleHub(t, deaf, asker{}), idleHub(t, st, asker{})
	room := newTable(t, here)
	follows(t, here, "eve", room) // keeps the room in this node's memory
	ann := follows(t, there, "ann", room)
	if err := place(t, ann, room, "1", 0, "h8"); err != nil {
		t.Fatal(err)
	}
	seen := ann.in(room)
	moved := offline(here, "ann") // her line broke; she comes back by the other door
	defer moved.leaveAll()
	if err := moved.join(t.Context(), request{ID: "back", Room: room, Epoch: seen.epoch, Have: seen.shown}); err != nil {
		t.Fatal(err)
	}
	if got := moved.in(room).state.Version; got < seen.shown {
		t.Errorf("who has version %d is shown %d", seen.shown, got)
	}
}

func TestABotIsAskedAgainWhenItsAnswerCouldNotBeTaken(t *testing.T) {
	t.Parallel()
	st, bot := newFrail(t), asker{make(chan func(ai.Answer), 8)}
	h := idleHub(t, st, bot)
	ann := match.Player{ID: "ann", Name: "Ann"}
	events, err := match.Create(match.Command{By: ann}, match.Game{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}},
		match.DefaultLimits(), rules.White, &match.Player{ID: "bot:b", Name: "B", Bot: "b"}, h.clock.now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.found(t.Context(), "botroom", events); err != nil {
		t.Fatal(err)
	}
	c := follows(t, h, "ann", "botroom")
	answer := <-bot.asked
	st.noAppend.Store(true)
	st.noRead.Store(true)
	r := c.in("botroom")
	owned(t, r, func() { // something else fails and drops the state
		if _, err := r.command(t.Context(), match.Command{ID: "x", By: ann, Act: match.Offer{What: match.Draw}}, h.clock.now()); err == nil {
			t.Fatal("stored without a store")
		}
	})
	p, _ := rules.ParsePoint("h8")
	answer(ai.Answer{Room: "botroom", Version: len(events), Move: p})
	time.Sleep(100 * time.Millisecond) // the answer is lost meanwhile
	st.noAppend.Store(false)
	st.noRead.Store(false)
	h.tick(t.Context(), "botroom") // as the sweep does when the wake-up has come
	select {
	case <-bot.asked:
	case <-time.After(5 * time.Second):
		t.Error("the bot stays silent")
	}
}

func TestASeatThatIsLeftInTroubleIsNoticed(t *testing.T) {
	t.Parallel()
	st := newFrail(t)
	h := idleHub(t, st, asker{})
	room := newTable(t, h)
	ann, bob := follows(t, h, "ann", room), follows(t, h, "bob", room)
	r := ann.in(room)
	until(t, "the look after the seats that came with opening the room is over", func() (over bool) {
		owned(t, r, func() { over = r.check == nil })
		return over
	})
	st.noAppend.Store(true)
	st.noRead.Store(true)
	if err := place(t, ann, room, "1", 0, "h8"); err == nil {
		t.Fatal("stored without a store")
	}
	if err := bob.leave(t.Context(), room); err != nil {
		t.Fatal(err)
	}
	st.noAppend.Store(false)
	st.noRead.Store(false)
	until(t, "bob counts as away", func() (away bool) {
		owned(t, r, func() { away = r.state != nil && r.state.Seats.White.Away > 0 })
		return away
	})
}

// TestWhoCallsOffIsNotPaired: the search ends while the store is being asked,
// alone or for another one.
func TestWhoCallsOffIsNotPaired(t *testing.T) {
	t.Parallel()
	g := match.Game{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}}
	for name, change := range map[string]func(*Hub, *client){
		"no more": func(h *Hub, ann *client) { h.unseek(context.Background(), "ann") },
		"another game": func(h *Hub, ann *client) {
			other := g
			other.Rule = rules.Caro
			h.seek(context.Background(), ann, request{ID: "other", Game: &other})
		},
	} {
		t.Run(name, func(t *testing.T) {
			st := newFrail(t)
			h := idleHub(t, st, asker{})
			ann, bob := offline(h, "ann"), offline(h, "bob")
			step := func(id string) {
				t.Helper()
				if s := h.pairing.get(id); s != nil {
					if err := h.pair(t.Context(), s); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, c := range []*client{ann, bob} {
				c.visitor.clients = []*client{c}
				h.visitors.byID[c.player.ID] = c.visitor
				if _, err := h.seek(t.Context(), c, request{ID: "seek", Game: &g}); err != nil {
					t.Fatal(err)
				}
			}
			st.meanwhile = func(s store.Ticket) {
				if st.meanwhile = nil; s.Player == "ann" {
					change(h, ann)
				}
			}
			step("ann")
			step("bob")
			step("bob")
			if h.pairing.get("bob") == nil {
				t.Error("bob was paired with somebody who had called off")
			}
			if rooms, err := st.RoomsOf(t.Context(), "ann"); len(rooms) > 0 || err != nil {
				t.Errorf("ann plays in %v, %v", rooms, err)
			}
		})
	}
}

// TestABotThatDoesNotWorkIsNotPlayed: but a game that was made while it did is
// found again.
func TestABotThatDoesNotWorkIsNotPlayed(t *testing.T) {
	t.Parallel()
	h := idleHub(t, newFrail(t), asker{make(chan func(ai.Answer), 1)})
	works := true
	h.bots["guest"] = Bot{Name: "guest", Title: "Guest", Works: func() bool { return works }}
	ann := offline(h, "ann")
	g := match.Game{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}}
	create := func(id string) error {
		_, err := h.create(t.Context(), ann, request{ID: id, Game: &g, Color: "black", Bot: "guest"})
		return err
	}
	if err := create("1"); err != nil {
		t.Fatal(err)
	}
	works = false
	if err := create("1"); err != nil {
		t.Errorf("sent again: %v", err)
	}
	var no *refusal
	if err := create("2"); !errors.As(err, &no) || no.code != "no_such_bot" {
		t.Errorf("%v, want no_such_bot", err)
	}
}

func TestUnknownTypesAreCountedAsOne(t *testing.T) {
	t.Parallel()
	h := idleHub(t, newFrail(t), asker{})
	c := offline(h, "ann")
	for _, line := range []string{
		`{"type":"dance","id":"1"}`, `{"type":"dance","id":"1"}`, `{"type":"sing","id":"1"}`, `{"type":"jump","id":"2"}`,
	} {
		c.handle(t.Context(), []byte(line))
	}
	list := make(chan prometheus.Metric, 100)
	h.metrics.commands.Collect(list)
	if len(list) != 2 { // moves, from the beginning, and unknown ones
		t.Errorf("%d series of commands, want 2", len(list))
	}
}

func TestWhoArrivesInTroubleIsTold(t *testing.T) {
	t.Parallel()
	h := idleHub(t, newFrail(t), asker{})
	h.setTrouble(errFrail)
	c := offline(h, "ann")
	h.greet(t.Context(), c)
	if told := c.told(); len(told) != 2 {
		t.Errorf("%d messages, want hello and word of the trouble", len(told))
	}
}
