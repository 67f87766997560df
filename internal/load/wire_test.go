package load

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// TestWire speaks with gorilla's end of a WebSocket: messages of every length of
// length, in pieces, with pings between.
func TestWire(t *testing.T) {
	pongs := make(chan string, 16)
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(done)
		conn, err := (&websocket.Upgrader{WriteBufferSize: 64}).Upgrade(w, r, nil)
		if err != nil {
			t.Errorf("upgrade: %v", err)
			return
		}
		defer conn.Close()
		conn.SetPongHandler(func(text string) error { pongs <- text; return nil })
		for {
			_, message, err := conn.ReadMessage()
			if err != nil {
				return
			}
			if string(message) == "bye" {
				conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(4000, "draining"), time.Time{})
				return
			}
			conn.WriteControl(websocket.PingMessage, []byte("are you there"), time.Now().Add(time.Minute))
			out, err := conn.NextWriter(websocket.TextMessage)
			if err != nil {
				t.Errorf("write: %v", err)
				return
			}
			for piece := message; len(piece) > 0; piece = piece[min(len(piece), 50):] {
				out.Write(piece[:min(len(piece), 50)])
			}
			out.Close()
		}
	}))
	defer server.Close()
	w, err := connect(t.Context(), strings.TrimPrefix(server.URL, "http://"), "/ws", nil)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	defer w.close()
	for _, size := range []int{1, 125, 126, 300, 5000, 65535} {
		sent := bytes.Repeat([]byte("x"), size)
		if err := w.write(opText, sent); err != nil {
			t.Fatalf("write %d: %v", size, err)
		}
		got, err := w.read()
		if err != nil || !bytes.Equal(got, sent) {
			t.Fatalf("read %d bytes, %v; want %d", len(got), err, size)
		}
	}
	if err := w.write(opText, []byte("bye")); err != nil {
		t.Fatalf("write: %v", err)
	}
	if _, err := w.read(); err == nil || !strings.Contains(err.Error(), "4000 draining") {
		t.Fatalf("read after the end: %v", err)
	}
	if got := <-pongs; got != "are you there" {
		t.Fatalf("pong %q", got)
	}
	<-done
}

// TestConnectRefused: a server that does not upgrade is an error with its words.
func TestConnectRefused(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	if _, err := connect(t.Context(), strings.TrimPrefix(server.URL, "http://"), "/ws", nil); err == nil || !strings.Contains(err.Error(), "404") {
		t.Fatalf("got %v", err)
	}
}
