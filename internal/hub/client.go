package hub

import (
	"context"
	"encoding/binary"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"

	"gomokud/internal/match"
	"gomokud/internal/session"
)

// client is one connection.
type client struct {
	hub     *Hub
	conn    *websocket.Conn
	player  match.Player
	visitor *visitor
	rate    *rate.Limiter
	floods  *rate.Limiter // patience with messages over the rate
	blunder int           // messages that made no sense
	rooms   map[string]*room
	rtt     atomic.Int64 // the last way there and back, in nanoseconds

	out  chan []byte
	gone chan struct{} // closed by kick
	once sync.Once
	code int // the close code; written once, before gone is closed
	why  string
}

// ServeSocket upgrades the request of a known player and begins to serve the
// connection. Foreign origins are refused with 403.
func (h *Hub) ServeSocket(w http.ResponseWriter, req *http.Request, p session.Player) {
	if h.draining.Load() {
		w.Header().Set("Retry-After", "2")
		http.Error(w, "this server is about to restart", http.StatusServiceUnavailable)
		return
	}
	upgrader := websocket.Upgrader{
		ReadBufferSize: 1024, WriteBufferSize: 2048, WriteBufferPool: &h.clients.buffers,
		Subprotocols: []string{Subprotocol},
		CheckOrigin:  h.originAllowed,
	}
	conn, err := upgrader.Upgrade(w, req, nil)
	if err != nil {
		return // the upgrader has answered
	}
	c := &client{
		hub: h, conn: conn, player: match.Player{ID: p.ID, Name: p.Name},
		rate:   rate.NewLimiter(rate.Limit(h.cfg.CommandsPerSecond), int(2*h.cfg.CommandsPerSecond)+1),
		floods: rate.NewLimiter(10, 100),
		rooms:  map[string]*room{},
		out:    make(chan []byte, h.cfg.Outbox),
		gone:   make(chan struct{}),
	}
	// The handler's goroutine and buffers are given back: a connection lives long
	// and is mostly idle.
	if !h.spawn(c.live) {
		c.refuse(closeDraining, "draining")
	}
}

// live serves the connection until it ends.
func (c *client) live(ctx context.Context) {
	h := c.hub
	if c.conn.Subprotocol() != Subprotocol {
		c.refuse(closeBadVersion, "this server speaks "+Subprotocol)
		return
	}
	if !h.clients.add(c) {
		c.refuse(closeDraining, "draining")
		return
	}
	defer h.clients.remove(c)
	var ok bool
	if c.visitor, ok = h.visitors.arrive(c); !ok {
		c.refuse(closeTooMany, "too many connections of this session")
		return
	}
	defer h.visitors.depart(c)
	defer c.leaveAll()
	defer c.conn.Close()

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var writing sync.WaitGroup
	writing.Go(c.writePump)
	h.greet(ctx, c)
	c.readPump(ctx)
	c.kick(websocket.CloseNormalClosure, "")
	writing.Wait()
}

// originAllowed lets in our own pages, programs that send no origin, and the
// operator's other origins.
func (h *Hub) originAllowed(req *http.Request) bool {
	origin := req.Header.Get("Origin")
	if origin == "" || slices.Contains(h.cfg.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && u.Host == req.Host
}

// refuse closes a connection that never began.
func (c *client) refuse(code int, why string) {
	c.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, why), time.Now().Add(c.hub.cfg.WriteTimeout))
	c.conn.Close()
}

// send puts a message into the outbox. A client that lets it overflow is sent
// back to resume; nobody waits for it.
func (c *client) send(message []byte) {
	select {
	case c.out <- message:
	case <-c.gone:
	default:
		c.kick(closeTooSlow, "too slow")
	}
}

// answer puts the answer to one of the client's own commands into the outbox.
// It waits for room there: who sends commands faster than it reads answers
// slows down itself.
func (c *client) answer(message []byte) {
	select {
	case c.out <- message:
	case <-c.gone:
	}
}

// kick ends the connection; the first code counts.
func (c *client) kick(code int, why string) {
	c.once.Do(func() {
		c.code, c.why = code, why
		c.hub.metrics.closed(code)
		close(c.gone)
	})
}

