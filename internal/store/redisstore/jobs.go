package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"gomokud/internal/store"
)

// The hints for workers are a stream with one consumer group; each worker is a
// consumer. A claim that is not renewed (Enlist) becomes idle and may be taken
// over. An entry is deleted when its turn is over, so that the stream is as
// long as there is work under way.
const (
	workers = "workers" // the group

	hintKept   = 10 * time.Second // after its deadline
	workerKept = time.Minute      // after its last word
)

// jobScripts are the Lua files of the hints.
type jobScripts struct{ ask, enlist, crew script }

// Jobs is one lane of hints, with the workers that take them: those of one lane
// never wait for another's.
type Jobs struct {
	store       *Store
	hints, crew string // keys
}

// Jobs returns the lane of a name; the first has none.
func (s *Store) Jobs(lane string) *Jobs {
	if lane != "" {
		lane = ":" + lane
	}
	return &Jobs{store: s, hints: keyHints + lane, crew: keyCrew + lane}
}

// Ask implements jobs.Queue.
func (j *Jobs) Ask(ctx context.Context, h store.Hint, limit time.Duration) (left time.Duration, fresh bool, err error) {
	doing := "ask for a bot's turn in room " + h.Room
	cmd, err := j.store.call(ctx, j.store.scripts.jobs.ask, []string{j.hints, j.crew, keyAsked(h.Room, h.Version)},
		h.Room, h.Version, h.Bot, limit.Milliseconds(), hintKept.Milliseconds())
	if errors.Is(err, redis.Nil) {
		return 0, false, fmt.Errorf("%s: %w", doing, store.ErrNoWorker)
	}
	if err != nil {
		return 0, false, failure(ctx, doing, err)
	}
	reply, err := cmd.Int64Slice()
	if err != nil || len(reply) != 2 {
		return 0, false, failure(ctx, doing, errors.Join(errReply, err))
	}
	return time.Duration(reply[0]) * time.Millisecond, reply[1] == 1, nil
}

// Crew implements jobs.Queue.
func (j *Jobs) Crew(ctx context.Context) (store.Crew, error) {
	cmd, err := j.store.call(ctx, j.store.scripts.jobs.crew, []string{j.crew, j.hints}, workers)
	if err != nil {
		return store.Crew{}, failure(ctx, "ask who works", err)
	}
	reply, err := cmd.Slice()
	if err != nil || len(reply) < 2 {
		return store.Crew{}, failure(ctx, "ask who works", errors.Join(errReply, err))
	}
	waiting, _ := reply[0].(int64)
	taken, _ := reply[1].(int64)
	crew := store.Crew{Waiting: int(waiting), Taken: int(taken)}
	for _, v := range reply[2:] {
		crew.Workers = append(crew.Workers, parseWorker(v))
	}
	return crew, nil
}

// parseWorker reads a worker as crew.lua returns it.
func parseWorker(v any) store.Worker {
	fields, _ := v.([]any)
	if len(fields) != 3 {
		return store.Worker{}
	}
	name, _ := fields[0].(string)
	threads, _ := fields[1].(int64)
	bots, _ := fields[2].([]any)
	w := store.Worker{Name: name, Threads: int(threads)}
	for _, bot := range bots {
		if bot, ok := bot.(string); ok {
			w.Bots = append(w.Bots, bot)
		}
	}
	return w
}

// Enlist implements jobs.Work.
func (j *Jobs) Enlist(ctx context.Context, w store.Worker, ttl time.Duration, claims []string) error {
	return j.enlist(ctx, w, ttl, workerKept, claims)
}

func (j *Jobs) enlist(ctx context.Context, w store.Worker, ttl, kept time.Duration, claims []string) error {
	args := []any{workers, w.Name, w.Threads, ttl.Milliseconds(), kept.Milliseconds(), len(w.Bots)}
	for _, list := range [][]string{w.Bots, claims} {
		for _, word := range list {
			args = append(args, word)
		}
	}
	if _, err := j.store.call(ctx, j.store.scripts.jobs.enlist, []string{j.crew, j.hints}, args...); err != nil {
		return failure(ctx, "enlist", err)
	}
	return nil
}

