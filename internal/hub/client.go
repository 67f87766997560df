package hub

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"gomokud/internal/match"
	"gomokud/internal/session"
)

// client is one connection. Most are idle most of the time, so that what they
// hold then counts: one goroutine that waits for a message on a shallow stack,
// and no buffer but the one that the message's beginning is read into.
type client struct {
	hub       *Hub
	conn      *websocket.Conn
	socket    *socket
	player    match.Player
	visitor   *visitor
	household string  // on whose account it is; "": nobody's
	rooms     []*room // that it follows
	rate      bucket
	floods    bucket // patience with messages over the rate
	blunder   int    // messages that made no sense
	heard     time.Time
	rtt       atomic.Int64 // the last way there and back, in nanoseconds
	code      atomic.Int32 // of the close; 0: none yet
	slot      int          // in the hub's list
	out       outbox
}

// ServeSocket upgrades the request of a known player and begins to serve the
// connection, on the account of a household; without one only the bounds of the
// node hold. Foreign origins are refused with 403, who is too many with 429 or
// 503.
func (h *Hub) ServeSocket(w http.ResponseWriter, req *http.Request, p session.Player, household string) {
	if h.draining.Load() {
		w.Header().Set("Retry-After", "2")
		http.Error(w, "this server is about to restart", http.StatusServiceUnavailable)
		return
	}
	if !h.admit(w, household) {
		return
	}
	upgrader := websocket.Upgrader{
		WriteBufferPool: &h.clients.unused, // a connection without a pool would have a buffer of its own
		Subprotocols:    []string{Subprotocol},
		CheckOrigin:     h.originAllowed,
	}
	conn, socket, err := upgrade(&upgrader, w, req)
	if err != nil {
		h.arrivals.places.Leave(household)
		return // the upgrader has answered
	}
	c := &client{hub: h, conn: conn, socket: socket, player: match.Player{ID: p.ID, Name: p.Name}, household: household}
	c.out.open(socket, h.cfg.Outbox, h.cfg.WriteTimeout, &h.clients.batches)
	socket.client = c
	// The handler's goroutine and buffers are given back: a connection lives long
	// and is mostly idle.
	if !h.spawn(c.live) {
		c.refuse(closeDraining, "draining")
		h.arrivals.places.Leave(household)
	}
}

// live begins to serve the connection, and leaves the rest to read.
func (c *client) live(ctx context.Context) {
	h := c.hub
	switch {
	case c.conn.Subprotocol() != Subprotocol:
		c.refuse(closeBadVersion, "this server speaks "+Subprotocol)
	case !h.clients.add(c):
		c.refuse(closeDraining, "draining")
	case !h.visitors.arrive(c):
		c.refuse(closeTooMany, "too many connections of this session")
		h.clients.remove(c)
	default:
		h.greet(ctx, c)
		c.listen()
		c.read(ctx)
		return
	}
	h.arrivals.places.Leave(c.household)
}

// end is what live and read leave behind.
func (c *client) end() {
	h := c.hub
	c.kick(websocket.CloseNormalClosure, "")
	c.out.ended()
	c.socket.Close()
	c.leaveAll()
	h.visitors.depart(c)
	h.clients.remove(c)
	h.arrivals.places.Leave(c.household)
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
	c.out.finish(closing(code, why), false)
	c.flush()
	c.out.ended()
	c.socket.Close()
}

// send puts a message into the outbox and lets it go. A client that lets it
// overflow is sent back to resume; nobody waits for it.
func (c *client) send(frame []byte) {
	if c.post(frame) {
		c.flush()
	}
}

// post only puts the message there, and reports whether it must be flushed.
func (c *client) post(frame []byte) bool {
	switch c.out.post(frame) {
	case first:
		return true
	case full:
		c.kick(closeTooSlow, "too slow")
	}
	return false
}

// answer puts the answer to one of the client's own commands into the outbox.
// It waits for room there: who sends commands faster than it reads answers
// slows down itself.
func (c *client) answer(frame []byte) {
	c.out.postPatiently(frame)
	c.flush()
}

// flush writes what waits in the outbox. What does not go through at once is
// left to a goroutine, which live waits for.
func (c *client) flush() {
	rest, err := c.out.flush()
	if rest {
		go func() { c.written(c.out.drain()) }()
		return
	}
	c.written(err)
}

// written is called when a writer is done.
func (c *client) written(err error) {
	switch {
	case err != nil:
		c.kick(websocket.CloseAbnormalClosure, "")
		c.out.line.Close()
	case c.kicked() && c.out.done():
		c.out.line.SetReadDeadline(time.Now().Add(lastWords))
	}
}

// control sends a control frame that gorilla made: the answer to a ping, or the
// end of it all.
func (c *client) control(frame []byte) {
	if frame[0]&0xf == websocket.CloseMessage {
		c.out.finish(frame, false)
		c.flush()
		return
	}
	c.answer(frame)
}

// kick ends the connection; the first code counts.
func (c *client) kick(code int, why string) {
	if !c.code.CompareAndSwap(0, int32(code)) {
		return
	}
	c.hub.metrics.closed(code)
	if code == websocket.CloseAbnormalClosure { // there is nobody to tell
		c.out.cut()
		return
	}
	c.out.finish(closing(code, why), code == closeTooSlow)
	c.flush()
}

