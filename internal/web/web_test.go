package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"gomokud/internal/hub"
	"gomokud/internal/match"
	"gomokud/internal/rules"
	"gomokud/internal/session"
	"gomokud/internal/store"
	"gomokud/internal/store/boltstore"
	"gomokud/internal/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type site struct {
	*httptest.Server
	store  *boltstore.Store
	signer *session.Signer
}

func start(t *testing.T, cfg web.Config) site {
	t.Helper()
	st, err := boltstore.Open(t.TempDir(), boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	reg := prometheus.NewRegistry()
	h := hub.New(hub.Config{Node: "test"}, st, nil, nil, log, reg)
	if err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); h.Run(ctx) }()
	signer, err := session.NewSigner([]byte("a key for the tests"))
	if err != nil {
		t.Fatal(err)
	}
	pages := fstest.MapFS{
		"index.html":        {Data: []byte("<!doctype html><title>gomokud</title>")},
		"assets/app-1a2.js": {Data: []byte("1")},
	}
	bots := []web.Opponent{
		{Name: "tengen-3", Title: "Level 3", About: "…", Level: 3, Elo: 900},
		{Name: "seven-step", Title: "Seven-step", About: "…"},
		{Name: "guest", Title: "guest", About: "…", External: true, Works: func() bool { return true }},
		{Name: "broken", Title: "broken", About: "…", External: true, Works: func() bool { return false }},
	}
	server := httptest.NewServer(web.New(cfg, h, st, signer, bots, pages, reg, log).Handler())
	t.Cleanup(func() {
		cancel()
		<-done
		server.Close()
		st.Close()
	})
	return site{server, st, signer}
}

// browser is a client that keeps cookies.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Jar: jar}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func ask(t *testing.T, c *http.Client, method, url, body string, header ...string) (int, map[string]any, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer map[string]any
	if json.Unmarshal(data, &answer) != nil {
		answer = map[string]any{"text": string(data)}
	}
	return resp.StatusCode, answer, resp.Header
}

func TestAVisitorIsSomebody(t *testing.T) {
	s := start(t, web.Config{})
	c := browser(t)
	_, first, header := ask(t, c, "GET", s.URL+"/api/session", "")
	if first["id"] == "" || first["name"] == "" || first["token"] != nil {
		t.Fatalf("session %v", first)
	}
	cookie := header.Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "SameSite=Lax", "Path=/", "Expires="} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie %q lacks %s", cookie, want)
		}
	}
	if strings.Contains(cookie, "Secure") {
		t.Error("a cookie over plain HTTP must not be Secure")
	}
	_, second, _ := ask(t, c, "GET", s.URL+"/api/session", "")
	if second["id"] != first["id"] || second["name"] != first["name"] {
		t.Errorf("who was %v became %v", first, second)
	}
	status, renamed, _ := ask(t, c, "POST", s.URL+"/api/session", `{"name":"  Ada   L "}`)
	if status != 200 || renamed["id"] != first["id"] || renamed["name"] != "Ada L" || renamed["token"] != nil {
		t.Errorf("renamed: %d %v", status, renamed)
	}
	for name, code := range map[string]string{"<script>": "bad_name", "bot9": "bot_name"} {
		status, refused, _ := ask(t, c, "POST", s.URL+"/api/session", `{"name":"`+name+`"}`)
		if status != 400 || refused["code"] != code {
			t.Errorf("the name %q: %d %v, want %s", name, status, refused, code)
		}
	}
	_, third, _ := ask(t, c, "GET", s.URL+"/api/session", "")
	if third["name"] != "Ada L" {
		t.Errorf("the name is %v", third)
	}
}

func TestSecureCookies(t *testing.T) {
	s := start(t, web.Config{Secure: true})
	_, _, header := ask(t, browser(t), "GET", s.URL+"/api/session", "")
	if !strings.Contains(header.Get("Set-Cookie"), "Secure") {
		t.Errorf("cookie %q is not Secure", header.Get("Set-Cookie"))
	}
}

func TestForgedAndExpiredSessionsAreNobodys(t *testing.T) {
	s := start(t, web.Config{})
	other, _ := session.NewSigner([]byte("another key, not ours"))
	ada := session.Player{ID: "adaadaadaada", Name: "Ada"}
	later := time.Now().Add(time.Hour)
	for name, token := range map[string]string{
		"forged":        other.Sign(ada, session.Identity, later),
		"expired":       s.signer.Sign(ada, session.Identity, time.Now().Add(-time.Second)),
		"of other use":  s.signer.Sign(ada, session.Transfer, later),
		"of no meaning": "nonsense",
	} {
		_, who, _ := ask(t, browser(t), "GET", s.URL+"/api/session", "", "Cookie", "gomokud="+token)
		if who["id"] == ada.ID {
			t.Errorf("%s token: taken for Ada", name)
		}
		status, _, _ := ask(t, browser(t), "POST", s.URL+"/api/session/link", "", "Authorization", "Bearer "+token)
		if status != 401 {
			t.Errorf("%s token: a link was given, status %d", name, status)
		}
		url := "ws" + strings.TrimPrefix(s.URL, "http") + "/ws"
		_, resp, err := (&websocket.Dialer{Subprotocols: []string{hub.Subprotocol}}).Dial(url, http.Header{"Authorization": {"Bearer " + token}})
		if err == nil || resp == nil || resp.StatusCode != 401 {
			t.Errorf("%s token: the socket answered %v, %v", name, resp, err)
		}
	}
}

