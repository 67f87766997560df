package hub_test

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"gomokud/internal/hub"
)

// opens asks for a socket; the household is named by the query.
func (n *node) opens(t *testing.T, query string) (*websocket.Conn, *http.Response) {
	t.Helper()
	url := "ws" + strings.TrimPrefix(n.server.URL, "http") + "/ws?" + query
	conn, resp, err := (&websocket.Dialer{Subprotocols: []string{hub.Subprotocol}}).DialContext(t.Context(), url, nil)
	if resp == nil {
		t.Fatal(err)
	}
	if conn != nil {
		t.Cleanup(func() { conn.Close() })
	}
	return conn, resp
}

func turnedAway(t *testing.T, resp *http.Response, status int) {
	t.Helper()
	if resp.StatusCode != status || resp.Header.Get("Retry-After") == "" {
		t.Errorf("answered %s, come back after %q; want %d and when", resp.Status, resp.Header.Get("Retry-After"), status)
	}
}

func TestANodeTakesOnlySoManySockets(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{Connections: 5, AddressConnections: 3})
	attic := make([]*websocket.Conn, 3)
	for i := range attic {
		attic[i], _ = n.opens(t, fmt.Sprintf("id=a%d&from=attic", i))
	}
	_, resp := n.opens(t, "id=a3&from=attic")
	turnedAway(t, resp, http.StatusTooManyRequests)
	n.connect("b&from=cellar") // the neighbours are not affected
	n.connect("c")             // nor is who has no household
	_, resp = n.opens(t, "id=d&from=garden")
	turnedAway(t, resp, http.StatusServiceUnavailable)
	attic[0].Close()
	for deadline := time.Now().Add(deadline); ; time.Sleep(10 * time.Millisecond) {
		if conn, _ := n.opens(t, "id=a4&from=attic"); conn != nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the place of a socket that closed stays taken")
		}
	}
}

func TestASocketThatIsRefusedLeavesItsPlace(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{Connections: 2})
	for range 5 {
		resp, err := http.Get(n.server.URL + "/ws?id=ann") // no upgrade at all
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusBadRequest {
			t.Fatalf("a request without an upgrade: %s", resp.Status)
		}
	}
	n.connect("ann")
}

func TestSocketsComeOnlySoQuickly(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{ArrivalsPerSecond: 0.01})
	if conn, resp := n.opens(t, "id=ann"); conn == nil {
		t.Fatalf("the first: %s", resp.Status)
	}
	_, resp := n.opens(t, "id=bob")
	turnedAway(t, resp, http.StatusServiceUnavailable)
}

func TestAHouseholdMakesOnlySoManyRooms(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{AddressRoomsPerMinute: 2})
	made := 0
	var refused message
	for i := range 8 { // each with a new player
		p := n.dial(fmt.Sprintf("p%d&from=attic", i))
		p.read()
		if m := p.do(message{"type": "create", "game": freestyle}); m["type"] == "ok" {
			made++
		} else {
			refused = m
		}
	}
	if made < 4 || made > 6 || refused["limit"] != "address_rooms_per_minute" || refused["retry"] == nil {
		t.Errorf("%d of 8 rooms, then %v", made, refused)
	}
	n.connect("eve&from=cellar").must(message{"type": "create", "game": freestyle})
}

// raw writes frames as no library does, until the server has had enough. Four
// zero bytes mask nothing.
func (p *player) raw(piece []byte, most int) (written int) {
	conn := p.conn.NetConn()
	for written < most {
		conn.SetWriteDeadline(time.Now().Add(deadline))
		if _, err := conn.Write(piece); err != nil {
			break
		}
		written += len(piece)
	}
	return written
}

