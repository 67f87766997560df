package hub_test

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
	"go.uber.org/goleak"

	"gomokud/internal/ai"
	"gomokud/internal/ai/bots"
	"gomokud/internal/hub"
	"gomokud/internal/session"
	"gomokud/internal/store/boltstore"
	"gomokud/internal/store/redisstore"
)

func TestMain(m *testing.M) {
	redisstore.SetLogger(slog.New(slog.DiscardHandler))
	goleak.VerifyTestMain(m)
}

// node is one running hub with its own HTTP server.
type node struct {
	t      *testing.T
	hub    *hub.Hub
	counts *prometheus.Registry
	server *httptest.Server
	stop   func() // drains; may be called twice
}

var (
	_ hub.Store = (*boltstore.Store)(nil)
	_ hub.Store = (*redisstore.Store)(nil)
)

// openBolt opens an embedded store that the test closes.
func openBolt(t *testing.T, dir string) hub.Store {
	t.Helper()
	st, err := boltstore.Open(dir, boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// startNode serves a store; the query names the player of a socket, and the
// household from which they come.
func startNode(t *testing.T, st hub.Store, cfg hub.Config) *node {
	t.Helper()
	if cfg.Node == "" {
		cfg.Node = t.Name()
	}
	if cfg.LateAfter == 0 {
		cfg.LateAfter = time.Hour // tests run on busy machines
	}
	engines, players := map[string]func() ai.Engine{}, []hub.Bot{}
	for _, b := range bots.All() {
		engines[b.Name] = b.New
		players = append(players, hub.Bot{Name: b.Name, Title: b.Title})
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	pool := ai.NewPool(ai.PoolConfig{Log: log, Engines: engines})
	counts := prometheus.NewRegistry()
	h := hub.New(cfg, st, pool, players, log, counts)
	if err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	thinking, stopThinking := context.WithCancel(context.Background())
	done := make(chan struct{})
	poolDone := make(chan struct{})
	go func() { defer close(done); h.Run(ctx) }()
	go func() { defer close(poolDone); pool.Run(thinking) }()
	n := &node{t: t, hub: h, counts: counts}
	n.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeSocket(w, r, session.Player{ID: r.URL.Query().Get("id"), Name: r.URL.Query().Get("id")}, r.URL.Query().Get("from"))
	}))
	n.stop = func() {
		cancel()
		<-done
		stopThinking()
		<-poolDone
		n.server.Close()
	}
	t.Cleanup(n.stop)
	return n
}

// player is a client of the protocol as a program would write it.
type player struct {
	t    *testing.T
	id   string
	conn *websocket.Conn
	key  string // makes its command ids its own
	seq  int
}

// message is any message from the server.
type message map[string]any

// connect opens a socket and reads the hello.
func (n *node) connect(id string) *player {
	n.t.Helper()
	p := n.dial(id)
	if hello := p.read(); hello["type"] != "hello" {
		n.t.Fatalf("first message %v, want hello", hello)
	}
	return p
}

func (n *node) dial(id string) *player {
	n.t.Helper()
	url := "ws" + strings.TrimPrefix(n.server.URL, "http") + "/ws?id=" + id
	dialer := websocket.Dialer{Subprotocols: []string{hub.Subprotocol}}
	conn, _, err := dialer.DialContext(n.t.Context(), url, nil)
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { conn.Close() })
	return &player{t: n.t, id: id, conn: conn, key: rand.Text()[:8]}
}

// deadline is for tests that hang, not a claim about speed.
const deadline = 30 * time.Second

func (p *player) read() message {
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

// send sends a command under an id of its own and returns the id.
func (p *player) send(fields message) string {
	p.t.Helper()
	if fields["id"] == nil {
		p.seq++
		fields["id"] = fmt.Sprintf("%s-%d", p.key, p.seq)
	}
	data, err := json.Marshal(fields)
	if err != nil {
		p.t.Fatal(err)
	}
	p.sendRaw(string(data))
	return fields["id"].(string)
}

func (p *player) sendRaw(text string) {
	p.t.Helper()
	if err := p.conn.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		p.t.Fatalf("%s sends: %v", p.id, err)
	}
}

// await reads until a message satisfies want.
func (p *player) await(what string, want func(message) bool) message {
	p.t.Helper()
	for {
		if m := p.read(); want(m) {
			return m
		}
	}
}

// do sends a command and returns what answers it: ok, error, or the events.
func (p *player) do(fields message) message {
	p.t.Helper()
	id := p.send(fields)
	return p.await("answer to "+id, func(m message) bool {
		if by, there := m["by"]; there && by != p.id {
			return false
		}
		return m["id"] == id
	})
}

// must is do for commands that are granted.
func (p *player) must(fields message) message {
	p.t.Helper()
	m := p.do(fields)
	if m["type"] == "error" {
		p.t.Fatalf("%s: %v refused: %v", p.id, fields, m)
	}
	return m
}

// refused is do for commands that are not; it checks the code.
func (p *player) refused(fields message, code string) message {
	p.t.Helper()
	m := p.do(fields)
	if m["type"] != "error" || m["code"] != code {
		p.t.Fatalf("%s: %v answered %v, want error %q", p.id, fields, m, code)
	}
	return m
}

// event awaits an event of the kind.
func (p *player) event(kind string) message {
	p.t.Helper()
	var found message
	p.await(kind, func(m message) bool {
		for _, e := range events(m) {
			if e["kind"] == kind {
				found = e
			}
		}
		return found != nil
	})
	return found
}

func events(m message) []message {
	list, _ := m["events"].([]any)
	out := make([]message, len(list))
	for i, e := range list {
		out[i] = e.(map[string]any)
	}
	return out
}

func version(m message) int {
	v, _ := m["version"].(float64)
	return int(v)
}

var freestyle = message{"rule": "freestyle", "size": "15x15", "clock": message{}}

// table seats two players at a new table; black is the host.
func table(black, white *player, game message) (room string) {
	black.t.Helper()
	room = black.must(message{"type": "create", "game": game, "color": "black"})["room"].(string)
	black.must(message{"type": "join", "room": room})
	white.must(message{"type": "join", "room": room})
	white.must(message{"type": "sit", "room": room})
	black.event("started")
	return room
}

// play makes moves in turn, beginning with the given ply, and waits until both
// have seen each.
func play(black, white *player, room string, ply int, points ...string) {
	black.t.Helper()
	for i, point := range points {
		mover, other := black, white
		if (ply+i)%2 == 1 {
			mover, other = white, black
		}
		mover.must(message{"type": "place", "room": room, "ply": ply + i, "point": point})
		if e := other.event("placed"); e["point"] != point {
			black.t.Fatalf("%s saw %v, want %s", other.id, e, point)
		}
	}
}