func TestAProgramHasABearerToken(t *testing.T) {
	s := start(t, web.Config{})
	c := &http.Client{}
	defer c.CloseIdleConnections()
	_, made, _ := ask(t, c, "POST", s.URL+"/api/session", `{"name":"MyBot"}`)
	token, _ := made["token"].(string)
	if token == "" || made["name"] != "MyBot" {
		t.Fatalf("made %v", made)
	}
	url := "ws" + strings.TrimPrefix(s.URL, "http") + "/ws"
	conn, _, err := (&websocket.Dialer{Subprotocols: []string{hub.Subprotocol}}).Dial(url, http.Header{"Authorization": {"Bearer " + token}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var hello struct{ You struct{ ID, Name string } }
	if err := conn.ReadJSON(&hello); err != nil || hello.You.ID != made["id"] || hello.You.Name != "MyBot" {
		t.Errorf("hello %+v, %v", hello, err)
	}
}

func TestAnotherDeviceBecomesTheSamePlayer(t *testing.T) {
	s := start(t, web.Config{})
	desk, phone := browser(t), browser(t)
	_, ada, _ := ask(t, desk, "GET", s.URL+"/api/session", "")
	_, link, _ := ask(t, desk, "POST", s.URL+"/api/session/link", "")
	url := s.URL + link["url"].(string)
	status, page, _ := ask(t, phone, "GET", url, "")
	if status != 200 || !strings.Contains(page["text"].(string), ada["name"].(string)) {
		t.Fatalf("the link shows %d %v", status, page)
	}
	if _, who, _ := ask(t, phone, "GET", s.URL+"/api/session", ""); who["id"] == ada["id"] {
		t.Error("opening the link sufficed; it must be confirmed")
	}
	ask(t, phone, "POST", url, "")
	if _, who, _ := ask(t, phone, "GET", s.URL+"/api/session", ""); who["id"] != ada["id"] {
		t.Errorf("after the link the phone is %v, want %v", who, ada)
	}
	if status, _, _ := ask(t, phone, "POST", s.URL+"/session/nonsense", ""); status != 403 {
		t.Errorf("a made-up link: %d", status)
	}
}

func TestForeignPagesCannotPost(t *testing.T) {
	s := start(t, web.Config{})
	status, _, _ := ask(t, browser(t), "POST", s.URL+"/api/session", `{"name":"Eve"}`, "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
	if status != 403 {
		t.Errorf("a cross-site post: %d, want 403", status)
	}
}

func TestOneAddressGetsOnlySoManyNewSessions(t *testing.T) {
	s := start(t, web.Config{Guests: web.GuestRate{PerMinute: 1, Burst: 3}})
	known := browser(t)
	ask(t, known, "GET", s.URL+"/api/session", "")
	limited := 0
	for range 5 {
		if status, _, _ := ask(t, browser(t), "GET", s.URL+"/api/session", ""); status == 429 {
			limited++
		}
	}
	if limited != 3 {
		t.Errorf("%d of 5 were refused, want 3", limited)
	}
	if status, _, _ := ask(t, known, "GET", s.URL+"/api/session", ""); status != 200 {
		t.Errorf("who has a session was refused: %d", status)
	}
}

func TestWhoIsBehindAProxyHasAnAddressOfTheirOwn(t *testing.T) {
	for _, tt := range []struct {
		trusted string
		refused int
	}{{"127.0.0.0/8", 0}, {"192.0.2.0/24", 3}} {
		s := start(t, web.Config{
			Guests: web.GuestRate{PerMinute: 1, Burst: 1}, Proxies: []netip.Prefix{netip.MustParsePrefix(tt.trusted)},
		})
		refused := 0
		for i := range 4 {
			status, _, _ := ask(t, browser(t), "GET", s.URL+"/api/session", "", "X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i))
			if status == http.StatusTooManyRequests {
				refused++
			}
		}
		if refused != tt.refused {
			t.Errorf("%s is trusted: %d of four people behind 127.0.0.1 were refused, want %d", tt.trusted, refused, tt.refused)
		}
	}
}

func TestOptionsTellWhomTheComputerPlays(t *testing.T) {
	s := start(t, web.Config{})
	status, answer, _ := ask(t, browser(t), "GET", s.URL+"/api/options", "")
	want := []any{
		map[string]any{"name": "tengen-3", "title": "Level 3", "about": "…", "level": 3.0, "elo": 900.0},
		map[string]any{"name": "seven-step", "title": "Seven-step", "about": "…"},
		map[string]any{"name": "guest", "title": "guest", "about": "…", "external": true},
	}
	if status != http.StatusOK || !reflect.DeepEqual(answer["bots"], want) {
		t.Errorf("status %d, bots %v, want %v", status, answer["bots"], want)
	}
}

func TestPositions(t *testing.T) {
	s := start(t, web.Config{})
	get := func(query string) (int, map[string]any) {
		status, answer, _ := ask(t, browser(t), "GET", s.URL+"/api/position?"+query, "")
		return status, answer
	}
	status, p := get("rule=renju&size=15x15&moves=f8a1g8a3h6a5h7a7")
	forbidden, _ := p["forbidden"].([]any)
	if status != 200 || p["turn"] != "black" || len(forbidden) != 1 || forbidden[0].(map[string]any)["foul"] != "double-three" {
		t.Errorf("%d %v", status, p)
	}
	status, p = get("rule=freestyle&size=15x15&moves=H8%20a1,I8a2J8a3K8a4L8")
	if row, _ := p["row"].([]any); status != 200 || len(row) != 5 || p["turn"] != "white" {
		t.Errorf("%d %v", status, p)
	}
	status, p = get("rule=renju&size=15x15&moves=h8passpass--")
	if moves, _ := p["moves"].([]any); status != 200 || len(moves) != 4 {
		t.Errorf("%d %v", status, p)
	}
	for _, bad := range []string{
		"rule=chess&size=15x15&moves=", "rule=renju&size=4x15&moves=", "rule=renju&size=15x15&moves=h8h8",
		"rule=renju&size=15x15&moves=z9", "rule=renju&size=15x15&moves=8h", "rule=renju&size=15x15&moves=p1",
		"rule=renju&size=15x15&moves=" + strings.Repeat("pass", 700), "",
	} {
		if status, p := get(bad); status != 400 || p["text"] == "" {
			t.Errorf("%.60s: %d %.200v", bad, status, p)
		}
	}
}

func TestRecords(t *testing.T) {
	s := start(t, web.Config{})
	ada, bob := match.Player{ID: "ada", Name: "Ada"}, match.Player{ID: "bob", Name: "Bob"}
	events, err := match.Create(match.Command{By: ada}, match.Game{Size: rules.Size{Width: 15, Height: 15}}, match.DefaultLimits(), rules.Black, &bob, 1000)
	if err != nil {
		t.Fatal(err)
	}
	state, err := match.Fold(events)
	if err != nil {
		t.Fatal(err)
	}
	do := func(by match.Player, act match.Action) {
		t.Helper()
		more, err := match.Decide(state, match.Command{By: by, Act: act}, 2000)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range more {
			if err := state.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		events = append(events, more...)
	}
	do(ada, match.Place{Point: rules.Point{X: 7, Y: 7}})
	do(bob, match.Resign{})
	do(bob, match.Offer{What: match.Rematch})
	do(ada, match.Accept{What: match.Rematch})
	c := store.Commit{Room: "table"}
	for _, e := range events {
		raw, err := match.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		c.Events = append(c.Events, raw)
	}
	if err := s.store.Append(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	_, first, _ := ask(t, browser(t), "GET", s.URL+"/api/rooms/table/games/1", "")
	if result, _ := first["result"].(map[string]any); result["winner"] != "black" || first["games"] != 2.0 || len(first["moves"].([]any)) != 1 {
		t.Errorf("the first game: %v", first)
	}
	_, second, _ := ask(t, browser(t), "GET", s.URL+"/api/rooms/table/games/2", "")
	if black := second["black"].(map[string]any); black["id"] != "bob" || second["result"] != nil {
		t.Errorf("the second game: %v", second)
	}
	for _, path := range []string{"/api/rooms/table/games/3", "/api/rooms/table/games/0", "/api/rooms/table/games/x", "/api/rooms/none/games/1", "/api/none"} {
		if status, _, _ := ask(t, browser(t), "GET", s.URL+path, ""); status != 404 {
			t.Errorf("%s: %d, want 404", path, status)
		}
	}
}

func TestPages(t *testing.T) {
	s := start(t, web.Config{})
	for path, want := range map[string]int{
		"/": 200, "/room/abc": 200, "/room/abc/2": 200, "/position/15x15/renju/h8i9": 200,
		"/assets/app-1a2.js": 200, "/assets/gone-3b4.js": 404, "/favicon.ico": 404, "/../go.mod": 404,
	} {
		status, page, header := ask(t, browser(t), "GET", s.URL+path, "")
		if status != want {
			t.Errorf("%s: %d %v, want %d", path, status, page, want)
		}
		if !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'self'") {
			t.Errorf("%s: no content security policy", path)
		}
		if strings.HasPrefix(path, "/assets/app") && !strings.Contains(header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: may not be kept: %q", path, header.Get("Cache-Control"))
		}
	}
	for path, want := range map[string]string{"/healthz": "ok", "/readyz": "ready", "/metrics": "gomokud_connections 0"} {
		status, answer, _ := ask(t, browser(t), "GET", s.URL+path, "")
		if status != 200 || !strings.Contains(answer["text"].(string), want) {
			t.Errorf("%s: %d %.200v", path, status, answer["text"])
		}
	}
}
