package hub_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"gomokud/internal/hub"
)

func isClose(err error, code int) bool {
	var closed *websocket.CloseError
	return errors.As(err, &closed) && closed.Code == code
}

func TestWhatMakesNoSenseIsRefusedAndChangesNothing(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, freestyle)
	before := version(ann.must(message{"type": "join", "room": room}))
	for _, tt := range []struct{ name, text, code string }{
		{"no JSON", `hello`, "bad_message"},
		{"half an object", `{"type":"join"`, "bad_message"},
		{"an array", `[1,2]`, "bad_message"},
		{"null", `null`, "bad_message"},
		{"no id", `{"type":"resign","room":"ROOM"}`, "bad_message"},
		{"a long id", `{"type":"resign","room":"ROOM","id":"` + strings.Repeat("x", 65) + `"}`, "bad_message"},
		{"an id with a space", `{"type":"resign","room":"ROOM","id":"a b"}`, "bad_message"},
		{"no type", `{"id":"q1","room":"ROOM"}`, "bad_message"},
		{"type of a wrong type", `{"type":7,"id":"q2"}`, "bad_message"},
		{"ply of a wrong type", `{"type":"place","id":"q3","room":"ROOM","ply":"0","point":"h8"}`, "bad_message"},
		{"ply and a half", `{"type":"place","id":"q4","room":"ROOM","ply":0.5,"point":"h8"}`, "bad_message"},
		{"no ply", `{"type":"place","id":"q5","room":"ROOM","point":"h8"}`, "bad_message"},
		{"deeply nested", `{"type":"create","id":"q6","game":` + strings.Repeat(`{"a":`, 400) + `1` + strings.Repeat(`}`, 401), "bad_game"},
		{"unknown type", `{"type":"dance","id":"q7","room":"ROOM"}`, "unknown_type"},
		{"unknown room", `{"type":"join","id":"q8","room":"nowhere"}`, "no_such_room"},
		{"no room's name", `{"type":"join","id":"q8b","room":"../{x}"}`, "bad_message"},
		{"another room", `{"type":"resign","id":"q9","room":"nowhere"}`, "not_joined"},
		{"off the board", `{"type":"place","id":"q10","room":"ROOM","ply":0,"point":"p1"}`, "off_board"},
		{"no point", `{"type":"place","id":"q11","room":"ROOM","ply":0,"point":"8h"}`, "off_board"},
		{"stale", `{"type":"place","id":"q12","room":"ROOM","ply":2,"point":"h8"}`, "stale"},
		{"a pass in freestyle", `{"type":"pass","id":"q13","room":"ROOM","ply":0}`, "no_pass"},
		{"nothing to accept", `{"type":"accept","id":"q14","room":"ROOM","what":"draw"}`, "no_offer"},
		{"an odd offer", `{"type":"offer","id":"q15","room":"ROOM","what":"marriage"}`, "bad_message"},
		{"a rematch in mid-game", `{"type":"offer","id":"q16","room":"ROOM","what":"rematch"}`, "not_playing"},
		{"a takeback of nothing", `{"type":"offer","id":"q17","room":"ROOM","what":"takeback"}`, "too_late"},
		{"a seat twice", `{"type":"sit","id":"q18","room":"ROOM"}`, "already_seated"},
		{"no game", `{"type":"create","id":"q19"}`, "bad_game"},
		{"a giant board", `{"type":"create","id":"q20","game":{"rule":"freestyle","size":"99x99","clock":{}}}`, "bad_message"},
		{"an odd rule", `{"type":"create","id":"q21","game":{"rule":"chess","size":"15x15","clock":{}}}`, "bad_message"},
		{"a negative clock", `{"type":"create","id":"q22","game":{"rule":"freestyle","size":"15x15","clock":{"main":-5}}}`, "bad_game"},
		{"an odd colour", `{"type":"create","id":"q23","game":{"rule":"freestyle","size":"15x15","clock":{}},"color":"red"}`, "bad_message"},
		{"no such bot", `{"type":"create","id":"q24","game":{"rule":"freestyle","size":"15x15","clock":{}},"bot":"hal"}`, "no_such_bot"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := n.connect("ann")
			p.t = t
			defer p.conn.Close()
			p.must(message{"type": "join", "room": room})
			p.sendRaw(strings.ReplaceAll(tt.text, "ROOM", room))
			m := p.await("an error", func(m message) bool { return m["type"] == "error" || m["type"] == "ok" })
			if m["code"] != tt.code || m["text"] == "" {
				t.Errorf("answered %v, want %q", m, tt.code)
			}
		})
	}
	bob.refused(message{"type": "place", "room": room, "ply": 0, "point": "h8"}, "not_your_turn")
	if after := version(ann.must(message{"type": "join", "room": room})); after != before {
		t.Errorf("the room went from version %d to %d", before, after)
	}
}

