package redisstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"gomokud/internal/store"
	"gomokud/internal/store/follow"
)

// Options of a store; the zero value is ready to use.
type Options struct {
	Keep   time.Duration // how long a finished room stays; 0 is 90 days
	Logger *slog.Logger  // for warnings; nil discards them
}

// Store is a store in Redis; it implements hub.Store.
type Store struct {
	keep      time.Duration
	servers   servers
	client    redis.UniversalClient // servers.universal()
	scripts   scripts
	followers follow.Registry
	hearing   hearing
	lanes     []*lane

	closeOnce sync.Once
	closeErr  error
}

// Open connects to what the URL names:
//
//	redis://[user:password@]host[:port][/number]                        one server
//	redis+sentinel://[user:password@]host[:port],.../master[/number]    the master, as sentinels at these addresses know it
//	redis+cluster://[user:password@]host[:port],...                     a Redis Cluster with nodes at these addresses
//
// with rediss in place of redis for TLS, and the parameters of redis.ParseURL; a
// pool_size that lanes would have to wait in line for is made larger.
// It fails when a server does not answer or is too old.
func Open(ctx context.Context, url string, opts Options) (*Store, error) {
	if opts.Keep == 0 {
		opts.Keep = 90 * 24 * time.Hour
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	a, err := parseURL(url)
	if err != nil {
		return nil, fmt.Errorf("open redis: %w", err)
	}
	servers, err := a.open()
	if err != nil {
		return nil, fmt.Errorf("open redis: %w", err)
	}
	s := &Store{keep: opts.Keep, servers: servers, client: servers.universal(), scripts: loadScripts()}
	if err := s.check(ctx, a.mode, opts.Logger); err != nil {
		return nil, errors.Join(fmt.Errorf("open redis at %s: %w", a.name, err), servers.close())
	}
	s.listen(a.mode, opts.Logger)
	for _, e := range s.hearing.ears {
		s.lanes = append(s.lanes, newLane(s, e))
	}
	return s, nil
}

// Now implements hub.Store: the clock of the server that has the beats. In a
// cluster it must always be the same one's.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	to, err := s.servers.holder(ctx, keyBeat)
	if err != nil {
		return time.Time{}, failure(ctx, "ask for the time", err)
	}
	now, err := to.client.Time(ctx).Result()
	if err != nil {
		return time.Time{}, failure(ctx, "ask for the time", err)
	}
	return now, nil
}

// Secret implements hub.Store.
func (s *Store) Secret(ctx context.Context) ([]byte, error) {
	secret := make([]byte, secretBytes)
	rand.Read(secret)
	if err := s.client.SetNX(ctx, keySecret, secret, 0).Err(); err != nil {
		return nil, failure(ctx, "make the secret", err)
	}
	secret, err := s.client.Get(ctx, keySecret).Bytes()
	if err != nil {
		return nil, failure(ctx, "read the secret", err)
	}
	return secret, nil
}

// Close waits for the calls under way and ends the connections.
func (s *Store) Close() error {
	s.closeOnce.Do(func() {
		s.hearing.close()
		for _, l := range s.lanes {
			l.close()
		}
		for _, l := range s.lanes {
			l.driving.Wait()
		}
		s.closeErr = s.servers.close()
	})
	return s.closeErr
}

// failure is what a caller gets for an error of the client or the server.
func failure(ctx context.Context, doing string, err error) error {
	return fmt.Errorf("%s: %w", doing, unavailable(ctx, err))
}

// unavailable is failure without what was being done.
func unavailable(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
}

// SetLogger sends what go-redis says by itself to log, as debug messages: what
// matters of it comes back as errors. go-redis knows one logger for the whole
// process, so this is for main to call.
func SetLogger(log *slog.Logger) { redis.SetLogger(driverLog{log}) }

type driverLog struct{ log *slog.Logger }

func (d driverLog) Printf(ctx context.Context, format string, v ...any) {
	d.log.DebugContext(ctx, fmt.Sprintf(format, v...))
}
