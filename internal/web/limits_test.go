package web_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/hub"
	"gomokud/internal/store"
	"gomokud/internal/web"
)

// local are proxies on this machine.
var local = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

func TestAnAddressAsksOnlySoOften(t *testing.T) {
	s := start(t, web.Config{AddressRequestsPerSecond: 0.5, Proxies: local}) // 31 at once
	c := browser(t)
	paths := []string{"/", "/api/options", "/api/position?rule=caro&size=15x15&moves=h8", "/api/rooms/none/games/1", "/ws", "/assets/app-1a2.js"}
	refused := 0
	for i := range 60 {
		status, answer, header := ask(t, c, "GET", s.URL+paths[i%len(paths)], "", "X-Forwarded-For", "192.0.2.7")
		if status != http.StatusTooManyRequests {
			continue
		}
		refused++
		if wait, err := strconv.Atoi(header.Get("Retry-After")); answer["code"] != "too_many" || err != nil || wait < 1 {
			t.Fatalf("refused with %v, come back after %q", answer, header.Get("Retry-After"))
		}
	}
	if refused < 20 || refused > 29 {
		t.Errorf("%d of 60 were refused, want 29 less what became due meanwhile", refused)
	}
	for who, header := range map[string]string{"another address": "192.0.2.8", "a proxy that says nothing": ""} {
		if status, _, _ := ask(t, c, "GET", s.URL+"/api/options", "", "X-Forwarded-For", header); status != http.StatusOK {
			t.Errorf("%s: %d", who, status)
		}
	}
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} { // the operator's
		if status, _, _ := ask(t, c, "GET", s.URL+path, "", "X-Forwarded-For", "192.0.2.7"); status != http.StatusOK {
			t.Errorf("%s: %d", path, status)
		}
	}
	if _, page, _ := ask(t, c, "GET", s.URL+"/metrics", ""); !strings.Contains(page["text"].(string), fmt.Sprintf(`turned_away_total{limit="address_requests_per_second"} %d`, refused)) {
		t.Error("the refused are not counted")
	}
}

// slowLogs is a store that answers nobody until it is told to, or they go.
type slowLogs struct {
	hub.Logs
	asked chan struct{}
}

func (l slowLogs) Read(ctx context.Context, _ string, _ int) (store.Tail, error) {
	l.asked <- struct{}{}
	<-ctx.Done()
	return store.Tail{}, ctx.Err()
}

