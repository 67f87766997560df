package hub

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/websocket"
)

// socket is the connection under a WebSocket. What gorilla reads it reads from
// the buffer in; what it writes of its own accord, after the handshake, goes
// into the client's outbox, where it cannot get between the halves of a frame.
type socket struct {
	net.Conn
	in     *bufio.Reader
	client *client // nil during the handshake
	heard  bucket  // bytes
	offer
}

// readBuffer holds a usual command. It is as small as gorilla lets it be: every
// connection has one.
const readBuffer = 288

// upgrade shakes hands. After an error the request has been answered.
func upgrade(u *websocket.Upgrader, w http.ResponseWriter, req *http.Request) (*websocket.Conn, *socket, error) {
	h := hijacker{ResponseWriter: w}
	conn, err := u.Upgrade(&h, req, nil)
	return conn, h.socket, err
}

// hijacker lends gorilla a socket in place of the server's own connection.
type hijacker struct {
	http.ResponseWriter
	socket *socket
}

func (h *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.socket = &socket{Conn: conn}
	h.socket.in = bufio.NewReaderSize(h.socket, readBuffer)
	if buffered, ok := conn.(interface{ SetWriteBuffer(int) error }); ok {
		buffered.SetWriteBuffer(mostBytes / 2) // the system's part of what waits, or it would grow to megabytes
	}
	h.socket.offer.init(conn)
	if rw.Reader.Buffered() == 0 { // else gorilla is to see it, and refuses
		rw.Reader = h.socket.in
	}
	return h.socket, rw, nil
}

// errFlood: more has come than the commands that are allowed could hold.
var errFlood = errors.New("hub: too much is being sent")

// Read implements net.Conn. What is no message - control frames, empty pieces of
// one - is bounded with the rest.
func (s *socket) Read(data []byte) (int, error) {
	n, err := s.Conn.Read(data)
	if s.client == nil || n == 0 {
		return n, err
	}
	cfg := &s.client.hub.cfg
	const head = 14 // at most, of a frame
	perSecond := cfg.CommandsPerSecond * float64(cfg.MessageBytes+head)
	if !s.heard.takeN(time.Now(), float64(n), perSecond, 4*perSecond) {
		return 0, errFlood
	}
	return n, err
}

// sign takes a ping or a pong off the line if that is what comes next; else its
// kind is 0, and gorilla is to read what comes. After a ping gorilla would wait
// for what follows, too, and on a deep stack.
func (s *socket) sign() (kind int, payload string, err error) {
	const (
		last   = 0x80
		masked = 0x80
		key    = 2 // where it is, before the payload
		most   = 125
	)
	head, err := s.in.Peek(2)
	if err != nil {
		return 0, "", err
	}
	kind, size := int(head[0])-last, int(head[1])-masked
	if kind != websocket.PingMessage && kind != websocket.PongMessage || size < 0 || size > most {
		return 0, "", nil
	}
	whole, err := s.in.Peek(key + 4 + size)
	if err != nil {
		return 0, "", err
	}
	clear := slices.Clone(whole[key+4:])
	for i := range clear {
		clear[i] ^= whole[key+i%4]
	}
	s.in.Discard(len(whole))
	return kind, string(clear), nil
}

// Write implements net.Conn.
func (s *socket) Write(data []byte) (int, error) {
	if s.client == nil {
		return s.Conn.Write(data)
	}
	s.client.control(slices.Clone(data))
	return len(data), nil
}

// SetWriteDeadline implements net.Conn. Deadlines are the outbox's matter.
func (s *socket) SetWriteDeadline(time.Time) error { return nil }

// Insist implements line.
func (s *socket) Insist(data []byte, wait time.Duration) error {
	s.Conn.SetWriteDeadline(time.Now().Add(wait))
	if _, err := s.Conn.Write(data); err != nil {
		return err
	}
	return s.Conn.SetWriteDeadline(time.Time{}) // or Offer would fail one day
}
