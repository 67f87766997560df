package redisstore

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"gomokud/internal/store"
)

// Claimed says who has claimed an entry and when the claim was last renewed.
func (s *Store) Claimed(ctx context.Context, id string) (worker string, idle time.Duration, err error) {
	entries, err := s.client.XPendingExt(ctx, &redis.XPendingExtArgs{
		Stream: keyHints, Group: workers, Start: id, End: id, Count: 1,
	}).Result()
	if err != nil || len(entries) == 0 {
		return "", 0, err
	}
	return entries[0].Consumer, entries[0].Idle, nil
}

// EnlistForgetting enlists a worker that remembers no dead ones.
func (s *Store) EnlistForgetting(ctx context.Context, w store.Worker) error {
	return s.enlist(ctx, w, time.Minute, 0, nil)
}

// Consumers lists the group's.
func (s *Store) Consumers(ctx context.Context) (names []string, err error) {
	all, err := s.client.XInfoConsumers(ctx, keyHints, workers).Result()
	for _, c := range all {
		names = append(names, c.Name)
	}
	return names, err
}
