package redisstore

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/singleflight"
)

const (
	// settling is how long a command waits for its slot while that moves from
	// one master to another. The keys of a room must be on the same side.
	settling = 2 * time.Second
	// settleWait is between two tries.
	settleWait = 10 * time.Millisecond
)

// clustered is a Redis Cluster. Its client only tells which master has a slot;
// commands go to each master's own client or pipeline, as the one of the cluster's
// client would send a batch again after a broken connection, and as a master
// that hangs must not hold up the others' rooms.
type clustered struct {
	client    *redis.ClusterClient
	masters   atomic.Pointer[map[string]*redis.Client] // by address
	reloading singleflight.Group
}

func (c *clustered) whole() bool { return false }

func (c *clustered) holder(ctx context.Context, key string) (server, error) {
	client, err := c.client.MasterForKey(ctx, key)
	if err != nil {
		return server{}, err
	}
	p, err := pipeline(client)
	return server{client: client, pipeline: p}, err
}

func (c *clustered) redirect(ctx context.Context, key string, err error, since time.Duration) (server, bool) {
	is := redis.HasErrorPrefix
	switch {
	case since > settling || is(err, "NOSCRIPT "):
		return server{}, false
	case is(err, "ASK "):
		if to, ok := c.named(err); ok {
			return to, true
		}
		c.refresh(ctx)
	case is(err, "MOVED "):
		c.refresh(ctx)
	case is(err, "TRYAGAIN "):
	default:
		c.client.ReloadState(ctx) // it may have failed over
		return server{}, false
	}
	if since > settleWait || is(err, "TRYAGAIN ") { // else the look may have been enough
		select {
		case <-ctx.Done():
			return server{}, false
		case <-time.After(settleWait):
		}
	}
	to, err := c.holder(ctx, key)
	return to, err == nil
}

// named is the server to which an ASK points.
func (c *clustered) named(err error) (server, bool) {
	fields := strings.Fields(err.Error())
	masters := c.masters.Load()
	if masters == nil || len(fields) != 3 {
		return server{}, false
	}
	client, ok := (*masters)[fields[2]]
	return server{client: client, asking: true}, ok
}

// refresh has one look at a time: thousands of commands may be redirected at
// once.
func (c *clustered) refresh(ctx context.Context) {
	_, _, _ = c.reloading.Do("", func() (any, error) {
		return nil, c.each(ctx, func(context.Context, *redis.Client) error { return nil })
	})
}

// each also notes who they are.
func (c *clustered) each(ctx context.Context, fn func(context.Context, *redis.Client) error) error {
	var mu sync.Mutex
	masters := make(map[string]*redis.Client)
	err := c.client.ForEachMaster(ctx, func(ctx context.Context, client *redis.Client) error {
		mu.Lock()
		masters[client.Options().Addr] = client
		mu.Unlock()
		return fn(ctx, client)
	})
	c.masters.Store(&masters)
	return err
}

func (c *clustered) universal() redis.UniversalClient { return c.client }

func (c *clustered) close() error { return c.client.Close() }
