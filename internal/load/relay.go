package load

import (
	"net/http"
	"slices"
	"sync"

	"github.com/gorilla/websocket"
)

// Relay is the floor: the first message of a connection names its room and is
// sent back, every later one goes to everybody in the room, the sender too. It
// has the buffers and the limit of the real server and nothing else of it.
type Relay struct {
	upgrader websocket.Upgrader

	mu      sync.Mutex
	closed  bool
	rooms   map[string]*relayRoom
	conns   map[*websocket.Conn]struct{}
	serving sync.WaitGroup
}

// relayRoom is the connections of one room. Whoever holds the mutex may write
// to them, so that everybody sees the messages in one order.
type relayRoom struct {
	mu      sync.Mutex
	members []*websocket.Conn
}

// NewRelay returns a relay without rooms.
func NewRelay() *Relay {
	return &Relay{
		upgrader: websocket.Upgrader{ReadBufferSize: 1024, WriteBufferSize: 2048, WriteBufferPool: new(sync.Pool)},
		rooms:    map[string]*relayRoom{}, conns: map[*websocket.Conn]struct{}{},
	}
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
	room := r.room(string(name))
	room.enter(conn, name)
	defer room.remove(conn)
	for {
		_, message, err := conn.ReadMessage()
		if err != nil {
			return
		}
		room.pass(message)
	}
}

func (r *Relay) room(name string) *relayRoom {
	r.mu.Lock()
	defer r.mu.Unlock()
	room := r.rooms[name]
	if room == nil {
		room = &relayRoom{}
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

// enter adds a connection to the room and tells it so.
func (room *relayRoom) enter(conn *websocket.Conn, name []byte) {
	room.mu.Lock()
	defer room.mu.Unlock()
	room.members = append(room.members, conn)
	conn.WriteMessage(websocket.TextMessage, name)
}

// pass passes a message on. Whoever cannot take it is found out by its reader.
func (room *relayRoom) pass(message []byte) {
	room.mu.Lock()
	defer room.mu.Unlock()
	for _, conn := range room.members {
		conn.WriteMessage(websocket.TextMessage, message)
	}
}

func (room *relayRoom) remove(conn *websocket.Conn) {
	room.mu.Lock()
	defer room.mu.Unlock()
	room.members = slices.DeleteFunc(room.members, func(other *websocket.Conn) bool { return other == conn })
}

// Close ends every connection and waits for them.
func (r *Relay) Close() {
	r.mu.Lock()
	r.closed = true
	for conn := range r.conns {
		conn.Close()
	}
	r.mu.Unlock()
	r.serving.Wait()
}
