package chaos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// abuser is one kind of abuse, from an address of its own, and the answers that
// it must meet: a status, an error's code or limit, or a close code.
type abuser struct {
	kind   string
	from   string
	stated []string
	abuse  func(villain, context.Context)
}

// pace is how long a villain waits between one blow and the next. The abusers
// share the machine with those whom they abuse: the test is to keep the node
// busy, not itself.
const pace = time.Millisecond

// villain is who does it.
type villain struct {
	kind, addr, from string
	crowd            int
	answers          *tally
	rooms            []string // in which people play
}

func (a abuser) run(ctx context.Context, v villain) {
	v.kind = a.kind
	for ctx.Err() == nil {
		a.abuse(v, ctx)
		rest(ctx, 50*time.Millisecond)
	}
}

func abusers() []abuser {
	return []abuser{
		{"connections that ask slowly", "127.0.0.2", []string{"429"}, villain.dribble},
		{"connections that ask nothing", "127.0.0.3", []string{"429"}, villain.loiter},
		{"half-open sockets", "203.0.113.1", []string{"101", "429"}, villain.halfOpen},
		{"a flood of commands", "203.0.113.2", []string{"commands_per_second", "4503"}, villain.commands},
		{"a flood of pings", "203.0.113.3", []string{"4503"}, villain.pings},
		{"a flood of rooms", "203.0.113.4", []string{"rooms_per_session", "address_rooms_per_minute"}, villain.fillRooms},
		{"a flood of reconnects", "203.0.113.5", []string{"429"}, villain.reconnect},
		{"a flood of sessions", "203.0.113.6", []string{"429"}, villain.sessions},
		{"a flood of requests", "203.0.113.7", []string{"429"}, villain.requests},
		{"giant messages", "203.0.113.8", []string{"1009"}, villain.giants},
		{"nonsense, deeply nested", "203.0.113.9", []string{"bad_message", "4500"}, villain.nonsense},
		{"compressed messages", "203.0.113.10", []string{"1002"}, villain.compressed},
		{"spectators that never read", "203.0.113.11", []string{"101"}, villain.deaf},
	}
}

// tcp connects from the villain's own address.
func (v villain) tcp() (net.Conn, error) {
	return (&net.Dialer{Timeout: patience, LocalAddr: &net.TCPAddr{IP: net.ParseIP(v.from)}}).Dial("tcp", v.addr)
}

// enter opens a socket and counts the answer. All of one villain's have one
// session, unless they are many.
func (v villain) enter(token string) *visit {
	visit, status, err := enter(v.addr, v.from, token)
	if status > 0 {
		v.answers.add(v.kind, strconv.Itoa(status))
	}
	if err != nil {
		return nil
	}
	return visit
}

func (v villain) login() string {
	token, status, _ := login(v.addr, v.from)
	if token == "" && status > 0 {
		v.answers.add(v.kind, strconv.Itoa(status))
	}
	return token
}

// closed counts how a connection ended.
func (v villain) closed(err error) {
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		v.answers.add(v.kind, strconv.Itoa(closed.Code))
	}
}

// listen counts errors until the socket ends.
func (v villain) listen(s *visit) {
	for {
		h, err := s.read()
		if err != nil {
			v.closed(err)
			return
		}
		if h.Type == "error" {
			v.answers.add(v.kind, h.Code)
			if h.Limit != "" {
				v.answers.add(v.kind, h.Limit)
			}
		}
	}
}

// until runs fn for a while beside somebody who listens.
func (v villain) until(ctx context.Context, s *visit, fn func() error) {
	var listening sync.WaitGroup
	listening.Go(func() { v.listen(s) })
	stop := context.AfterFunc(ctx, func() { s.conn.Close() })
	for ctx.Err() == nil && fn() == nil {
		rest(ctx, pace)
	}
	rest(ctx, time.Second) // the reason comes
	s.conn.Close()
	stop()
	listening.Wait()
}

// hold opens connections until there are enough, asks nothing more than ask of
// each, and reads what some are told.
func (v villain) hold(ctx context.Context, ask string, more func(net.Conn)) {
	var open []net.Conn
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	for range v.crowd {
		c, err := v.tcp()
		if err != nil {
			break
		}
		open = append(open, c)
		io.WriteString(c, ask)
	}
	for _, c := range open {
		var status [12]byte
		c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		if n, _ := io.ReadFull(c, status[:]); n == len(status) {
			v.answers.add(v.kind, string(status[9:]))
		}
	}
	for until := time.Now().Add(15 * time.Second); ctx.Err() == nil && time.Now().Before(until); rest(ctx, 200*time.Millisecond) {
		for _, c := range open {
			more(c)
		}
	}
}

