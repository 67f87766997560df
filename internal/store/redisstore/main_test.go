package redisstore_test

import (
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
	"gomokud/internal/store/storetest"
)

func TestMain(m *testing.M) {
	redisstore.SetLogger(slog.New(slog.DiscardHandler))
	// A client that was closed looks once more, a second later, whether its server
	// is there again, and then goes.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/redis/go-redis/v9/internal/pool.(*ConnPool).tryDial"))
}

func open(t testing.TB, url string, opts redisstore.Options) *redisstore.Store {
	t.Helper()
	s, err := redisstore.Open(t.Context(), url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func TestContract(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	storetest.Run(t, func(t *testing.T) storetest.Store {
		server.Do("FLUSHALL")
		return open(t, server.URL, redisstore.Options{})
	})
}