// TestFloodsThatAreNoCommands: what no command's limit counts.
func TestFloodsThatAreNoCommands(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	const ping, pong, piece, text = 0x89, 0x8a, 0x00, 0x01
	empty := func(head byte) []byte { return []byte{head, 0x80, 0, 0, 0, 0} }
	for name, flood := range map[string][]byte{
		"pings":                       bytes.Repeat(empty(ping), 100),
		"pongs":                       bytes.Repeat(empty(pong), 100),
		"a message of empty pieces":   bytes.Repeat(empty(piece), 100),
		"a message, a byte at a time": bytes.Repeat(append(empty(piece)[:1], 0x81, 0, 0, 0, 0, 'x'), 100),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := n.connect("eve" + name[2:5])
			p.t = t
			var pongs atomic.Int64
			p.conn.SetPongHandler(func(string) error { pongs.Add(1); return nil })
			p.conn.SetPingHandler(func(string) error { return nil })
			closed := make(chan error, 1)
			go func() {
				for {
					if _, _, err := p.conn.ReadMessage(); err != nil {
						closed <- err
						return
					}
				}
			}()
			if strings.HasPrefix(name, "a message") {
				p.raw(empty(text), 1)
			}
			const most = 64 << 20
			if written := p.raw(flood, most); written >= most {
				t.Errorf("%d bytes were taken", written)
			}
			want := []int{4503}
			if strings.Contains(name, "byte at a time") {
				want = []int{websocket.CloseMessageTooBig}
			}
			if err := <-closed; !websocket.IsCloseError(err, want...) {
				t.Errorf("closed with %v, want %d", err, want)
			}
			if got := pongs.Load(); got > 1000 {
				t.Errorf("%d pings were answered", got)
			}
		})
	}
}

// TestAMessageThatNeverEndsIsSilence: to dribble is no sign of life.
func TestAMessageThatNeverEndsIsSilence(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{Silence: 400 * time.Millisecond})
	p := n.connect("eve")
	conn := p.conn.NetConn()
	conn.Write([]byte{0x81, 0x80 | 100, 0, 0, 0, 0}) // 100 bytes are to come
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for range 100 {
			if _, err := conn.Write([]byte("x")); err != nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	for {
		if _, _, err := p.conn.ReadMessage(); err != nil {
			if !isClose(err, 4002) {
				t.Errorf("closed with %v, want 4002", err)
			}
			break
		}
	}
	conn.Close()
	<-stopped
}

// TestNothingIsDecompressed: compression is neither offered nor taken, so that
// no small message becomes a large one.
func TestNothingIsDecompressed(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	url := "ws" + strings.TrimPrefix(n.server.URL, "http") + "/ws?id=eve"
	conn, resp, err := (&websocket.Dialer{Subprotocols: []string{hub.Subprotocol}, EnableCompression: true}).DialContext(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if ext := resp.Header.Get("Sec-WebSocket-Extensions"); ext != "" {
		t.Errorf("the server agrees to %q", ext)
	}
	const compressedText = 0xc1 // and it comes all the same
	conn.NetConn().Write([]byte{compressedText, 0x80, 0, 0, 0, 0})
	for {
		if _, _, err := conn.ReadMessage(); err != nil {
			if !isClose(err, websocket.CloseProtocolError) {
				t.Errorf("closed with %v, want %d", err, websocket.CloseProtocolError)
			}
			return
		}
	}
}

// TestWhoNeverReadsCostsLittle: spectators who ask for more and more, and read
// nothing of it, while two play.
func TestWhoNeverReadsCostsLittle(t *testing.T) {
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{WriteTimeout: time.Second})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, freestyle)
	play(ann, bob, room, 0, "h8", "i9")
	before := liveHeap()
	const spectators = 40
	for i := range spectators {
		p := n.connect(fmt.Sprintf("s%d", i))
		p.send(message{"type": "join", "room": room})
		for range 200 { // each is answered with the whole room; nobody reads
			p.send(message{"type": "join", "room": room})
		}
	}
	play(ann, bob, room, 2, "h9", "i10", "h10", "i11")
	if grown := int64(liveHeap()) - int64(before); grown > spectators*(300<<10) {
		t.Errorf("%d who do not read cost %d KiB", spectators, grown>>10)
	}
	for _, p := range []*player{ann, bob} { // the players' sockets are as they were
		p.must(message{"type": "ping"})
	}
}

