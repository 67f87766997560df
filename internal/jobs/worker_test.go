package jobs_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/hub"
	"gomokud/internal/jobs"
	"gomokud/internal/store"
	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
)

var (
	_ jobs.Queue  = (*redisstore.Jobs)(nil)
	_ jobs.Work   = (*redisstore.Jobs)(nil)
	_ hub.Aside   = (*redisstore.Store)(nil)
	_ jobs.Player = (*hub.Deputy)(nil)
	_ hub.Thinker = (*jobs.Dispatcher)(nil)
)

func newMinds() minds { return minds{make(chan thought)} }

func TestAWorkerAnswersATurn(t *testing.T) {
	t.Parallel()
	server, m := redistest.Start(t), newMinds()
	s := startSite(t, server, m, "node")
	ann := s.connect("ann")
	ann.sit(message{})
	ann.place(0, "h8")
	close(m.by(t, "node").move) // nobody else is there
	ann.placed()
	startWorker(t, server, m, "worker", 2) // it may not have struck off the turn before
	s.awaitWorkers(1)
	for ply := 2; ply < 8; ply += 2 {
		ann.place(ply, fmt.Sprintf("%c1", 'a'+ply))
		close(m.by(t, "worker").move)
		ann.placed()
	}
}

func TestTwoNodesAskAndOneWorkerAnswers(t *testing.T) {
	t.Parallel()
	server, m := redistest.Start(t), newMinds()
	one, two := startSite(t, server, m, "one"), startSite(t, server, m, "two")
	startWorker(t, server, m, "first", 1)
	startWorker(t, server, m, "second", 1)
	one.awaitWorkers(2)
	two.awaitWorkers(2)
	ann, eve := one.connect("ann"), two.connect("eve")
	ann.sit(message{})
	eve.follow(ann.room)
	for ply := 0; ply < 6; ply += 2 {
		point := fmt.Sprintf("%c5", 'a'+ply)
		ann.place(ply, point)
		eve.placed()
		next := m.next(t)
		if next.last.String() != point {
			t.Errorf("%s thinks about %s, which is past", next.by, next.last)
		}
		close(next.move)
		if got, want := eve.placed(), ann.placed(); got != want {
			t.Errorf("eve sees %s, ann %s", got, want)
		}
	}
	asked := func(s *site, how string) float64 { return value(t, s.counted, "gomokud_jobs_"+how+"_total") }
	if n := asked(one, "handed_out") + asked(two, "handed_out"); n != 3 {
		t.Errorf("%v turns were handed out, want 3", n)
	}
	if n := asked(one, "joined") + asked(two, "joined"); n > 3 { // fewer if a move came before the question
		t.Errorf("%v times somebody joined", n)
	}
}

// player is one of a worker's that plays no games.
type player func(context.Context, store.Hint) (bool, error)

func (p player) Answer(ctx context.Context, h store.Hint) (bool, error) { return p(ctx, h) }

// hire starts a worker with two threads for a player.
func hire(t *testing.T, st *redisstore.Store, name string, p player, counted prometheus.Registerer) (stop func()) {
	self := store.Worker{Name: name, Threads: 2, Bots: []string{"b"}}
	hand := jobs.NewWorker(self, time.Millisecond, st.Jobs(""), p, slog.New(slog.NewTextHandler(t.Output(), nil)), counted)
	return background(t, hand.Run)
}

// ask hands a turn out, as a node does, once somebody works.
func ask(t *testing.T, st *redisstore.Store, bot string) store.Hint {
	t.Helper()
	h := store.Hint{Room: "r", Version: 7, Bot: bot}
	await(t, "a worker", func() bool {
		_, _, err := st.Jobs("").Ask(t.Context(), h, time.Minute)
		return err == nil
	})
	return h
}

// idle waits until there is nothing to do.
func idle(t *testing.T, st *redisstore.Store) {
	t.Helper()
	await(t, "the end of all turns", func() bool {
		crew, err := st.Jobs("").Crew(t.Context())
		return err == nil && crew.Waiting+crew.Taken == 0
	})
}

