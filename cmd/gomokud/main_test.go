package main

import (
	"context"
	"net"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWrongFlagsExitWithTwo(t *testing.T) {
	for _, args := range []string{
		"serve --bogus", "serve --addr nowhere", "serve --addr localhost:port", "serve --addr localhost:99999", "serve --store mysql://db", "serve --store redis:", "serve --outbox 0",
		"serve --outbox many", "serve --keep soon", "serve --secret short", "serve --origin example.com",
		"serve --origin https://example.com/path", "serve --workers -1", "serve --trusted-proxy everybody", "serve --trusted-proxy 10.0.0.0/8,10.0.0.0/99", "dance",
		"worker", "worker --store embedded", "worker --store mysql://db", "worker --store redis://127.0.0.1 --workers -1",
		"worker --store redis://127.0.0.1 --addr nowhere", "worker --store redis://127.0.0.1 --drain 0s",
	} {
		if code := run(t.Context(), strings.Fields(args)); code != exitUsage {
			t.Errorf("%s: exit code %d, want %d", args, code, exitUsage)
		}
	}
}

func TestWrongEnvironmentExitsWithTwo(t *testing.T) {
	t.Setenv("GOMOKUD_OUTBOX", "none")
	if code := run(t.Context(), []string{"serve"}); code != exitUsage {
		t.Errorf("exit code %d, want %d", code, exitUsage)
	}
}

func TestHelpExplains(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"serve", "--help"}, {"worker", "--help"}, {"version"}} {
		if code := run(t.Context(), args); code != exitOK {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
}

// TestEveryFlagReachesItsLimit: a limit that is a flag but changes nothing
// would be a lie.
func TestEveryFlagReachesItsLimit(t *testing.T) {
	s := serve{
		ClaimAfter: time.Second, FirstMove: time.Second, OpenFor: time.Second, AbandonAfter: time.Second, LagCap: time.Second,
		MessageBytes: 1, CommandsPerSecond: 1, SessionCommandsPerSecond: 1, ConnectionsPerSession: 1, RoomsPerSession: 1,
		RoomsPerMinute: 1, FollowedRooms: 1, Outbox: 1, StoreTimeout: 1, Silence: 1, Origins: []string{"x"},
		Connections: 1, AddressConnections: 1, AddressRoomsPerMinute: 1, ArrivalsPerSecond: 1, LateAfter: 1,
		Secure: true, GuestsPerMinute: 1, GuestsBurst: 1, AddressRequestsPerSecond: 1,
	}
	cfg := reflect.ValueOf(s.hubConfig())
	for i := range cfg.NumField() {
		field := cfg.Type().Field(i)
		if cfg.Field(i).IsZero() && field.IsExported() && field.Name != "WriteTimeout" {
			t.Errorf("no flag sets %s", field.Name)
		}
	}
	cfg = reflect.ValueOf(s.webConfig([]netip.Prefix{{}}))
	for i := range cfg.NumField() {
		if field := cfg.Type().Field(i).Name; cfg.Field(i).IsZero() && field != "SessionFor" && field != "BoundLocal" {
			t.Errorf("no flag sets %s", field)
		}
	}
	limits := reflect.ValueOf(s.hubConfig().Limits)
	for i := range limits.NumField() {
		if limits.Field(i).IsZero() {
			t.Errorf("no flag sets %s", limits.Type().Field(i).Name)
		}
	}
}

func TestOriginsAreAsBrowsersSendThem(t *testing.T) {
	s := serve{Origins: []string{"https://play.example/", "https://friend.example"}}
	if got, want := s.hubConfig().Origins, []string{"https://play.example", "https://friend.example"}; !reflect.DeepEqual(got, want) {
		t.Errorf("origins %v, want %v", got, want)
	}
}

// freeAddr is an address where nobody listens yet.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// begin runs a command on an address of its own, and returns when it is healthy.
// stop ends it and returns its exit code; the end of the test ends it, too.
func begin(t *testing.T, args ...string) (addr string, stop func() int) {
	t.Helper()
	addr = freeAddr(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, append(args, "--addr", addr))
		close(done)
	}()
	stop = func() int { cancel(); return <-done }
	t.Cleanup(func() { stop() })
	for run(t.Context(), []string{"healthy", "--addr", addr}) != exitOK {
		select {
		case code := <-done:
			t.Fatalf("%s ended with %d", args[0], code)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return addr, stop
}

func TestItServesAndStops(t *testing.T) {
	dir := t.TempDir()
	addr, stop := begin(t, "serve", "--data", dir)
	// A second one on the same address or file must not get far.
	if code := run(t.Context(), []string{"serve", "--addr", addr, "--data", t.TempDir()}); code != exitFailed {
		t.Errorf("the same address twice: %d", code)
	}
	if code := run(t.Context(), []string{"serve", "--addr", "127.0.0.1:0", "--data", dir}); code != exitFailed {
		t.Errorf("the same file twice: %d", code)
	}
	if code := stop(); code != exitOK {
		t.Errorf("it ended with %d", code)
	}
}