func (c *client) kicked() bool { return c.code.Load() != 0 }

// listen says what is to be done with the control frames that gorilla finds
// within a message.
func (c *client) listen() {
	c.conn.SetReadLimit(c.hub.cfg.MessageBytes)
	c.conn.SetPingHandler(func(sent string) error {
		c.signed(websocket.PingMessage, sent)
		return nil
	})
	c.conn.SetPongHandler(func(sent string) error {
		c.signed(websocket.PongMessage, sent)
		return nil
	})
}

// signed does what is to be done with a ping or a pong.
func (c *client) signed(kind int, sent string) {
	switch {
	case !c.patient():
	case kind == websocket.PingMessage:
		c.answer(frame(websocket.PongMessage, []byte(sent)))
	default:
		c.measure(sent)
		c.alive()
	}
}

// read decodes messages and runs each to its end before the next, until there
// are no more.
//
// The wait for a message is here, not deep in gorilla, so that it needs no more
// than the smallest stack. To run one takes a larger stack, which never becomes
// so small again: unless more of the kind is soon to come, a new goroutine waits
// for the next.
func (c *client) read(ctx context.Context) {
	for c.alive(); ; c.alive() {
		_, err := c.socket.in.Peek(1)
		moved := false
		if err == nil {
			moved, err = c.readOne(ctx)
		}
		if err != nil {
			c.explain(err)
			c.end()
			return
		}
		if !moved && c.hub.spawn(c.read) {
			return
		}
	}
}

// readOne reads a message and runs it. It reports whether that was a move, as
// far as the usual writing shows.
func (c *client) readOne(ctx context.Context) (moved bool, err error) {
	kind, sent, err := c.socket.sign()
	if err != nil {
		return false, err
	}
	if kind != 0 {
		c.signed(kind, sent)
		return false, nil
	}
	kind, message, err := c.conn.NextReader()
	if err != nil {
		return false, err
	}
	buffer := c.hub.clients.borrow()
	defer c.hub.clients.giveBack(buffer)
	if *buffer, err = appendAll((*buffer)[:0], message); err != nil {
		return false, err
	}
	switch {
	case c.kicked(): // what still comes is only taken off the line
	case kind != websocket.TextMessage:
		c.kick(closeBadMessage, "messages are JSON text")
	default:
		c.handle(ctx, *buffer)
	}
	return bytes.HasPrefix(*buffer, []byte(`{"type":"place"`)), nil
}

// appendAll is io.ReadAll into a buffer that exists.
func appendAll(dst []byte, r io.Reader) ([]byte, error) {
	for {
		if len(dst) == cap(dst) {
			dst = slices.Grow(dst, 512)
		}
		n, err := r.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}

// alive puts the end of patience off, now and then rather than with every
// message. Who was kicked has its lastWords, and nothing puts those off.
func (c *client) alive() {
	silence := c.hub.cfg.Silence
	now := time.Now()
	if c.kicked() || now.Sub(c.heard) < silence/16 {
		return
	}
	c.heard = now
	c.socket.SetReadDeadline(now.Add(silence))
	if c.kicked() && c.out.done() { // this very moment
		c.socket.SetReadDeadline(now.Add(lastWords))
	}
}

// lastWords is how long a client has to take its leave after we have said why.
// To close at once, with messages of it unread, would make its side forget the
// reason.
const lastWords = time.Second

// explain chooses the close code for a connection that could not be read from.
func (c *client) explain(err error) {
	var timeout net.Error
	switch {
	case errors.Is(err, errFlood):
		c.kick(closeFlood, "too much data")
		c.discard()
	case errors.Is(err, websocket.ErrReadLimit):
		c.kick(websocket.CloseMessageTooBig, "message too large") // gorilla has said so already
		c.discard()
	case errors.As(err, &timeout) && timeout.Timeout():
		c.kick(closeSilent, "silent for too long")
	case errors.Is(err, io.EOF), errors.As(err, &timeout):
		c.kick(websocket.CloseAbnormalClosure, "")
		c.socket.Close()
	}
}

// discard takes off the line what still comes, see lastWords.
func (c *client) discard() { io.CopyN(io.Discard, c.socket.Conn, 1<<20) }

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

// ping asks for a sign of life, unless so much waits that it would be none.
func (c *client) ping() {
	var sent [8]byte
	binary.BigEndian.PutUint64(sent[:], uint64(time.Now().UnixNano()))
	if c.out.post(frame(websocket.PingMessage, sent[:])) != full {
		c.flush()
	}
}

// in is the room if the client follows it, else nil.
func (c *client) in(room string) *room {
	for _, r := range c.rooms {
		if r.id == room {
			return r
		}
	}
	return nil
}

// leaveAll stops following every room.
func (c *client) leaveAll() {
	for _, r := range c.rooms {
		r.token <- struct{}{} // not bounded by a context: the viewer must go
		r.leave(c)
		c.hub.linger(r)
	}
	c.hub.lobby.remove(c)
}
