package redisstore

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"gomokud/internal/store"
)

// Claimed says who has claimed an entry and when the claim was last renewed.
func (j *Jobs) Claimed(ctx context.Context, id string) (worker string, idle time.Duration, err error) {
	entries, err := j.store.client.XPendingExt(ctx, &redis.XPendingExtArgs{
		Stream: j.hints, Group: workers, Start: id, End: id, Count: 1,
	}).Result()
	if err != nil || len(entries) == 0 {
		return "", 0, err
	}
	return entries[0].Consumer, entries[0].Idle, nil
}

// EnlistForgetting enlists a worker that remembers no dead ones.
func (j *Jobs) EnlistForgetting(ctx context.Context, w store.Worker) error {
	return j.enlist(ctx, w, time.Minute, 0, nil)
}

// Consumers lists the group's.
func (j *Jobs) Consumers(ctx context.Context) (names []string, err error) {
	all, err := j.store.client.XInfoConsumers(ctx, j.hints, workers).Result()
	for _, c := range all {
		names = append(names, c.Name)
	}
	return names, err
}