// Leave implements jobs.Work.
func (j *Jobs) Leave(ctx context.Context, worker string) error {
	if err := j.store.client.HDel(ctx, j.crew, worker).Err(); err != nil {
		return failure(ctx, "leave the workers", err)
	}
	return nil
}

// Take implements jobs.Work. A wait that has begun outlasts its context.
func (j *Jobs) Take(ctx context.Context, worker string, most int, wait time.Duration) ([]store.Claim, error) {
	var streams []redis.XStream
	err := j.inGroup(ctx, func() (err error) {
		streams, err = j.store.client.XReadGroup(ctx, &redis.XReadGroupArgs{
			Group: workers, Consumer: worker, Streams: []string{j.hints, ">"},
			Count: int64(most), Block: max(wait, time.Millisecond),
		}).Result()
		return err
	})
	if errors.Is(err, redis.Nil) || err == nil && len(streams) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, failure(ctx, "take hints", err)
	}
	return parseClaims(streams[0].Messages), nil
}

// TakeOver implements jobs.Work.
func (j *Jobs) TakeOver(ctx context.Context, worker string, most int, idle time.Duration) ([]store.Claim, error) {
	var entries []redis.XMessage
	err := j.inGroup(ctx, func() (err error) {
		entries, _, err = j.store.client.XAutoClaim(ctx, &redis.XAutoClaimArgs{
			Stream: j.hints, Group: workers, Consumer: worker, MinIdle: idle, Start: "0", Count: int64(most),
		}).Result()
		return err
	})
	if err != nil {
		return nil, failure(ctx, "take hints over", err)
	}
	return parseClaims(entries), nil
}

// inGroup runs a command of the group, which is made where it does not exist:
// at the first time, and when the server lost it.
func (j *Jobs) inGroup(ctx context.Context, run func() error) error {
	err := run()
	if !redis.HasErrorPrefix(err, "NOGROUP") {
		return err
	}
	err = j.store.client.XGroupCreateMkStream(ctx, j.hints, workers, "0").Err()
	if err != nil && !redis.HasErrorPrefix(err, "BUSYGROUP") { // another was faster
		return err
	}
	return run()
}

// parseClaims reads entries of the stream. One that cannot be read has no room:
// whoever takes it finds none.
func parseClaims(entries []redis.XMessage) []store.Claim {
	claims := make([]store.Claim, len(entries))
	for i, e := range entries {
		text := func(field string) string { s, _ := e.Values[field].(string); return s }
		c := store.Claim{ID: e.ID, Hint: store.Hint{Room: text("room"), Bot: text("bot")}}
		c.Version, _ = strconv.Atoi(text("version"))
		c.Deadline, _ = strconv.ParseInt(text("deadline"), 10, 64)
		claims[i] = c
	}
	return claims
}

// Done implements jobs.Work.
func (j *Jobs) Done(ctx context.Context, id string) error {
	_, err := j.store.client.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.XAck(ctx, j.hints, workers, id)
		pipe.XDel(ctx, j.hints, id)
		return nil
	})
	if err != nil {
		return failure(ctx, "finish a hint", err)
	}
	return nil
}

// Outages implements hub.Aside.
func (s *Store) Outages(ctx context.Context, now int64, gap time.Duration) ([]store.Outage, error) {
	const doing = "ask for outages"
	var beat *redis.StringCmd
	var spans *redis.StringSliceCmd
	// In this order: what lies before a beat that is seen is on record.
	_, err := s.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		beat = pipe.Get(ctx, keyBeat)
		spans = pipe.ZRange(ctx, keyOutages, 0, -1)
		return nil
	})
	if err != nil && !errors.Is(err, redis.Nil) {
		return nil, failure(ctx, doing, err)
	}
	if last, err := beat.Int64(); err != nil || now-last > gap.Milliseconds() {
		return nil, fmt.Errorf("%s: %w: no node has been heard for %v", doing, store.ErrUnavailable, gap)
	}
	return parseOutages(ctx, spans.Val())
}
