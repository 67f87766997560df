package redisstore_test

import (
	"bufio"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"

	"gomokud/internal/store"
	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
)

func TestOpenRefuses(t *testing.T) {
	t.Run("an old server", func(t *testing.T) {
		_, err := redisstore.Open(t.Context(), oldServer(t), redisstore.Options{})
		if err == nil || !strings.Contains(err.Error(), "7 or later") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a server that is not there", func(t *testing.T) {
		server := redistest.Start(t)
		server.Kill()
		_, err := redisstore.Open(t.Context(), server.URL, redisstore.Options{})
		if !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a bad URL, without repeating the password", func(t *testing.T) {
		_, err := redisstore.Open(t.Context(), "redis://user:secret@host:port:/x", redisstore.Options{})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a wrong password", func(t *testing.T) {
		server := redistest.Start(t)
		server.Do("CONFIG", "SET", "requirepass", "right")
		_, err := redisstore.Open(t.Context(), strings.Replace(server.URL, "//", "//:wrong@", 1), redisstore.Options{})
		if err == nil {
			t.Error("it was accepted")
		}
		open(t, strings.Replace(server.URL, "//", "//:right@", 1), redisstore.Options{})
		server.Kill()
	})
}

// oldServer says that it is Redis 6.
func oldServer(t *testing.T) (url string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	t.Cleanup(func() { l.Close(); wg.Wait() })
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer conn.Close()
				for in := bufio.NewScanner(conn); in.Scan(); {
					switch strings.ToUpper(in.Text()) {
					case "HELLO":
						fmt.Fprint(conn, "-ERR unknown command\r\n")
					case "INFO":
						const info = "redis_version:6.2.14\r\n"
						fmt.Fprintf(conn, "$%d\r\n%s\r\n", len(info), info)
					}
				}
			})
		}
	})
	return "redis://" + l.Addr().String()
}

func TestOpenWarns(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"of nothing", nil, nil},
		{"of eviction", []string{"--maxmemory-policy", "allkeys-lru"}, []string{"noeviction"}},
		{"of no log", []string{"--appendonly", "no"}, []string{"appendonly"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := redistest.Start(t, c.args...)
			var out strings.Builder
			open(t, server.URL, redisstore.Options{Logger: slog.New(slog.NewTextHandler(&out, nil))})
			if got := strings.Count(out.String(), "\n"); got != len(c.want) {
				t.Errorf("%d lines: %s", got, out.String())
			}
			for _, word := range c.want {
				if !strings.Contains(out.String(), word) {
					t.Errorf("no word of %s: %s", word, out.String())
				}
			}
		})
	}
}
