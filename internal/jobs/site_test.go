package jobs_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
	"gomokud/internal/hub"
	"gomokud/internal/jobs"
	"gomokud/internal/rules"
	"gomokud/internal/session"
	"gomokud/internal/store"
	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
)

// thought is a bot that was asked; it moves when it is told to.
type thought struct {
	by   string      // the process
	last rules.Point // the latest stone
	move chan struct{}
}

// minds are the engines of a test's processes. Each thought comes out of asked,
// and then waits for the test.
type minds struct{ asked chan thought }

type engine func(context.Context, ai.Position, ai.Budget) (ai.Thought, error)

func (e engine) Think(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
	return e(ctx, p, b)
}

// of are the engines of one process: a bot named b, which takes the first free
// point.
func (m minds) of(process string) map[string]func() ai.Engine {
	think := func(ctx context.Context, p ai.Position, _ ai.Budget) (ai.Thought, error) {
		t := thought{by: process, last: p.Stones[len(p.Stones)-1].Point, move: make(chan struct{})}
		select {
		case m.asked <- t:
		case <-ctx.Done():
			return ai.Thought{}, ctx.Err()
		}
		select {
		case <-t.move:
		case <-ctx.Done():
			return ai.Thought{}, ctx.Err()
		}
		board := p.Board()
		for at := range p.Size.All() {
			if board.At(at) == rules.Empty {
				return ai.Thought{Move: at}, nil
			}
		}
		return ai.Thought{}, ai.ErrNoMove
	}
	return map[string]func() ai.Engine{"b": func() ai.Engine { return engine(think) }}
}

// deadline is for tests that hang, not a claim about speed.
const deadline = 30 * time.Second

func (m minds) next(t *testing.T) thought {
	t.Helper()
	select {
	case got := <-m.asked:
		return got
	case <-time.After(deadline):
		t.Fatal("nobody thinks")
		return thought{}
	}
}

// by checks who thinks next, and returns the thought.
func (m minds) by(t *testing.T, process string) thought {
	t.Helper()
	got := m.next(t)
	if got.by != process {
		t.Fatalf("%s thinks, want %s", got.by, process)
	}
	return got
}

func openStore(t *testing.T, server *redistest.Server) *redisstore.Store {
	t.Helper()
	st, err := redisstore.Open(t.Context(), server.URL, redisstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// background runs something until stop, which waits for its end and may be
// called twice.
func background(t *testing.T, run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); run(ctx) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

// site is a node of the service with its web server.
type site struct {
	t       *testing.T
	store   *redisstore.Store
	counted *prometheus.Registry
	url     string
}

// startSite serves with one thread for bots.
func startSite(t *testing.T, server *redistest.Server, m minds, name string) *site {
	t.Helper()
	s := &site{t: t, store: openStore(t, server), counted: prometheus.NewRegistry()}
	log := slog.New(slog.NewTextHandler(t.Output(), nil)).With("process", name)
	pool := ai.NewPool(ai.PoolConfig{Workers: 1, Log: log, Engines: m.of(name)})
	d := jobs.NewDispatcher(s.store.Jobs(""), pool, log, s.counted)
	h := hub.New(hub.Config{Node: name}, s.store, d, []hub.Bot{{Name: "b", Title: "B"}}, log, s.counted)
	if err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	background(t, func(ctx context.Context) { pool.Run(ctx) })
	background(t, d.Run)
	background(t, h.Run)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeSocket(w, r, session.Player{ID: r.URL.Query().Get("id"), Name: r.URL.Query().Get("id")}, "")
	}))
	t.Cleanup(web.Close)
	s.url = "ws" + strings.TrimPrefix(web.URL, "http")
	return s
}

// awaitWorkers waits until the node knows of so many.
func (s *site) awaitWorkers(n int) {
	s.t.Helper()
	await(s.t, fmt.Sprintf("%d workers", n), func() bool { return value(s.t, s.counted, "gomokud_workers") == float64(n) })
}

