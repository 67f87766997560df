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
	"github.com/redis/go-redis/v9/maintnotifications"

	"gomokud/internal/store"
	"gomokud/internal/store/follow"
)

const (
	// patience bounds each dial, read and write, unless the URL says otherwise.
	patience = 2 * time.Second
	// queueLen bounds the calls under way; more get store.ErrUnavailable.
	queueLen = 16 << 10
)

// Options of a store; the zero value is ready to use.
type Options struct {
	Keep   time.Duration // how long a finished room stays; 0 is 90 days
	Logger *slog.Logger  // for warnings; nil discards them
}

// Store is a store in Redis; it implements hub.Store.
type Store struct {
	keep      time.Duration
	client    *redis.Client
	pipeline  *redis.AutoPipeliner
	scripts   scripts
	followers follow.Registry
	ear       ear

	closeOnce sync.Once
	closeErr  error
}

// Open connects to the server that the URL names:
// redis://[user:password@]host[:port][/number], or rediss:// for TLS. It fails
// when the server does not answer or is too old.
func Open(ctx context.Context, url string, opts Options) (*Store, error) {
	if opts.Keep == 0 {
		opts.Keep = 90 * 24 * time.Hour
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	client, err := connect(url)
	if err != nil {
		return nil, fmt.Errorf("open redis: %w", err)
	}
	s := &Store{keep: opts.Keep, client: client, scripts: loadScripts()}
	if err := s.check(ctx, opts.Logger); err != nil {
		return nil, errors.Join(fmt.Errorf("open redis at %s: %w", client.Options().Addr, err), client.Close())
	}
	s.pipeline, err = client.AsyncAutoPipelineWithOptions(&redis.AutoPipelineOptions{
		MaxBatchSize:         300,
		MaxConcurrentBatches: 1, // what comes back in one batch goes out in the next: deep ones, in order
		MaxQueuedCommands:    queueLen,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open redis: %w", err), client.Close())
	}
	s.listen(opts.Logger)
	return s, nil
}

func connect(url string) (*redis.Client, error) {
	o, err := redis.ParseURL(url)
	if err != nil {
		// The error may quote the URL, and the URL may hold a password.
		return nil, errors.New("bad URL: it should look like redis://[user:password@]host[:port][/number]")
	}
	setDefault(&o.DialTimeout)
	setDefault(&o.ReadTimeout)
	setDefault(&o.WriteTimeout)
	setDefault(&o.PoolTimeout)
	o.DialerRetries = 1
	o.MaxRetries = -1 // see the package comment
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(o), nil
}

func setDefault(d *time.Duration) {
	if *d == 0 {
		*d = patience
	}
}

// Now implements hub.Store: the server's clock.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	now, err := s.client.Time(ctx).Result()
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
		s.ear.close()
		s.closeErr = errors.Join(s.pipeline.Close(), s.client.Close())
	})
	return s.closeErr
}

// failure is what a caller gets for an error of the client or the server.
func failure(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return fmt.Errorf("%s: %w: %w", doing, store.ErrUnavailable, err)
}

// SetLogger sends what go-redis says by itself to log, as debug messages: what
// matters of it comes back as errors. go-redis knows one logger for the whole
// process, so this is for main to call.
func SetLogger(log *slog.Logger) { redis.SetLogger(driverLog{log}) }

type driverLog struct{ log *slog.Logger }

func (d driverLog) Printf(ctx context.Context, format string, v ...any) {
	d.log.DebugContext(ctx, fmt.Sprintf(format, v...))
}
