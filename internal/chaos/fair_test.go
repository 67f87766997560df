package chaos

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// heard is any message of the server's, as far as the abuse run reads it.
type heard struct {
	Type, ID, Room, Code, Limit string
	Retry                       int64
	State                       struct {
		Phase string
		Moves []string
	}
}

// visit is a socket of somebody who comes from an address.
type visit struct {
	conn *websocket.Conn
	key  string // makes its command ids its own
	seq  int
}

// login asks for a session from an address; only a trusted proxy may say that
// it is so.
func login(addr, from string) (token string, status int, err error) {
	req, err := http.NewRequest(http.MethodPost, "http://"+addr+"/api/session", strings.NewReader(`{"name":"Somebody"}`))
	if err != nil {
		return "", 0, err
	}
	req.Header.Set("X-Forwarded-For", from)
	res, err := (&http.Client{Timeout: patience}).Do(req)
	if err != nil {
		return "", 0, err
	}
	var session struct{ Token string }
	if err := json.Unmarshal([]byte(readSome(res.Body)), &session); err != nil {
		return "", res.StatusCode, fmt.Errorf("a session: %s", res.Status)
	}
	return session.Token, res.StatusCode, nil
}

// readSome reads and closes a body.
func readSome(body io.ReadCloser) string {
	defer body.Close()
	data, _ := io.ReadAll(io.LimitReader(body, 1<<20))
	return string(data)
}

// enter opens a socket. If there is none, the status says why.
func enter(addr, from, token string) (v *visit, status int, err error) {
	dialer := websocket.Dialer{Subprotocols: []string{"gomokud.v1"}, HandshakeTimeout: patience}
	header := http.Header{"Authorization": {"Bearer " + token}, "X-Forwarded-For": {from}}
	conn, res, err := dialer.Dial("ws://"+addr+"/ws", header)
	if res != nil {
		status = res.StatusCode
	}
	if err != nil {
		return nil, status, err
	}
	return &visit{conn: conn, key: rand.Text()[:10]}, status, nil
}

// send sends a command under an id of its own.
func (v *visit) send(format string, args ...any) (id string, err error) {
	v.seq++
	id = fmt.Sprintf("%s-%d", v.key, v.seq)
	return id, v.sendAs(id, format, args...)
}

