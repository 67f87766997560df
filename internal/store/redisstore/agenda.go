package redisstore

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/redis/go-redis/v9"
)

// Due implements hub.Agenda. It first looks, in all partitions at once, which
// writes nothing while there is nothing to do; then it claims what it saw, and
// gets what no other node has claimed meanwhile.
func (s *Store) Due(ctx context.Context, now, again int64, limit int) ([]string, error) {
	if limit <= 0 {
		return nil, nil
	}
	seen, err := s.rooms(ctx, func(p partition) []any {
		return []any{p.due(), "-inf", now, "byscore", "limit", 0, limit, "withscores"}
	})
	if err != nil {
		return nil, failure(ctx, "look for due rooms", err)
	}
	slices.SortFunc(seen, func(a, b redis.Z) int { return cmp.Compare(a.Score, b.Score) })
	seen = seen[:min(limit, len(seen))]
	claimed, err := s.claim(ctx, seen, again)
	if err != nil {
		return nil, failure(ctx, "claim due rooms", err)
	}
	var rooms []string
	for _, z := range seen {
		if room := z.Member.(string); claimed[room] {
			rooms = append(rooms, room)
		}
	}
	return rooms, nil
}

// claim puts the rooms' wakes off, unless they have changed since.
func (s *Store) claim(ctx context.Context, seen []redis.Z, again int64) (map[string]bool, error) {
	args := make(map[partition][]any)
	for _, z := range seen {
		room := z.Member.(string)
		p := partitionOf(room)
		if args[p] == nil {
			args[p] = []any{again}
		}
		args[p] = append(args[p], room, strconv.FormatFloat(z.Score, 'f', -1, 64))
	}
	claimed := make(map[string]bool)
	for p, args := range args {
		cmd, err := s.call(ctx, s.scripts.claim, []string{p.due()}, args...)
		if err != nil {
			return nil, err
		}
		rooms, err := cmd.StringSlice()
		if err != nil {
			return nil, err
		}
		for _, room := range rooms {
			claimed[room] = true
		}
	}
	return claimed, nil
}

// Live implements hub.Agenda.
func (s *Store) Live(ctx context.Context, limit int) ([]string, error) {
	if limit <= 0 {
		return nil, nil
	}
	seen, err := s.rooms(ctx, func(p partition) []any {
		return []any{p.live(), 0, limit - 1, "rev", "withscores"}
	})
	if err != nil {
		return nil, failure(ctx, "list live rooms", err)
	}
	slices.SortFunc(seen, func(a, b redis.Z) int { return cmp.Compare(b.Score, a.Score) })
	rooms := make([]string, min(limit, len(seen)))
	for i := range rooms {
		rooms[i] = seen[i].Member.(string)
	}
	return rooms, nil
}

// gather asks all partitions at once.
func gather[C redis.Cmder](ctx context.Context, s *Store, ask func(context.Context, partition) C) (answers [partitions]C, errs [partitions]error) {
	var asking sync.WaitGroup
	for n := range partitions {
		p := partitionKeys(n)
		asking.Go(func() {
			answers[n], errs[n] = run(ctx, s.servers, p.due(), func(ctx context.Context) C { return ask(ctx, p) })
		})
	}
	asking.Wait()
	return answers, errs
}

// rooms gathers from sorted sets. What a part of a cluster does not tell is
// left out: its rooms cannot be served now, the others can.
func (s *Store) rooms(ctx context.Context, args func(partition) []any) (all []redis.Z, err error) {
	answers, errs := gather(ctx, s, func(ctx context.Context, p partition) *redis.ZSliceCmd {
		return redis.NewZSliceCmd(ctx, append([]any{"zrange"}, args(p)...)...)
	})
	answered := 0
	for n, cmd := range answers {
		if errs[n] == nil {
			answered++
			all = append(all, cmd.Val()...)
		}
	}
	if answered == 0 {
		return nil, errs[0]
	}
	return all, ctx.Err()
}

// RoomsOf implements hub.Agenda. It is asked by everybody who comes back, so
// that one server is asked for all partitions in one command.
func (s *Store) RoomsOf(ctx context.Context, player string) ([]string, error) {
	if s.servers.whole() {
		union := []any{"sunion"}
		for n := range partitions {
			union = append(union, partitionKeys(n).mine(player))
		}
		cmd, err := run(ctx, s.servers, "", func(ctx context.Context) *redis.StringSliceCmd {
			return redis.NewStringSliceCmd(ctx, union...)
		})
		if err != nil {
			return nil, failure(ctx, "list a player's rooms", err)
		}
		return cmd.Val(), nil
	}
	answers, errs := gather(ctx, s, func(ctx context.Context, p partition) *redis.StringSliceCmd {
		return redis.NewStringSliceCmd(ctx, "smembers", p.mine(player))
	})
	var rooms []string
	for n, cmd := range answers {
		if errs[n] != nil {
			return nil, failure(ctx, "list a player's rooms", errs[n])
		}
		rooms = append(rooms, cmd.Val()...)
	}
	return rooms, nil
}
