package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// socket is one connection. Its reader hands on what comes until it ends.
type socket struct {
	conn  *websocket.Conn
	in    chan message // closed by the reader
	gone  chan struct{}
	once  sync.Once
	heard time.Time
	asked time.Time // when it was pinged last
}

func (s *socket) close() { s.once.Do(func() { close(s.gone); s.conn.Close() }) }

var errGone = errors.New("the connection is gone")

// connect opens a socket to any node, until it has one.
func (p *person) connect(ctx context.Context) error {
	dialer := websocket.Dialer{
		Subprotocols: []string{"gomokud.v1"}, HandshakeTimeout: answerWithin,
		NetDialContext: (&net.Dialer{Timeout: answerWithin}).DialContext,
	}
	for pause := 50 * time.Millisecond; ctx.Err() == nil; pause = min(2*pause, time.Second) {
		conn, res, err := dialer.DialContext(ctx, "ws://"+p.node().addr()+"/ws", http.Header{"Authorization": {"Bearer " + p.token}})
		if err != nil {
			if res != nil && res.StatusCode == http.StatusUnauthorized {
				p.faults.add("%s is not let in", p.id)
			}
			p.rest(ctx, pause)
			continue
		}
		s := &socket{conn: conn, in: make(chan message, 64), gone: make(chan struct{}), heard: time.Now()}
		go s.read(p.faults)
		p.socket, p.joined = s, false
		p.connects++
		return nil
	}
	return ctx.Err()
}

func (s *socket) read(faults *complaints) {
	defer close(s.in)
	for {
		_, data, err := s.conn.ReadMessage()
		if err != nil {
			var closed *websocket.CloseError
			if errors.As(err, &closed) && closed.Code >= 4500 {
				faults.add("closed for good: %v", err)
			}
			return
		}
		var m message
		if err := json.Unmarshal(data, &m); err != nil {
			faults.add("a node says %s: %v", data, err)
			return
		}
		select {
		case s.in <- m:
		case <-s.gone:
			return
		}
	}
}

// leave closes the socket, if there is one.
func (p *person) leave() {
	if p.socket != nil {
		p.socket.close()
		p.socket, p.joined = nil, false
	}
}