func (v villain) dribble(ctx context.Context) {
	v.hold(ctx, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", func(c net.Conn) {
		c.SetWriteDeadline(time.Now().Add(time.Millisecond))
		io.WriteString(c, "x")
	})
}

func (v villain) loiter(ctx context.Context) { v.hold(ctx, "", func(net.Conn) {}) }

// halfOpen leaves sockets as they are: nobody is there any more.
func (v villain) halfOpen(ctx context.Context) {
	open := v.gather()
	rest(ctx, 15*time.Second)
	for _, s := range open {
		s.conn.Close()
	}
}

// gather opens sockets, as many of a session as it may have.
func (v villain) gather() (open []*visit) {
	token := ""
	for i := range v.crowd {
		if i%16 == 0 {
			token = v.login()
		}
		if s := v.enter(token); s != nil {
			open = append(open, s)
		}
	}
	return open
}

func (v villain) commands(ctx context.Context) {
	if s := v.enter(v.login()); s != nil {
		v.until(ctx, s, func() error { _, err := s.send(`"type":"ping"`); return err })
	}
}

func (v villain) pings(ctx context.Context) {
	if s := v.enter(v.login()); s != nil {
		flood := bytes.Repeat([]byte{0x89, 0x80, 0, 0, 0, 0}, 100)
		v.until(ctx, s, func() error { _, err := s.conn.NetConn().Write(flood); return err })
	}
}

func (v villain) fillRooms(ctx context.Context) {
	if s := v.enter(v.login()); s != nil {
		v.until(ctx, s, func() error {
			rest(ctx, 60*time.Millisecond)
			_, err := s.send(`"type":"create","game":{"rule":"freestyle","size":"25x25","clock":{}}`)
			return err
		})
	}
}

func (v villain) reconnect(ctx context.Context) {
	token := v.login()
	for ; ctx.Err() == nil; rest(ctx, pace) {
		if s := v.enter(token); s != nil {
			s.conn.NetConn().Close()
		}
	}
}

func (v villain) sessions(ctx context.Context) {
	for ; ctx.Err() == nil; rest(ctx, pace) {
		v.login()
	}
}

func (v villain) requests(ctx context.Context) {
	client := http.Client{Timeout: patience}
	defer client.CloseIdleConnections()
	moves := strings.Join(quietGame()[:600], "")
	paths := []string{"/api/position?rule=renju&size=25x25&moves=" + moves, "/api/rooms/" + v.rooms[0] + "/games/1", "/"}
	for i := 0; ctx.Err() == nil; i++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+v.addr+paths[i%len(paths)], nil)
		if err != nil {
			return
		}
		req.Header.Set("X-Forwarded-For", v.from)
		res, err := client.Do(req)
		if err != nil {
			return
		}
		readSome(res.Body)
		v.answers.add(v.kind, strconv.Itoa(res.StatusCode))
		rest(ctx, pace)
	}
}

func (v villain) giants(ctx context.Context) {
	if s := v.enter(v.login()); s != nil {
		giant := strings.Repeat("x", 1<<20)
		v.until(ctx, s, func() error { _, err := s.send(`"type":"ping","room":%q`, giant); return err })
	}
}

func (v villain) nonsense(ctx context.Context) {
	if s := v.enter(v.login()); s != nil {
		nested := strings.Repeat("[", 3900)
		v.until(ctx, s, func() error {
			rest(ctx, 60*time.Millisecond) // within the rates
			_, err := s.send(`"type":"create","game":%s`, nested)
			return err
		})
	}
}

func (v villain) compressed(ctx context.Context) {
	if s := v.enter(v.login()); s != nil {
		v.until(ctx, s, func() error {
			_, err := s.conn.NetConn().Write([]byte{0xc1, 0x80, 0, 0, 0, 0})
			rest(ctx, 10*time.Millisecond)
			return err
		})
	}
}

// deaf asks for whole rooms in which people play, and reads none of it.
func (v villain) deaf(ctx context.Context) {
	open := v.gather()
	for _, s := range open {
		s.conn.NetConn().(*net.TCPConn).SetReadBuffer(4 << 10)
	}
	for until := time.Now().Add(10 * time.Second); ctx.Err() == nil && time.Now().Before(until); rest(ctx, 100*time.Millisecond) {
		for i, s := range open {
			s.conn.SetWriteDeadline(time.Now().Add(time.Millisecond))
			s.conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"id":"%d","type":"join","room":%q}`, time.Now().UnixNano(), v.rooms[i%len(v.rooms)]))
		}
	}
	for _, s := range open {
		s.conn.Close()
	}
}