func TestADeadWorkersTurnIsTakenOver(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	st, first := openStore(t, server), openStore(t, server)
	began := make(chan struct{})
	stop := hire(t, first, "first", func(ctx context.Context, _ store.Hint) (bool, error) {
		close(began)
		<-ctx.Done()
		return false, ctx.Err()
	}, prometheus.NewRegistry())
	want := ask(t, st, "b")
	<-began
	first.Close()
	stop()
	played, counted := make(chan store.Hint, 1), prometheus.NewRegistry()
	hire(t, st, "second", func(_ context.Context, h store.Hint) (bool, error) {
		played <- h
		return true, nil
	}, counted)
	select {
	case got := <-played:
		if got.Room != want.Room || got.Version != want.Version {
			t.Errorf("took over %+v, want %+v", got, want)
		}
	case <-time.After(deadline):
		t.Fatal("nobody takes the turn over")
	}
	idle(t, st)
	if n := value(t, counted, "gomokud_worker_taken_over_total"); n != 1 {
		t.Errorf("%v turns were taken over", n)
	}
}

func TestALongThoughtIsNotTakenOver(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	st := openStore(t, server)
	counted, calls := prometheus.NewRegistry(), make(chan struct{}, 9)
	long := func(ctx context.Context, _ store.Hint) (bool, error) {
		calls <- struct{}{}
		select {
		case <-time.After(4 * time.Second): // longer than a dead worker is waited for
		case <-ctx.Done():
		}
		return true, ctx.Err()
	}
	hire(t, st, "first", long, counted)
	hire(t, st, "second", long, prometheus.NewRegistry())
	ask(t, st, "b")
	idle(t, st)
	if len(calls) != 1 {
		t.Errorf("%d times somebody thought", len(calls))
	}
}

// TestEveryTurnIsStruckOff: a hint stays for nobody, whatever becomes of it.
func TestEveryTurnIsStruckOff(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]player{
		"played": func(context.Context, store.Hint) (bool, error) { return true, nil },
		"void":   func(context.Context, store.Hint) (bool, error) { return false, nil },
		"late":   func(context.Context, store.Hint) (bool, error) { return false, store.ErrLate },
		"failed": func(context.Context, store.Hint) (bool, error) { return false, store.ErrNotFound },
	} {
		t.Run(name, func(t *testing.T) {
			st, counted := openStore(t, redistest.Start(t)), prometheus.NewRegistry()
			hire(t, st, "w", p, counted)
			ask(t, st, "b")
			idle(t, st)
			if got := valueOf(t, counted, "gomokud_worker_turns_total", name); got != 1 {
				t.Errorf("%v turns ended as %s", got, name)
			}
		})
	}
}

// TestTheGameGoesOnWithoutTheLastWorker: it dies in the midst of a thought.
func TestTheGameGoesOnWithoutTheLastWorker(t *testing.T) {
	t.Parallel()
	server, m := redistest.Start(t), newMinds()
	s := startSite(t, server, m, "node")
	only := startWorker(t, server, m, "only", 1)
	s.awaitWorkers(1)
	ann := s.connect("ann")
	ann.sit(message{})
	ann.place(0, "h8")
	m.by(t, "only")
	only.kill()
	close(m.by(t, "node").move)
	ann.placed()
	ann.place(2, "h9")
	close(m.by(t, "node").move)
	ann.placed()
}

// sleeper takes turns and never plays them.
type sleeper struct{}

func (sleeper) Answer(ctx context.Context, _ store.Hint) (bool, error) {
	<-ctx.Done()
	return false, ctx.Err()
}

