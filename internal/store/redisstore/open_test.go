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
	t.Run("a server that is in no cluster", func(t *testing.T) {
		server := redistest.Start(t)
		_, err := redisstore.Open(t.Context(), strings.Replace(server.URL, "redis:", "redis+cluster:", 1), redisstore.Options{})
		if err == nil {
			t.Error("it was accepted")
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
			out := warnings(t, server.URL)
			if got := strings.Count(out, "\n"); got != len(c.want) {
				t.Errorf("%d lines: %s", got, out)
			}
			for _, word := range c.want {
				if !strings.Contains(out, word) {
					t.Errorf("no word of %s: %s", word, out)
				}
			}
		})
	}
}

// warnings opens a store and returns what it says, a line each.
func warnings(t *testing.T, url string) string {
	t.Helper()
	var out strings.Builder
	s, err := redisstore.Open(t.Context(), url, redisstore.Options{Logger: slog.New(slog.NewTextHandler(&out, nil))})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	return out.String()
}

func TestDescribe(t *testing.T) {
	const secret = "hunter2"
	for url, want := range map[string]string{
		"redis://h":                                           "redis://h",
		"rediss://u:hunter2@h:1/3":                            "rediss://h:1/3",
		"redis://:hunter2@h:1?read_timeout=1s":                "redis://h:1",
		"redis+sentinel://h/main":                             "redis+sentinel://h/main",
		"redis+sentinel://u:hunter2@h:1,i,j:3/m":              "redis+sentinel://h:1,i,j:3/m",
		"rediss+sentinel://h,i/m/2?sentinel_password=hunter2": "rediss+sentinel://h,i/m/2",
		"redis+cluster://u:hunter2@h:1,[::1]:2,i":             "redis+cluster://h:1,[::1]:2,i",
		"rediss+cluster://h/?pool_size=3":                     "rediss+cluster://h",

		"":                                 "",
		"h:6379":                           "",
		"mysql://u:hunter2@h":              "",
		"redis:h":                          "",
		"redis+://u:hunter2@h":             "",
		"redis+other://u:hunter2@h":        "",
		"redis://":                         "",
		"redis://u:hunter2@h,i":            "", // which of them?
		"redis://u:hunter2@h:port":         "",
		"redis://u:hunter2@h:1/x":          "",
		"redis://u:hunter2@h?bogus=1":      "",
		"redis+sentinel://u:hunter2@h":     "",
		"redis+sentinel://u:hunter2@h/":    "",
		"redis+sentinel://u:hunter2@h/m/x": "",
		"redis+sentinel://u:hunter2@h,/m":  "",
		"redis+cluster://u:hunter2@h,i/3":  "", // a cluster has no numbers
		"redis+cluster://u:hunter2@,h":     "",
		"redis+cluster://u:hunter2@h:1:2":  "",
		"redis+cluster://u:%zz@h":          "",
		"redis+cluster://u:hunter2@h i":    "",
	} {
		got, err := redisstore.Describe(url)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v, want %q", url, got, err, want)
		}
		if err != nil && strings.Contains(err.Error(), secret) || strings.Contains(got, secret) {
			t.Errorf("the password is told: %s, %v", got, err)
		}
	}
}