// TestASlowStoreDoesNotGatherRequests: those that wait for it are so many at
// most, and none waits for ever.
func TestASlowStoreDoesNotGatherRequests(t *testing.T) {
	logs := slowLogs{asked: make(chan struct{}, 1000)}
	log := slog.New(slog.DiscardHandler)
	h := hub.New(hub.Config{Node: "test"}, nil, nil, nil, log, prometheus.NewRegistry())
	server := httptest.NewServer(web.New(web.Config{}, h, logs, nil, nil, fstest.MapFS{}, prometheus.NewRegistry(), log).Handler())
	defer server.Close()
	const readers, places = 100, 64
	statuses := make(chan int, readers)
	for range readers {
		go func() {
			resp, err := http.Get(server.URL + "/api/rooms/table/games/1")
			if err != nil {
				statuses <- 0
				return
			}
			defer resp.Body.Close()
			if resp.Header.Get("Retry-After") == "1" {
				statuses <- -resp.StatusCode
				return
			}
			statuses <- resp.StatusCode
		}()
	}
	answers := map[int]int{}
	for range readers {
		answers[<-statuses]++
	}
	if answers[-http.StatusServiceUnavailable] != readers-places || answers[http.StatusServiceUnavailable] != places || len(logs.asked) != places {
		t.Errorf("answers %v, %d reached the store; want %d at once and the others told to come back", answers, len(logs.asked), places)
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestBodiesAreSmallAndWhatTheySay(t *testing.T) {
	s := start(t, web.Config{})
	var bomb bytes.Buffer
	zip := gzip.NewWriter(&bomb)
	io.CopyN(zip, zeros{}, 8<<20)
	zip.Close()
	for name, tt := range map[string]struct {
		body   string
		header []string
	}{
		"a giant":          {body: `{"name":"` + strings.Repeat("x", 1<<20) + `"}`},
		"deeply nested":    {body: `{"name":` + strings.Repeat("[", 15_000)},
		"a zipped bomb":    {body: bomb.String(), header: []string{"Content-Encoding", "gzip"}},
		"another encoding": {body: "\xff\xfe{"},
	} {
		if status, answer, _ := ask(t, browser(t), "POST", s.URL+"/api/session", tt.body, tt.header...); status != http.StatusBadRequest || answer["code"] != "bad_message" {
			t.Errorf("%s: %d %v", name, status, answer)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// startBehindDoor is a site as cmd/gomokud puts it together, in a hurry.
func startBehindDoor(t *testing.T, cfg web.Config) string {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	s := start(t, web.Config{})
	h := hub.New(hub.Config{Node: "door"}, s.store, nil, nil, log, prometheus.NewRegistry())
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	if err := h.Start(ctx); err != nil {
		t.Fatal(err)
	}
	go func() { defer close(done); h.Run(ctx) }()
	site := web.New(cfg, h, s.store, s.signer, nil, fstest.MapFS{"index.html": {Data: []byte("pages")}}, prometheus.NewRegistry(), log)
	server := &http.Server{Handler: site.Handler(), ConnState: site.ConnState, ReadHeaderTimeout: time.Second, IdleTimeout: 30 * time.Second}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(site.Listen(l)) }()
	t.Cleanup(func() {
		cancel()
		<-done
		server.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// dribble opens a connection and begins to ask, but never ends.
func dribble(t *testing.T, addr string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nX-Slow: "); err != nil {
		t.Fatal(err)
	}
	return conn
}

// TestWhoTakesTheirTimeToAsk fills the places of their address, is told that
// there are no more, and loses them in time.
func TestWhoTakesTheirTimeToAsk(t *testing.T) {
	addr := startBehindDoor(t, web.Config{AddressConnections: 4, BoundLocal: true})
	var slow []net.Conn
	for range 4 {
		slow = append(slow, dribble(t, addr))
	}
	fifth := dribble(t, addr)
	resp, err := http.ReadResponse(bufio.NewReader(fifth), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" || !strings.Contains(string(body), `"too_many"`) {
		t.Errorf("the fifth was told %s, %s", resp.Status, body)
	}
	for _, conn := range slow {
		if _, err := io.ReadAll(conn); errors.Is(err, context.DeadlineExceeded) {
			t.Error("a connection that never asks stays open")
		}
	}
	c := browser(t)
	if status, _, _ := ask(t, c, "GET", "http://"+addr+"/", ""); status != http.StatusOK {
		t.Errorf("later: %d", status)
	}
}

func TestANodeLetsOnlySoManyIn(t *testing.T) {
	addr := startBehindDoor(t, web.Config{Connections: 3}) // this machine has no bound of its own
	for range 3 {
		dribble(t, addr)
	}
	resp, err := http.ReadResponse(bufio.NewReader(dribble(t, addr)), nil)
	if err != nil || resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" {
		t.Errorf("the fourth was told %v, %v", resp, err)
	}
}

// TestASocketIsNoConnectionThatAsks: it has a place of its own, and its player
// may ask on.
func TestASocketIsNoConnectionThatAsks(t *testing.T) {
	addr := startBehindDoor(t, web.Config{AddressConnections: 2, BoundLocal: true})
	c := &http.Client{}
	defer c.CloseIdleConnections()
	_, made, _ := ask(t, c, "POST", "http://"+addr+"/api/session", `{"name":"Ada"}`)
	header := http.Header{"Authorization": {"Bearer " + made["token"].(string)}}
	for i := range 6 {
		conn, resp, err := (&websocket.Dialer{Subprotocols: []string{hub.Subprotocol}}).Dial("ws://"+addr+"/ws", header)
		if err != nil {
			t.Fatalf("socket %d: %v, %v", i, resp, err)
		}
		defer conn.Close()
	}
	if status, _, _ := ask(t, c, "GET", "http://"+addr+"/", ""); status != http.StatusOK {
		t.Errorf("a page: %d", status)
	}
}
