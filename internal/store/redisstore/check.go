package redisstore

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
)

// minMajor is the first Redis with shard channels and script flags.
const minMajor = 7

// check refuses a server that is too old, and warns of one that may lose what
// it has acknowledged: gomokud wants appendonly yes and maxmemory-policy
// noeviction. With appendfsync everysec, the default, a power cut may take the
// last second; with always it takes nothing.
func (s *Store) check(ctx context.Context, log *slog.Logger) error {
	text, err := s.client.Info(ctx, "server", "memory", "persistence").Result()
	if err != nil {
		return failure(ctx, "ask for the version", err)
	}
	info := parseInfo(text)
	version := info["redis_version"]
	major, _, _ := strings.Cut(version, ".")
	if n, err := strconv.Atoi(major); err != nil || n < minMajor {
		return fmt.Errorf("the server is Redis %q, gomokud needs %d or later", version, minMajor)
	}
	if policy := info["maxmemory_policy"]; policy != "noeviction" {
		log.Warn("redis may evict games: set maxmemory-policy noeviction", "policy", policy)
	}
	if info["aof_enabled"] != "1" {
		log.Warn("redis forgets acknowledged moves when it stops: set appendonly yes")
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
