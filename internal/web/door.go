package web

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"gomokud/internal/quota"
)

func (s *Server) newDoor() *door {
	return &door{
		places:  quota.NewPlaces(s.cfg.Connections, s.cfg.AddressConnections),
		account: s.accountOf,
		turned:  func(limit string) { s.limits.turned.WithLabelValues(limit).Inc() },
		inside:  map[net.Conn]string{},
	}
}

// door bounds the connections that are no sockets (yet): those that ask, those
// that are kept open to ask again, and those that take their time to ask. Who
// is too many is told so and put out.
type door struct {
	places  *quota.Places
	account func(netip.Addr) string
	turned  func(limit string)

	mu      sync.Mutex
	inside  map[net.Conn]string // whoever has a place, with the account it is on
	leaving int
	gone    sync.WaitGroup
}

// farewells is how many are told at a time why they are put out. When there are
// more, they are put out without a word.
const farewells = 64

// Listen lets connections in as long as there are places.
func (s *Server) Listen(l net.Listener) net.Listener { return &doorway{Listener: l, door: s.door} }

// ConnState is for the http.Server that serves what Listen lets in.
func (s *Server) ConnState(conn net.Conn, state http.ConnState) {
	if state == http.StateClosed || state == http.StateHijacked {
		s.door.leave(conn)
	}
}

type doorway struct {
	net.Listener
	door *door
}

// Accept implements net.Listener.
func (w *doorway) Accept() (net.Conn, error) {
	for {
		conn, err := w.Listener.Accept()
		if err != nil || w.door.enter(conn) {
			return conn, err
		}
	}
}

// Close implements net.Listener. It waits for those who are being told to go.
func (w *doorway) Close() error {
	err := w.Listener.Close()
	w.door.gone.Wait()
	return err
}

func (d *door) enter(conn net.Conn) bool {
	account := ""
	if from, err := netip.ParseAddrPort(conn.RemoteAddr().String()); err == nil {
		account = d.account(from.Addr().Unmap())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	verdict := d.places.Take(account)
	if verdict == quota.Taken {
		d.inside[conn] = account
		return true
	}
	answer := full
	if verdict == quota.Yours {
		answer = yours
	}
	d.turned(answer.limit)
	if d.leaving == farewells {
		conn.Close()
		return false
	}
	d.leaving++
	d.gone.Go(func() {
		answer.tell(conn)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.leaving--
	})
	return false
}

func (d *door) leave(conn net.Conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if account, inside := d.inside[conn]; inside {
		delete(d.inside, conn)
		d.places.Leave(account)
	}
}

// farewell is what somebody is told who does not come in.
type farewell struct {
	limit, status, code, text string
	retry                     int // in seconds
}

var (
	full  = farewell{"connections", "503 Service Unavailable", "busy", "This server is full. Try again in a moment.", 10}
	yours = farewell{"address_connections", "429 Too Many Requests", "too_many", "Too many connections come from your address.", 30}
)

// tell answers whatever will be asked, and hears it out for a moment, since to
// close at once would make the other side forget the answer.
func (f farewell) tell(conn net.Conn) {
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Second))
	body := fmt.Sprintf("{\"code\":%q,\"text\":%q}\n", f.code, f.text)
	_, err := fmt.Fprintf(conn, "HTTP/1.1 %s\r\nRetry-After: %d\r\nConnection: close\r\nCache-Control: no-store\r\n"+
		"Content-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s", f.status, f.retry, len(body), body)
	if half, ok := conn.(interface{ CloseWrite() error }); ok && err == nil && half.CloseWrite() == nil {
		io.CopyN(io.Discard, conn, 16<<10)
	}
}