func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(deadline); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// helper is a worker process.
type helper struct {
	store *redisstore.Store
	stop  func() // drains and waits
	kill  func() // nothing that it does reaches anybody any more
}

func startWorker(t *testing.T, server *redistest.Server, m minds, name string, threads int) *helper {
	t.Helper()
	w := &helper{store: openStore(t, server)}
	log := slog.New(slog.NewTextHandler(t.Output(), nil)).With("process", name)
	counted := prometheus.NewRegistry()
	pool := ai.NewPool(ai.PoolConfig{Workers: threads, Log: log, Engines: m.of(name)})
	deputy := hub.NewDeputy(hub.Config{}, w.store, pool, log, counted)
	if err := deputy.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	self := store.Worker{Name: name, Threads: threads, Bots: []string{"b"}}
	dead, die := context.WithCancel(context.Background())
	hand := jobs.NewWorker(self, deadline, w.store.Jobs(""), mortal{deputy, dead}, log, counted)
	stopPool := background(t, func(ctx context.Context) { pool.Run(ctx) })
	background(t, deputy.Run)
	w.stop = background(t, hand.Run)
	w.kill = func() {
		w.store.Close()
		die()
		stopPool()
	}
	return w
}

// mortal is a deputy that may die.
type mortal struct {
	*hub.Deputy
	dead context.Context
}

func (m mortal) Answer(ctx context.Context, h store.Hint) (bool, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer context.AfterFunc(m.dead, cancel)()
	return m.Deputy.Answer(ctx, h)
}

// person is a client of the protocol.
type person struct {
	t    *testing.T
	id   string
	conn *websocket.Conn
	key  string // makes its command ids its own
	seq  int
	room string
}

type message map[string]any

func (s *site) connect(id string) *person {
	s.t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{hub.Subprotocol}}
	conn, _, err := dialer.DialContext(s.t.Context(), s.url+"/ws?id="+id, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	return &person{t: s.t, id: id, conn: conn, key: rand.Text()[:8]}
}

func (p *person) read() message {
	p.t.Helper()
	p.conn.SetReadDeadline(time.Now().Add(deadline))
	_, data, err := p.conn.ReadMessage()
	if err != nil {
		p.t.Fatalf("%s reads: %v", p.id, err)
	}
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		p.t.Fatalf("%s reads %s: %v", p.id, data, err)
	}
	return m
}

// do sends a command and returns what grants it.
func (p *person) do(fields message) message {
	p.t.Helper()
	p.seq++
	fields["id"] = fmt.Sprintf("%s-%d", p.key, p.seq)
	if err := p.conn.WriteJSON(fields); err != nil {
		p.t.Fatalf("%s sends: %v", p.id, err)
	}
	for {
		m := p.read()
		if m["id"] != fields["id"] {
			continue
		}
		if m["type"] == "error" {
			p.t.Fatalf("%s: %v refused: %v", p.id, fields, m)
		}
		return m
	}
}

// sit makes a table against the bot, which has White.
func (p *person) sit(clock message) {
	p.t.Helper()
	game := message{"rule": "freestyle", "size": "15x15", "clock": clock}
	p.room, _ = p.do(message{"type": "create", "game": game, "color": "black", "bot": "b"})["room"].(string)
	p.follow(p.room)
}

func (p *person) follow(room string) {
	p.t.Helper()
	p.do(message{"type": "join", "room": room})
}

func (p *person) place(ply int, point string) {
	p.t.Helper()
	p.do(message{"type": "place", "room": p.room, "ply": ply, "point": point})
}

// placed awaits the bot's move.
func (p *person) placed() string {
	p.t.Helper()
	for {
		list, _ := p.read()["events"].([]any)
		for _, e := range list {
			if e := e.(map[string]any); e["kind"] == "placed" {
				return e["point"].(string)
			}
		}
	}
}

// moves are those that a node knows of.
func (p *person) moves() []any {
	p.t.Helper()
	state, _ := p.do(message{"type": "join", "room": p.room})["state"].(map[string]any)
	list, _ := state["moves"].([]any)
	return list
}
