package load

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// startRelay serves a relay for the length of the test.
func startRelay(t *testing.T) (relay *Relay, addr string) {
	t.Helper()
	relay = NewRelay()
	server := httptest.NewServer(relay)
	t.Cleanup(func() {
		relay.Close()
		server.Close()
	})
	return relay, strings.TrimPrefix(server.URL, "http://")
}

func relayAddr(t *testing.T) string {
	t.Helper()
	_, addr := startRelay(t)
	return addr
}

// enterRelay connects a client of another make than the generator's own.
func enterRelay(t *testing.T, addr, room, greeting string) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+addr+"/ws", nil)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	say(t, conn, room)
	hear(t, conn, greeting)
	return conn
}

func say(t *testing.T, conn *websocket.Conn, text string) {
	t.Helper()
	if err := conn.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		t.Fatalf("say %q: %v", text, err)
	}
}

func hear(t *testing.T, conn *websocket.Conn, want string) {
	t.Helper()
	if _, got, err := conn.ReadMessage(); err != nil || string(got) != want {
		t.Fatalf("heard %q, %v; want %q", got, err, want)
	}
}

// TestRelayRelays: everybody in a room gets every message, in one order, and
// nobody elsewhere does.
func TestRelayRelays(t *testing.T) {
	addr := relayAddr(t)
	a, b := enterRelay(t, addr, "red", "red"), enterRelay(t, addr, "red", "red")
	other := enterRelay(t, addr, "blue", "blue")
	say(t, a, "one")
	for _, conn := range []*websocket.Conn{a, b} {
		hear(t, conn, "one")
	}
	say(t, b, "two")
	for _, conn := range []*websocket.Conn{a, b} {
		hear(t, conn, "two")
	}
	say(t, other, "alone")
	hear(t, other, "alone")

	b.Close()
	say(t, a, "three")
	hear(t, a, "three")
}