// liveHeap is the bytes that are alive.
func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestUnderPressureTheLobbyStandsStill, for who looks at it and for who comes,
// and goes on where it stopped.
func TestUnderPressureTheLobbyStandsStill(t *testing.T) {
	t.Parallel()
	var live atomic.Uint64
	cfg := hub.Config{}
	cfg.UseMemory(func() (uint64, uint64) { return live.Load(), 100 })
	n := startNode(t, openBolt(t, t.TempDir()), cfg)
	ann, bob, eve := n.connect("ann"), n.connect("bob"), n.connect("eve")
	room := table(ann, bob, freestyle)
	moves := func(m message) int {
		games, _ := m["games"].([]any)
		for _, g := range games {
			if g := g.(map[string]any); g["room"] == room {
				return len(g["moves"].([]any))
			}
		}
		return -1
	}
	eve.must(message{"type": "lobby", "on": true})
	eve.await("the game", func(m message) bool { return moves(m) == 0 })
	live.Store(75)
	n.awaitPressure(1)
	seen := n.counted("gomokud_shed_total", "thumbnails")
	play(ann, bob, room, 0, "h8", "i9")
	n.await("two more rounds of thumbnails are shed", func() bool { return n.counted("gomokud_shed_total", "thumbnails") >= seen+2 })
	dan := n.connect("dan")
	dan.must(message{"type": "lobby", "on": true})
	dan.await("the last picture", func(m message) bool { return moves(m) == 0 })
	live.Store(0)
	for _, p := range []*player{eve, dan} {
		p.await("what has changed", func(m message) bool { return moves(m) == 2 })
	}
}

// TestWhatAPressedNodeShedsAndWhatItDoesNot: new games and newcomers who watch;
// never moves, never a player who comes back. Who watches already sees all in
// the end.
func TestWhatAPressedNodeShedsAndWhatItDoesNot(t *testing.T) {
	t.Parallel()
	var live atomic.Uint64
	cfg := hub.Config{}
	cfg.UseMemory(func() (uint64, uint64) { return live.Load(), 100 })
	n := startNode(t, openBolt(t, t.TempDir()), cfg)
	ann, bob, eve := n.connect("ann"), n.connect("bob"), n.connect("eve")
	room := table(ann, bob, freestyle)
	joined := version(eve.must(message{"type": "join", "room": room}))
	live.Store(99)
	n.awaitPressure(3)
	ann.refused(message{"type": "create", "game": freestyle}, "busy")
	ann.refused(message{"type": "seek", "game": freestyle}, "busy")
	if m := n.connect("dan").refused(message{"type": "join", "room": room}, "busy"); m["retry"] == nil {
		t.Errorf("nobody said when to come back: %v", m)
	}
	play(ann, bob, room, 0, "h8", "a1", "h9", "a2")
	ann.conn.Close()
	ann = n.connect("ann")
	ann.must(message{"type": "join", "room": room})
	play(ann, bob, room, 4, "h10", "a3", "h11", "a4", "h12")
	bob.must(message{"type": "offer", "room": room, "what": "rematch"})
	ann.must(message{"type": "accept", "room": room, "what": "rematch"})
	want := version(ann.must(message{"type": "join", "room": room}))
	stones := 0
	for have := joined; have < want; {
		m := eve.read()
		if m["type"] != "events" {
			continue
		}
		list := events(m)
		first := version(m) - len(list)
		if first > have {
			t.Fatalf("eve has version %d and is told from %d on", have, first)
		}
		for _, e := range list[have-first:] {
			if e["kind"] == "placed" {
				stones++
			}
		}
		have = version(m)
	}
	if stones != 9 {
		t.Errorf("eve saw %d stones of 9", stones)
	}
	if n.counted("gomokud_shed_total", "updates") == 0 {
		t.Error("nothing was held back")
	}
	live.Store(0)
	n.awaitPressure(0)
	ann.must(message{"type": "create", "game": freestyle})
}

// counted is what one of the node's counters or gauges says, with this label if
// any.
func (n *node) counted(name string, label ...string) float64 {
	n.t.Helper()
	families, err := n.counts.Gather()
	if err != nil {
		n.t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
		for _, m := range f.GetMetric() {
			if len(label) == 0 || len(m.GetLabel()) == 1 && m.GetLabel()[0].GetValue() == label[0] {
				return m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	n.t.Fatalf("there is no %s %v", name, label)
	return 0
}

func (n *node) await(what string, holds func() bool) {
	n.t.Helper()
	for end := time.Now().Add(deadline); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			n.t.Fatalf("waited in vain until %s", what)
		}
	}
}

func (n *node) awaitPressure(level float64) {
	n.t.Helper()
	n.await(fmt.Sprintf("the pressure is %v", level), func() bool { return n.counted("gomokud_pressure") == level })
}