func (v *visit) sendAs(id, format string, args ...any) error {
	v.conn.SetWriteDeadline(time.Now().Add(patience))
	return v.conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"id":%q,`+format+`}`, append([]any{id}, args...)...))
}

func (v *visit) read() (h heard, err error) {
	v.conn.SetReadDeadline(time.Now().Add(patience))
	_, data, err := v.conn.ReadMessage()
	if err != nil {
		return h, err
	}
	return h, json.Unmarshal(data, &h)
}

// do sends a command and waits for its answer; who is told to come back later
// does, with the same command.
func (v *visit) do(format string, args ...any) (heard, error) {
	id, err := v.send(format, args...)
	for deadline := time.Now().Add(patience); ; err = v.sendAs(id, format, args...) {
		var h heard
		if err == nil {
			h, err = v.answer(id)
		}
		switch {
		case err != nil:
			return h, err
		case h.Type != "error":
			return h, nil
		case h.Code != "busy" || time.Now().After(deadline):
			return h, fmt.Errorf("%s: %s", fmt.Sprintf(format, args...), h.Code)
		}
		time.Sleep(time.Duration(h.Retry) * time.Millisecond)
	}
}

// ask sends a command and waits for its answer, whatever that is.
func (v *visit) ask(format string, args ...any) (heard, error) {
	id, err := v.send(format, args...)
	if err != nil {
		return heard{}, err
	}
	return v.answer(id)
}

func (v *visit) answer(id string) (h heard, err error) {
	for err == nil && h.ID != id {
		h, err = v.read()
	}
	return h, err
}

// fairTable is two people who play one game, move after move.
type fairTable struct {
	people [2]*visit
	tokens [2]string
	room   string
	moves  int // acknowledged in this game
	total  int // and in all
	points []string
	err    error

	mu   sync.Mutex
	took []time.Duration // from a move to its acknowledgement
}

// newFairTable seats two people, each from an address of their own.
func newFairTable(addr string, n int) (*fairTable, error) {
	tb := &fairTable{points: quietGame()}
	for i := range tb.people {
		from, err := fmt.Sprintf("198.51.%d.%d", 100+i, n+1), error(nil)
		if tb.tokens[i], _, err = login(addr, from); err != nil {
			return nil, err
		}
		if tb.people[i], _, err = enter(addr, from, tb.tokens[i]); err != nil {
			return nil, err
		}
	}
	return tb, tb.sitDown()
}

// sitDown begins a game.
func (tb *fairTable) sitDown() error {
	made, err := tb.people[0].do(`"type":"create","color":"black","game":{"rule":"freestyle","size":"25x25","clock":{"main":3600000}}`)
	if err != nil {
		return err
	}
	tb.room, tb.moves = made.Room, 0
	for _, v := range tb.people {
		if _, err := v.do(`"type":"join","room":%q`, tb.room); err != nil {
			return err
		}
	}
	_, err = tb.people[1].do(`"type":"sit","room":%q`, tb.room)
	return err
}

// quietGame is moves that never make five: Black and White take the points of a
// pattern in which no line has more than two of a colour side by side.
func quietGame() []string {
	var of [2][]string
	for y := range 25 {
		for x := range 25 {
			color := (x + 2*y) % 4 / 2
			of[color] = append(of[color], fmt.Sprintf("%c%d", 'a'+x, y+1))
		}
	}
	var moves []string
	for i := range min(len(of[0]), len(of[1])) {
		moves = append(moves, of[0][i], of[1][i])
	}
	return moves
}

// play makes moves until ctx ends, in one game after the other. Who has not
// moved hears of it on the way to the next answer.
func (tb *fairTable) play(ctx context.Context) {
	for ; ctx.Err() == nil && tb.err == nil; rest(ctx, 80*time.Millisecond) {
		if tb.moves == len(tb.points) {
			if tb.err = tb.check(); tb.err == nil {
				tb.err = tb.sitDown()
			}
			continue
		}
		tb.move()
	}
}

func (tb *fairTable) move() {
	begun := time.Now()
	_, err := tb.people[tb.moves%2].do(`"type":"place","room":%q,"ply":%d,"point":%q`, tb.room, tb.moves, tb.points[tb.moves])
	if err != nil {
		tb.err = errors.Join(tb.err, fmt.Errorf("move %d: %w", tb.moves, err))
		return
	}
	tb.mu.Lock()
	tb.took = append(tb.took, time.Since(begun))
	tb.mu.Unlock()
	tb.moves++
	tb.total++
}

// comeBack takes both people to where the node now is.
func (tb *fairTable) comeBack(addr string) (err error) {
	for i, v := range tb.people {
		v.conn.Close()
		if tb.people[i], _, err = enter(addr, fmt.Sprintf("198.51.100.%d", i), tb.tokens[i]); err != nil {
			return err
		}
		if _, err = tb.people[i].do(`"type":"join","room":%q`, tb.room); err != nil {
			return err
		}
	}
	return nil
}

// leave ends the visit, and reports what was wrong with it.
func (tb *fairTable) leave() error {
	err := tb.err
	if err == nil {
		err = tb.check()
	}
	for _, v := range tb.people {
		v.conn.Close()
	}
	return err
}

// check reports what was acknowledged and is not in the room, or the other way
// round.
func (tb *fairTable) check() error {
	h, err := tb.people[0].do(`"type":"join","room":%q`, tb.room)
	switch {
	case err != nil:
		return err
	case !slices.Equal(h.State.Moves, tb.points[:tb.moves]):
		return fmt.Errorf("acknowledged %v, in the room %v", tb.points[:tb.moves], h.State.Moves)
	}
	return nil
}
