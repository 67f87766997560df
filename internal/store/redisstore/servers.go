package redisstore

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// queueLen bounds the calls under way to one server; more get
// store.ErrUnavailable.
const queueLen = 16 << 10

// servers are where the keys are.
type servers interface {
	// whole reports whether one server has all keys, so that a command may name
	// any of them together.
	whole() bool
	// holder returns the server that has the key, as far as is known.
	holder(ctx context.Context, key string) (server, error)
	// redirect is asked after an error, so long after the first one: whether the
	// command should be sent again, as nothing of it has run, and where.
	redirect(ctx context.Context, key string, err error, since time.Duration) (to server, again bool)
	// refresh looks up anew where the keys are.
	refresh(ctx context.Context)
	// each calls fn for every server that takes writes, until an error.
	each(ctx context.Context, fn func(context.Context, *redis.Client) error) error
	// universal is for what may be sent again.
	universal() redis.UniversalClient
	close() error
}

// A server is one of them, or whichever is the master now.
type server struct {
	client   *redis.Client
	pipeline *redis.AutoPipeliner
	asking   bool // takes the command only behind ASKING
}

// open connects; it does not wait for an answer.
func (a address) open() (servers, error) {
	switch a.mode {
	case sentinel:
		return newSingle(redis.NewFailoverClient(a.options.Failover()))
	case cluster:
		return &clustered{client: redis.NewClusterClient(a.options.Cluster())}, nil
	default:
		return newSingle(redis.NewClient(a.options.Simple()))
	}
}

// pipeline is the automatic pipeline of one server: the same one, every time.
// What comes back in one batch goes out in the next: deep ones, in order.
func pipeline(client *redis.Client) (*redis.AutoPipeliner, error) {
	return client.AsyncAutoPipelineWithOptions(&redis.AutoPipelineOptions{
		MaxBatchSize: 300, MaxConcurrentBatches: 1, MaxQueuedCommands: queueLen,
	})
}

// single is one server that has everything, or a master with replicas that
// sentinels watch: then a new connection goes to whom they call the master.
type single struct{ server }

func newSingle(client *redis.Client) (*single, error) {
	p, err := pipeline(client)
	if err != nil {
		_ = client.Close()
		return nil, err
	}
	return &single{server{client: client, pipeline: p}}, nil
}

func (s *single) whole() bool { return true }

func (s *single) holder(context.Context, string) (server, error) { return s.server, nil }

func (s *single) redirect(context.Context, string, error, time.Duration) (server, bool) {
	return server{}, false
}

func (s *single) refresh(context.Context) {}

func (s *single) each(ctx context.Context, fn func(context.Context, *redis.Client) error) error {
	return fn(ctx, s.client)
}

func (s *single) universal() redis.UniversalClient { return s.client }

func (s *single) close() error {
	return errors.Join(s.pipeline.Close(), s.client.Close())
}

// run sends a command once to the server that has the key; again only where
// nothing of it has run. The pipeline does not heed the context of a command,
// so the wait does: when ctx ends first the command may run nevertheless.
func run[C redis.Cmder](ctx context.Context, s servers, key string, command func(context.Context) C) (cmd C, err error) {
	if err := ctx.Err(); err != nil {
		return cmd, err
	}
	to, err := s.holder(ctx, key)
	if err != nil {
		return cmd, err
	}
	for first := (time.Time{}); ; {
		cmd = command(context.WithoutCancel(ctx))
		err := to.run(ctx, cmd)
		if err == nil || err == redis.Nil {
			return cmd, err
		}
		if first.IsZero() {
			first = time.Now()
		}
		var again bool
		if to, again = s.redirect(ctx, key, err, time.Since(first)); !again {
			return cmd, err
		}
	}
}

func (s server) run(ctx context.Context, cmd redis.Cmder) error {
	if !s.asking {
		return s.pipeline.Submit(ctx, cmd).WaitContext(ctx)
	}
	_, err := s.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.Do(ctx, "asking")
		return pipe.Process(ctx, cmd)
	})
	return err
}

// runAlone is run on a connection that nobody else uses meanwhile.
func (s server) runAlone(ctx context.Context, cmd redis.Cmder) error {
	return s.client.Process(ctx, cmd)
}