func TestFinishedGamesTakeNoMoves(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	ann, bob := n.connect("ann"), n.connect("bob")
	room := table(ann, bob, freestyle)
	ann.must(message{"type": "place", "room": room, "ply": 0, "point": "h8"})
	ann.refused(message{"type": "place", "room": room, "ply": 1, "point": "i9"}, "not_your_turn")
	bob.refused(message{"type": "place", "room": room, "ply": 1, "point": "h8"}, "occupied")
	bob.must(message{"type": "resign", "room": room})
	for _, cmd := range []message{
		{"type": "place", "ply": 1, "point": "i9"}, {"type": "resign"}, {"type": "claim"}, {"type": "abort"}, {"type": "offer", "what": "draw"},
	} {
		cmd["room"] = room
		bob.refused(cmd, "not_playing")
	}
}

func TestConnectionsThatMisbehaveAreClosedForAReason(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{MessageBytes: 512})
	closes := func(p *player, code int) {
		t.Helper()
		for {
			if _, _, err := p.conn.ReadMessage(); err != nil {
				if !isClose(err, code) {
					t.Errorf("closed with %v, want %d", err, code)
				}
				return
			}
		}
	}
	t.Run("a large message", func(t *testing.T) {
		p := n.connect("large")
		p.sendRaw(`{"type":"ping","id":"` + strings.Repeat("x", 600) + `"}`)
		closes(p, websocket.CloseMessageTooBig)
	})
	t.Run("a binary message", func(t *testing.T) {
		p := n.connect("binary")
		p.conn.WriteMessage(websocket.BinaryMessage, []byte{1, 2, 3})
		closes(p, 4500)
	})
	t.Run("nonsense without end", func(t *testing.T) {
		p := n.connect("nonsense")
		for range 25 {
			p.conn.WriteMessage(websocket.TextMessage, []byte("?"))
		}
		closes(p, 4500)
	})
	t.Run("another protocol", func(t *testing.T) {
		url := "ws" + strings.TrimPrefix(n.server.URL, "http") + "/ws?id=old"
		conn, _, err := (&websocket.Dialer{Subprotocols: []string{"gomokud.v0"}}).Dial(url, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		closes(&player{t: t, id: "old", conn: conn}, 4502)
	})
	t.Run("a flood", func(t *testing.T) {
		p := n.connect("flood")
		for i := range 400 {
			if p.conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"type":"ping","id":"f%d"}`, i)) != nil {
				break
			}
		}
		limited := false
		for {
			_, data, err := p.conn.ReadMessage()
			if err != nil {
				if !isClose(err, 4503) {
					t.Errorf("closed with %v, want 4503", err)
				}
				break
			}
			limited = limited || strings.Contains(string(data), `"limit":"commands_per_second"`)
		}
		if !limited {
			t.Error("nobody said which limit was hit")
		}
	})
	t.Run("silence", func(t *testing.T) {
		n := startNode(t, openBolt(t, t.TempDir()), hub.Config{Silence: 400 * time.Millisecond})
		p := n.connect("silent")
		p.conn.SetPingHandler(func(string) error { return nil }) // answers no ping
		closes(p, 4002)
	})
	t.Run("too many connections", func(t *testing.T) {
		n := startNode(t, openBolt(t, t.TempDir()), hub.Config{ConnectionsPerSession: 2})
		n.connect("many")
		n.connect("many")
		closes(n.dial("many"), 4504)
	})
}

func TestForeignOriginsAreRefused(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{Origins: []string{"https://friend.example"}})
	url := "ws" + strings.TrimPrefix(n.server.URL, "http") + "/ws?id=ann"
	for origin, want := range map[string]int{
		"":                             http.StatusSwitchingProtocols,
		n.server.URL:                   http.StatusSwitchingProtocols,
		"https://friend.example":       http.StatusSwitchingProtocols,
		"https://evil.example":         http.StatusForbidden,
		"null":                         http.StatusForbidden,
		n.server.URL + ".evil.example": http.StatusForbidden,
	} {
		header := http.Header{}
		if origin != "" {
			header.Set("Origin", origin)
		}
		conn, resp, _ := (&websocket.Dialer{Subprotocols: []string{hub.Subprotocol}}).Dial(url, header)
		if conn != nil {
			conn.Close()
		}
		if resp == nil || resp.StatusCode != want {
			t.Errorf("origin %q: %v, want %d", origin, resp, want)
		}
	}
}

func TestOnePlayerCannotFillTheHouse(t *testing.T) {
	t.Parallel()
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{RoomsPerSession: 3, RoomsPerMinute: 1000})
	ann := n.connect("ann")
	var rooms []string
	for range 3 {
		rooms = append(rooms, ann.must(message{"type": "create", "game": freestyle})["room"].(string))
	}
	m := ann.refused(message{"type": "create", "game": freestyle}, "too_many")
	if m["limit"] != "rooms_per_session" {
		t.Errorf("limit %v", m["limit"])
	}
	ann.must(message{"type": "join", "room": rooms[0]})
	ann.must(message{"type": "abort", "room": rooms[0]})
	ann.must(message{"type": "create", "game": freestyle})
	n.connect("bob").must(message{"type": "create", "game": freestyle})
}
