package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"gomokud/internal/session"
)

// moody is a line that takes as much at once as it likes, and the rest when it
// is insisted on.
type moody struct {
	paper
	rand *rand.Rand
}

func (m *moody) Offer(data []byte) (int, error) {
	m.mu.Lock()
	n := m.rand.IntN(len(data) + 1)
	m.mu.Unlock()
	return m.paper.Offer(data[:n])
}

func (m *moody) all() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return string(bytes.Join(m.written, nil))
}

func newOutbox(l line, most int) *outbox {
	o := new(outbox)
	o.open(l, most, time.Second, new(sync.Pool))
	return o
}

// writeOut is what a client does about flush.
func writeOut(o *outbox) {
	if rest, _ := o.flush(); rest {
		go o.drain()
	}
}

// TestWhatGoesIntoAnOutboxComesOut whole, once, and in each sender's order,
// however the line takes it.
func TestWhatGoesIntoAnOutboxComesOut(t *testing.T) {
	t.Parallel()
	const senders, each = 4, 300
	l := &moody{rand: rand.New(rand.NewPCG(1, 2))}
	o := newOutbox(l, senders*each)
	var sending sync.WaitGroup
	for s := range senders {
		sending.Go(func() {
			for i := range each {
				o.postPatiently(fmt.Appendf(nil, "[%d %d%s]", s, i, strings.Repeat(".", i%7*600)))
				writeOut(o)
			}
		})
	}
	sending.Wait()
	o.finish([]byte("[end]"), false)
	writeOut(o)
	o.ended()
	next := [senders]int{}
	frames := strings.SplitAfter(l.all(), "]")
	if n := len(frames); n != senders*each+2 || frames[n-1] != "" || frames[n-2] != "[end]" {
		t.Fatalf("%d frames, the last %.40q", n, frames[max(0, n-2):])
	}
	for _, frame := range frames[:senders*each] {
		var s, i int
		if _, err := fmt.Sscanf(frame, "[%d %d", &s, &i); err != nil || len(frame) != len(fmt.Sprintf("[%d %d]", s, i))+i%7*600 {
			t.Fatalf("a frame came out as %.40q", frame)
		}
		if i != next[s] {
			t.Fatalf("sender %d: frame %d came when %d was due", s, i, next[s])
		}
		next[s]++
	}
}

func TestAFullOutbox(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newStuck()
		o := newOutbox(l, 2)
		for i, want := range []posting{first, queued, full} {
			if got := o.post([]byte("frame")); got != want {
				t.Errorf("post %d: %v, want %v", i, got, want)
			}
		}
		answered := false
		go func() {
			o.postPatiently([]byte("answer"))
			answered = true
		}()
		synctest.Wait()
		if answered {
			t.Error("who answers does not wait for room")
		}
		o.finish([]byte("end"), true)
		synctest.Wait()
		if !answered {
			t.Error("the end does not free who waits")
		}
		if o.post([]byte("late")) != dropped {
			t.Error("something may follow the end")
		}
		l.Close()
		writeOut(o)
		o.ended()
	})
}

// half takes so many bytes at once, then none until it is insisted on.
type half struct {
	paper
	takes int
}

func (h *half) Offer(data []byte) (int, error) {
	n := min(h.takes, len(data))
	h.takes -= n
	return h.paper.Offer(data[:n])
}

func TestTheEndOfAnOutbox(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		takes int
		drop  bool
		want  string
	}{
		"in order":               {100, false, "onetwothreeend"},
		"after what waits":       {0, false, "onetwothreeend"},
		"in place of what waits": {0, true, "end"},
		"never inside a frame":   {4, true, "onetwoend"},
		"just after a frame":     {3, true, "oneend"},
	} {
		t.Run(name, func(t *testing.T) {
			l := &half{takes: tt.takes}
			o := newOutbox(l, 10)
			for _, frame := range []string{"one", "two", "three"} {
				o.post([]byte(frame))
			}
			rest, err := o.flush()
			if err != nil || rest != (tt.takes < 11) {
				t.Fatalf("flush: %v, %v", rest, err)
			}
			o.finish([]byte("end"), tt.drop)
			o.finish([]byte("another"), tt.drop)
			if rest {
				err = o.drain()
			} else {
				_, err = o.flush()
			}
			if got := string(bytes.Join(l.written, nil)); got != tt.want || err != nil {
				t.Errorf("%q, %v, want %q", got, err, tt.want)
			}
			o.ended()
		})
	}
}

// broken fails.
type broken struct{ paper }

func (*broken) Offer([]byte) (int, error) { return 0, errors.New("broken") }

func TestABrokenLineEndsTheOutbox(t *testing.T) {
	t.Parallel()
	o := newOutbox(new(broken), 10)
	o.post([]byte("lost"))
	if rest, err := o.flush(); rest || err == nil {
		t.Errorf("flush: %v, %v, want an error", rest, err)
	}
	o.ended()
	if o.post([]byte("late")) != dropped || o.length() > 0 {
		t.Error("something still waits")
	}
}

func TestNothingIsWrittenToALineThatWasCut(t *testing.T) {
	t.Parallel()
	l := new(paper)
	o := newOutbox(l, 10)
	o.post([]byte("lost"))
	o.cut()
	o.ended()
	o.finish([]byte("farewell"), false)
	if rest, _ := o.flush(); rest || len(l.written) > 0 || o.post([]byte("late")) != dropped || o.length() > 0 {
		t.Errorf("%q is written, or something still waits", l.written)
	}
}

// TestWhoDoesNotReadIsSentBackInGoodOrder: up to the very end every message is
// whole, though the line took them in pieces.
func TestWhoDoesNotReadIsSentBackInGoodOrder(t *testing.T) {
	t.Parallel()
	h := idleHub(t, newFrail(t), asker{})
	h.cfg.CommandsPerSecond, h.cfg.SessionCommandsPerSecond = 1e9, 1e9
	h.cfg.WriteTimeout = time.Minute // however busy the machine is
	room := newTable(t, h)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h.ServeSocket(w, req, session.Player{ID: "eve"}, "")
	}))
	small := 16 << 10 // else the kernel keeps megabytes for her
	server.Config.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		conn.(*net.TCPConn).SetWriteBuffer(small)
		return ctx
	}
	server.Start()
	defer server.Close()
	dialer := websocket.Dialer{Subprotocols: []string{Subprotocol}}
	eve, _, err := dialer.Dial("ws"+strings.TrimPrefix(server.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer eve.Close()
	eve.NetConn().(*net.TCPConn).SetReadBuffer(small)
	for i := range 2_000 { // some ten times what is kept even so
		if err := eve.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"type":"join","id":"%d","room":"%s"}`, i, room)); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "she is sent back", h.clients.all()[0].kicked)
	eve.SetReadDeadline(time.Now().Add(30 * time.Second))
	for {
		_, data, err := eve.ReadMessage()
		if err != nil {
			if !websocket.IsCloseError(err, closeTooSlow) {
				t.Errorf("closed with %v, want 4001", err)
			}
			break
		}
		if !json.Valid(data) {
			t.Fatalf("a message came as %.200q", data)
		}
	}
}