func TestAStalledWorkerIsNotWaitedForLong(t *testing.T) {
	t.Parallel()
	server, m := redistest.Start(t), newMinds()
	s := startSite(t, server, m, "node")
	hand := jobs.NewWorker(store.Worker{Name: "stalled", Threads: 9, Bots: []string{"b"}}, time.Millisecond,
		openStore(t, server).Jobs(""), sleeper{}, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	background(t, hand.Run)
	s.awaitWorkers(1)
	ann := s.connect("ann")
	ann.sit(message{"main": 20_000}) // a second for a move
	ann.place(0, "h8")
	close(m.by(t, "node").move)
	ann.placed()
	if n := value(t, s.counted, "gomokud_jobs_taken_back_total"); n != 1 {
		t.Errorf("%v turns were taken back", n)
	}
}

// TestATakebackCallsAWorkerOff: what it then says is of no interest.
func TestATakebackCallsAWorkerOff(t *testing.T) {
	t.Parallel()
	server, m := redistest.Start(t), newMinds()
	s := startSite(t, server, m, "node")
	startWorker(t, server, m, "worker", 2)
	s.awaitWorkers(1)
	ann := s.connect("ann")
	ann.sit(message{})
	ann.place(0, "h8")
	first := m.by(t, "worker")
	ann.do(message{"type": "offer", "room": ann.room, "what": "takeback"})
	ann.place(0, "c3")
	second := m.by(t, "worker")
	close(first.move)
	close(second.move)
	ann.placed()
	if moves := fmt.Sprint(ann.moves()); moves != "[c3 a1]" {
		t.Errorf("the moves are %s", moves)
	}
}

func TestWorkersSurviveARedisThatForgotThem(t *testing.T) {
	t.Parallel()
	server, m := redistest.Start(t, "--appendonly", "no"), newMinds()
	s := startSite(t, server, m, "node")
	startWorker(t, server, m, "worker", 1)
	s.awaitWorkers(1)
	server.Kill()
	server.Start() // with nothing in it
	await(t, "the worker to be back", func() bool {
		crew, err := s.store.Jobs("").Crew(t.Context())
		return err == nil && len(crew.Workers) == 1
	})
	ann := s.connect("ann")
	ann.sit(message{})
	for ply := 0; ; ply += 2 {
		ann.place(ply, fmt.Sprintf("%c%d", 'a'+ply%15, 5+ply))
		next := m.next(t)
		close(next.move)
		ann.placed()
		if next.by == "worker" {
			return
		}
		s.awaitWorkers(1)
	}
}

func TestADrainingWorkerEndsWhatItHasBegun(t *testing.T) {
	t.Parallel()
	server, m := redistest.Start(t), newMinds()
	s := startSite(t, server, m, "node")
	w := startWorker(t, server, m, "worker", 2)
	s.awaitWorkers(1)
	ann, bob := s.connect("ann"), s.connect("bob")
	ann.sit(message{})
	bob.sit(message{})
	ann.place(0, "h8")
	begun := m.by(t, "worker")
	stopped := make(chan struct{})
	go func() { defer close(stopped); w.stop() }()
	await(t, "the worker to take no more", func() bool { return value(t, s.counted, "gomokud_workers_threads") == 0 })
	bob.place(0, "h8")
	close(m.by(t, "node").move)
	bob.placed()
	select {
	case <-stopped:
		t.Error("the worker has stopped in the midst of a thought")
	default:
	}
	close(begun.move)
	ann.placed()
	<-stopped
	s.awaitWorkers(0)
	if crew, err := s.store.Jobs("").Crew(t.Context()); err != nil || len(crew.Workers)+crew.Waiting+crew.Taken != 0 {
		t.Errorf("it left %+v, %v", crew, err)
	}
}

// TestManyGamesOfOneDoNotHoldUpAnother: a worker and a node, each with one
// thread, and somebody who plays many games.
func TestManyGamesOfOneDoNotHoldUpAnother(t *testing.T) {
	t.Parallel()
	server, m := redistest.Start(t), newMinds()
	s := startSite(t, server, m, "node")
	startWorker(t, server, m, "worker", 1)
	s.awaitWorkers(1)
	const games = 8
	bob := s.connect("bob")
	bob.sit(message{})
	for range games {
		greedy := s.connect("greedy")
		greedy.sit(message{})
		greedy.place(0, "h8")
	}
	begun := map[string]thought{}
	for range 2 { // both threads are his
		next := m.next(t)
		begun[next.by] = next
	}
	bob.place(0, "c3")
	await(t, "the others to wait", func() bool { return value(t, s.counted, "gomokud_jobs_kept_total") == games })
	now := begun["node"]
	for waits := 0; now.last.String() != "c3"; waits++ {
		if waits > 2 {
			t.Fatal("bob waits for game after game of the other")
		}
		close(now.move)
		now = m.by(t, "node")
	}
	close(now.move)
	close(begun["worker"].move)
}
