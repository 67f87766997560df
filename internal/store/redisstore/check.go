package redisstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// minMajor is the first Redis with shard channels and script flags.
const minMajor = 7

// check refuses a server that is too old or not what the URL says, and warns of
// one that may lose what it has acknowledged: gomokud wants appendonly yes and
// maxmemory-policy noeviction. With appendfsync everysec, the default, a power
// cut may take the last second; with always it takes nothing. A master that
// sentinels watch should take no writes without a replica (min-replicas-to-write
// 1): cut off from them, it would go on acknowledging what is lost when it
// is back. Every master is asked.
func (s *Store) check(ctx context.Context, m mode, log *slog.Logger) error {
	return s.servers.each(ctx, func(ctx context.Context, client *redis.Client) error {
		text, err := client.Info(ctx, "server", "memory", "persistence", "replication").Result()
		if err != nil {
			return failure(ctx, "ask for the version", err)
		}
		if m == cluster {
			return checkServer(m, parseInfo(text), log.With("at", client.Options().Addr))
		}
		return checkServer(m, parseInfo(text), log)
	})
}

func checkServer(m mode, info map[string]string, log *slog.Logger) error {
	version := info["redis_version"]
	major, _, _ := strings.Cut(version, ".")
	if n, err := strconv.Atoi(major); err != nil || n < minMajor {
		return fmt.Errorf("the server is Redis %q, gomokud needs %d or later", version, minMajor)
	}
	if info["redis_mode"] == "sentinel" {
		return errors.New("the server is a sentinel: the URL should be redis+sentinel://HOST/MASTER")
	}
	if m == oneServer && info["redis_mode"] == "cluster" {
		log.Warn("redis is a node of a cluster: with redis+cluster:// the others are used too")
	}
	if policy := info["maxmemory_policy"]; policy != "noeviction" {
		log.Warn("redis may evict games: set maxmemory-policy noeviction", "policy", policy)
	}
	if info["aof_enabled"] != "1" {
		log.Warn("redis forgets acknowledged moves when it stops: set appendonly yes")
	}
	// It says how many replicas are good only where their number matters.
	if _, counted := info["min_slaves_good_slaves"]; m == sentinel && !counted {
		log.Warn("a redis master that is cut off would acknowledge moves that a failover loses: set min-replicas-to-write 1")
	}
	return nil
}

// parseInfo splits INFO's lines into names and values.
func parseInfo(text string) map[string]string {
	info := make(map[string]string)
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			info[name] = value
		}
	}
	return info
}
