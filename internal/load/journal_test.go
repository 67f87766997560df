package load

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"gomokud/internal/store/redistest"
)

// startDurableRelay serves a relay on a Redis of the test's own.
func startDurableRelay(t *testing.T) (addr string, server *redistest.Server) {
	t.Helper()
	server = redistest.Start(t)
	relay, err := NewDurableRelay(t.Context(), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(relay)
	t.Cleanup(func() {
		if err := relay.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		site.Close()
	})
	return strings.TrimPrefix(site.URL, "http://"), server
}

func dialRedis(t *testing.T, url string) *redis.Client {
	t.Helper()
	opts, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(opts)
	t.Cleanup(func() { client.Close() })
	return client
}

const madeMove = `{"type":"events","room":"red","events":[{"kind":"placed","point":"h8"}],"view":{"turn":"white"}}`

// TestDurableRelay: a message arrives once its event is in the log, and who
// comes later is sent the log.
func TestDurableRelay(t *testing.T) {
	addr, server := startDurableRelay(t)
	client := dialRedis(t, server.URL)
	a, b := enterRelay(t, addr, "red", "red[]"), enterRelay(t, addr, "red", "red[]")
	for i := range 3 {
		say(t, a, madeMove)
		hear(t, b, madeMove)
		hear(t, a, madeMove)
		if n := client.LLen(t.Context(), journalKey("red")).Val(); n != int64(i)+1 {
			t.Fatalf("%d events are kept of %d", n, i+1)
		}
	}
	const event = `{"kind":"placed","point":"h8"}`
	enterRelay(t, addr, "red", "red["+strings.Repeat(event+",", 2)+event+"]")
	enterRelay(t, addr, "blue", "blue[]")
}

// TestDurableRelayBegins: what an earlier run has left in a room is removed.
func TestDurableRelayBegins(t *testing.T) {
	addr, server := startDurableRelay(t)
	if err := dialRedis(t, server.URL).RPush(t.Context(), journalKey("red"), "old").Err(); err != nil {
		t.Fatal(err)
	}
	a := enterRelay(t, addr, "red", "red[]")
	say(t, a, madeMove)
	hear(t, a, madeMove)
}

// TestDurableRelayConflict: a log that is not what the relay takes it for gets
// no event, and nobody is shown one.
func TestDurableRelayConflict(t *testing.T) {
	addr, server := startDurableRelay(t)
	client := dialRedis(t, server.URL)
	a := enterRelay(t, addr, "red", "red[]")
	if err := client.RPush(t.Context(), journalKey("red"), "foreign").Err(); err != nil {
		t.Fatal(err)
	}
	say(t, a, madeMove)
	if _, got, err := a.ReadMessage(); err == nil {
		t.Errorf("heard %q", got)
	}
	if n := client.LLen(t.Context(), journalKey("red")).Val(); n != 1 {
		t.Errorf("%d events", n)
	}
}

// TestJournalKeepsPasswords: an address that is none is refused, not repeated.
func TestJournalKeepsPasswords(t *testing.T) {
	_, err := NewDurableRelay(t.Context(), "redis://:sesame@host:port")
	if err == nil || strings.Contains(err.Error(), "sesame") {
		t.Errorf("got %v", err)
	}
}

func TestEventOf(t *testing.T) {
	p := newPlayer("", "p1")
	f := floor{clock: time.Hour}
	message := f.appendMove(nil, p, 7)
	if got := string(eventOf(message)); !strings.HasPrefix(got, `{"kind":"placed",`) || !strings.HasSuffix(got, `}}`) {
		t.Errorf("the event is %s", got)
	}
	if got := string(eventOf([]byte("else"))); got != "else" {
		t.Errorf("of another message %q is kept", got)
	}
}

// TestWeather: after each of the storms everybody is back, with all moves.
func TestWeather(t *testing.T) {
	bare := relayAddr(t)
	durable, _ := startDurableRelay(t)
	for _, s := range []struct {
		floor floor
		addr  string
	}{{floor{}, bare}, {floor{durable: true}, durable}} {
		cfg := Config{Sizes: Sizes{Clients: 10}}
		got, err := weather(t.Context(), s.floor, cfg, here(s.addr))
		if err != nil {
			t.Fatalf("%s: %v", s.floor.name(), err)
		}
		if got.Clients != 10 || got.Seconds <= 0 || got.Slowest < got.Seconds {
			t.Errorf("%s: %+v", s.floor.name(), got)
		}
	}
}

// TestWeatherNoticesLoss: a client who is not shown all moves is not back.
func TestWeatherNoticesLoss(t *testing.T) {
	cfg := Config{Sizes: Sizes{Clients: 4}}
	_, err := weather(t.Context(), floor{durable: true}, cfg, here(relayAddr(t))) // that keeps nothing
	if err == nil || !strings.Contains(err.Error(), "0 of 20 moves") {
		t.Errorf("got %v", err)
	}
}

// TestWeatherInterrupted: a storm that is called off ends.
func TestWeatherInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := weather(ctx, floor{}, Config{Sizes: Sizes{Clients: 4}}, here(relayAddr(t))); err == nil {
		t.Error("it went on")
	}
}