// readPump decodes messages and runs each to its end before the next.
func (c *client) readPump(ctx context.Context) {
	silence := c.hub.cfg.Silence
	c.conn.SetReadLimit(c.hub.cfg.MessageBytes)
	c.conn.SetReadDeadline(time.Now().Add(silence))
	c.conn.SetPongHandler(func(sent string) error {
		c.measure(sent)
		if c.kicked() { // has its lastWords, not another minute with every pong
			return nil
		}
		return c.conn.SetReadDeadline(time.Now().Add(silence))
	})
	for {
		kind, data, err := c.conn.ReadMessage()
		if err != nil {
			c.explain(err)
			return
		}
		c.conn.SetReadDeadline(time.Now().Add(silence))
		if c.kicked() { // what still comes is only taken off the line
			c.conn.SetReadDeadline(time.Now().Add(lastWords))
			c.discard()
			return
		}
		if kind != websocket.TextMessage {
			c.kick(closeBadMessage, "messages are JSON text")
			continue
		}
		c.handle(ctx, data)
	}
}

// lastWords is how long a client has to take its leave after we have said why.
// To close at once, with messages of it unread, would make its side forget the
// reason.
const lastWords = time.Second

func (c *client) kicked() bool {
	select {
	case <-c.gone:
		return true
	default:
		return false
	}
}

// discard reads until the client closes or the deadline passes.
func (c *client) discard() {
	for {
		if _, _, err := c.conn.NextReader(); err != nil {
			return
		}
	}
}

// explain chooses the close code for a connection that could not be read from.
func (c *client) explain(err error) {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, websocket.ErrReadLimit):
		c.kick(websocket.CloseMessageTooBig, "message too large") // gorilla has said so already
	case errors.As(err, &timeout) && timeout.Timeout():
		c.kick(closeSilent, "silent for too long")
	}
}

// measure takes the time from a ping to its pong. The sender's time is in the
// ping itself; a made-up one only changes what is credited, and that is capped.
func (c *client) measure(sent string) {
	if len(sent) != 8 {
		return
	}
	at := time.Unix(0, int64(binary.BigEndian.Uint64([]byte(sent))))
	if rtt := time.Since(at); rtt >= 0 && rtt < time.Minute {
		c.rtt.Store(int64(rtt))
	}
}

// lag is how much of a move's time was on the way: the event to the player and
// the move back.
func (c *client) lag() match.Millis { return match.Millis(time.Duration(c.rtt.Load()).Milliseconds()) }

// writePump sends what is in the outbox, pings, and closes.
func (c *client) writePump() {
	ping := time.NewTicker(c.hub.pingEvery())
	defer ping.Stop()
	c.ping()
	for {
		select {
		case message := <-c.out:
			if c.write(message) != nil {
				c.kick(websocket.CloseAbnormalClosure, "")
				c.conn.Close()
				return
			}
		case <-ping.C:
			if c.ping() != nil {
				c.kick(websocket.CloseAbnormalClosure, "")
				c.conn.Close()
				return
			}
		case <-c.gone:
			c.flush()
			c.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(c.code, c.why), time.Now().Add(time.Second))
			c.conn.SetReadDeadline(time.Now().Add(lastWords))
			return
		}
	}
}

// flush sends what was in the outbox when the end came, unless the end is that
// the client does not take it.
func (c *client) flush() {
	for c.code != closeTooSlow {
		select {
		case message := <-c.out:
			if c.write(message) != nil {
				return
			}
		default:
			return
		}
	}
}

func (c *client) write(message []byte) error {
	c.conn.SetWriteDeadline(time.Now().Add(c.hub.cfg.WriteTimeout))
	return c.conn.WriteMessage(websocket.TextMessage, message)
}

func (c *client) ping() error {
	var sent [8]byte
	binary.BigEndian.PutUint64(sent[:], uint64(time.Now().UnixNano()))
	return c.conn.WriteControl(websocket.PingMessage, sent[:], time.Now().Add(c.hub.cfg.WriteTimeout))
}

// pingEvery is a little under half of the silence that is allowed, different
// for every connection, so that pings do not come in bursts.
func (h *Hub) pingEvery() time.Duration {
	half := h.cfg.Silence / 2
	return half - time.Duration(time.Now().UnixNano())%(half/4)
}

// leaveAll stops following every room.
func (c *client) leaveAll() {
	for _, r := range c.rooms {
		r.token <- struct{}{} // not bounded by a context: the viewer must go
		r.leave(c)
		c.hub.shut(r)
	}
	c.hub.lobby.remove(c)
}
