package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"gomokud/internal/store"
	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
)

// counted is the page of metrics of a command.
func counted(t *testing.T, addr string) string {
	t.Helper()
	client := &http.Client{Timeout: 5 * time.Second}
	defer client.CloseIdleConnections()
	resp, err := client.Get("http://" + addr + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// soon waits for what holds a moment later.
func soon(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not so after 20 s: %s", what)
		}
	}
}

// counts waits until a line is in the metrics of a command.
func counts(t *testing.T, addr, line string) {
	t.Helper()
	soon(t, "the metrics have "+line, func() bool { return strings.Contains(counted(t, addr), line) })
}

func TestAWorkerWorksAndStops(t *testing.T) {
	redis := redistest.Start(t)
	program := "centred=" + writeProgram(t, 0o700) + " 7,7"
	addr, stop := begin(t, "worker", "--store", redis.URL, "--workers", "3", "--engine", program)
	st, err := redisstore.Open(t.Context(), redis.URL, redisstore.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	crew := func() store.Crew {
		t.Helper()
		c, err := st.Jobs("").Crew(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	engines := catalogue(nil).own
	if c := crew(); len(c.Workers) != 1 || c.Workers[0].Threads != 3 || len(c.Workers[0].Bots) != len(engines) {
		t.Errorf("there work %+v", c)
	}
	if c, err := st.Jobs("external").Crew(t.Context()); err != nil || len(c.Workers) != 1 || c.Workers[0].Threads < 4 || fmt.Sprint(c.Workers[0].Bots) != "[centred]" {
		t.Errorf("for programs from elsewhere there work %+v, %v", c, err)
	}
	// A hint of a room that there never was is struck off.
	if _, _, err := st.Jobs("").Ask(t.Context(), store.Hint{Room: "nowhere", Version: 1, Bot: "tengen-1"}, time.Minute); err != nil {
		t.Fatal(err)
	}
	soon(t, "the hint is gone", func() bool { return crew().Waiting+crew().Taken == 0 })
	counts(t, addr, `gomokud_worker_turns_total{end="failed",lane="own"} 1`)
	if code := stop(); code != exitOK {
		t.Errorf("it ended with %d", code)
	}
	if c := crew(); len(c.Workers) != 0 {
		t.Errorf("it left %+v", c)
	}
}

// A server hands a turn of a program to a worker, whose program moves. The server's
// own begins elsewhere, so that it shows who has moved.
func TestAWorkerMovesForAProgram(t *testing.T) {
	redis := redistest.Start(t)
	path := writeProgram(t, 0o700)
	worker, stopWorker := begin(t, "worker", "--store", redis.URL, "--engine", "centred="+path+" 7,7")
	server, stopServer := begin(t, "serve", "--store", redis.URL, "--engine", "centred="+path+" 3,3")

	resp, err := http.Post("http://"+server+"/api/session", "application/json", strings.NewReader(`{"name":"Ann"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var session struct{ Token string }
	if err := json.NewDecoder(resp.Body).Decode(&session); err != nil {
		t.Fatal(err)
	}
	dialer := websocket.Dialer{Subprotocols: []string{"gomokud.v1"}}
	ann, _, err := dialer.DialContext(t.Context(), "ws://"+server+"/ws", http.Header{"Authorization": {"Bearer " + session.Token}})
	if err != nil {
		t.Fatal(err)
	}
	defer ann.Close()
	say := func(command string, args ...any) {
		t.Helper()
		if err := ann.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, command, args...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := ann.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	const create = `{"type":"create","id":"c%d","game":{"rule":"freestyle","size":"15x15","clock":{}},"color":"white","bot":"centred"}`
	say(create, 0)
	for tries, moved := 0, false; !moved; {
		var m struct{ Type, Code, Room string }
		_, data, err := ann.ReadMessage()
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		switch text := string(data); {
		case err != nil:
			t.Fatal(err)
		case m.Code == "no_such_bot": // it is still being tried
			time.Sleep(50 * time.Millisecond)
			tries++
			say(create, tries)
		case m.Type == "error", strings.Contains(text, `"d12"`):
			t.Fatalf("the worker did not move: %s", text)
		case m.Type == "ok" && m.Room != "":
			say(`{"type":"join","id":"j","room":%q}`, m.Room)
		default:
			moved = strings.Contains(text, `"h8"`)
		}
	}
	counts(t, worker, `gomokud_worker_turns_total{end="played",lane="external"} 1`)
	if code := stopServer(); code != exitOK {
		t.Errorf("the server ended with %d", code)
	}
	if code := stopWorker(); code != exitOK {
		t.Errorf("the worker ended with %d", code)
	}
}
