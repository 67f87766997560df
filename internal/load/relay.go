package load

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/gorilla/websocket"
)

// Relay is the floor: the first message of a connection names its room and is
// sent back, every later one goes to everybody in the room, the sender too. It
// has the buffers and the limit of the real server and nothing else of it.
//
// With a journal it is the durable floor: the event in a message is kept before
// the message is passed on, and who enters a room is sent all that happened.
type Relay struct {
	upgrader websocket.Upgrader
	journal  *journal // nil: nothing is kept

	mu      sync.Mutex
	closed  bool
	rooms   map[string]*relayRoom
	conns   map[*websocket.Conn]struct{}
	serving sync.WaitGroup
}

// relayRoom is the connections of one room. Whoever holds the mutex may write
// to them, so that everybody sees the messages in one order.
type relayRoom struct {
	name    string
	journal *journal

	mu      sync.Mutex
	members []*websocket.Conn
	version int // the number of events in the journal
}

// NewRelay returns a relay without rooms.
func NewRelay() *Relay {
	return &Relay{
		upgrader: websocket.Upgrader{ReadBufferSize: 1024, WriteBufferSize: 2048, WriteBufferPool: new(sync.Pool)},
		rooms:    map[string]*relayRoom{}, conns: map[*websocket.Conn]struct{}{},
	}
}

// NewDurableRelay returns a relay that keeps its events in the Redis at a URL.
func NewDurableRelay(ctx context.Context, url string) (*Relay, error) {
	j, err := openJournal(ctx, url)
	if err != nil {
		return nil, err
	}
	r := NewRelay()
	r.journal = j
	return r, nil
}

// ServeHTTP opens a connection and leaves it to a goroutine of its own: what the
// request needed, its deep stack too, is free as soon as this returns.
func (r *Relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	conn, err := r.upgrader.Upgrade(w, req, nil)
	if err != nil {
		return // the upgrader has answered
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		conn.Close()
		return
	}
	r.conns[conn] = struct{}{}
	r.serving.Go(func() { r.serve(conn) })
}

// serve serves one connection until it ends.
func (r *Relay) serve(conn *websocket.Conn) {
	defer r.forget(conn)
	conn.SetReadLimit(4096)
	_, name, err := conn.ReadMessage()
	if err != nil {
		return
	}
	ctx := context.Background() // go-redis has its timeouts
	room := r.room(string(name))
	defer room.remove(conn)
	if err := room.enter(ctx, conn); err != nil {
		slog.Error("the relay has lost its journal", "err", err)
		return
	}
	for {
		_, message, err := conn.ReadMessage()
		if err != nil {
			return
		}
		if err := room.pass(ctx, message); err != nil {
			slog.Error("the relay has lost its journal", "err", err)
			return
		}
	}
}

func (r *Relay) room(name string) *relayRoom {
	r.mu.Lock()
	defer r.mu.Unlock()
	room := r.rooms[name]
	if room == nil {
		room = &relayRoom{name: name, journal: r.journal}
		r.rooms[name] = room
	}
	return room
}

func (r *Relay) forget(conn *websocket.Conn) {
	conn.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, conn)
}

// enter adds a connection to the room and tells it so, with what happened there.
func (room *relayRoom) enter(ctx context.Context, conn *websocket.Conn) error {
	room.mu.Lock()
	defer room.mu.Unlock()
	greeting := room.name
	if room.journal != nil {
		past, err := room.past(ctx)
		if err != nil {
			return err
		}
		greeting += "[" + strings.Join(past, ",") + "]"
	}
	room.members = append(room.members, conn)
	conn.WriteMessage(websocket.TextMessage, []byte(greeting))
	return nil
}

// past are the events in the journal; at first what an earlier run has left
// there is removed.
func (room *relayRoom) past(ctx context.Context) ([]string, error) {
	if room.version == 0 {
		return nil, room.journal.begin(ctx, room.name)
	}
	return room.journal.read(ctx, room.name)
}

// pass passes a message on. Whoever cannot take it is found out by its reader.
func (room *relayRoom) pass(ctx context.Context, message []byte) error {
	room.mu.Lock()
	defer room.mu.Unlock()
	if room.journal != nil {
		if err := room.journal.append(ctx, room.name, room.version, eventOf(message)); err != nil {
			return err
		}
		room.version++
	}
	for _, conn := range room.members {
		conn.WriteMessage(websocket.TextMessage, message)
	}
	return nil
}

func (room *relayRoom) remove(conn *websocket.Conn) {
	room.mu.Lock()
	defer room.mu.Unlock()
	room.members = slices.DeleteFunc(room.members, func(other *websocket.Conn) bool { return other == conn })
}

// Close ends every connection and waits for them.
func (r *Relay) Close() error {
	r.mu.Lock()
	r.closed = true
	for conn := range r.conns {
		conn.Close()
	}
	r.mu.Unlock()
	r.serving.Wait()
	if r.journal == nil {
		return nil
	}
	return r.journal.close()
}
