package redisstore

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// Due implements hub.Agenda. It first looks, in all partitions at once, which
// writes nothing while there is nothing to do; then it claims what it saw, and
// gets what no other node has claimed meanwhile.
func (s *Store) Due(ctx context.Context, now, again int64, limit int) ([]string, error) {
	if limit <= 0 {
		return nil, nil
	}
	seen, err := s.gather(ctx, func(pipe redis.Pipeliner, p partition) *redis.ZSliceCmd {
		return pipe.ZRangeArgsWithScores(ctx, redis.ZRangeArgs{
			Key: p.due(), ByScore: true, Start: "-inf", Stop: now, Count: int64(limit),
		})
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
	seen, err := s.gather(ctx, func(pipe redis.Pipeliner, p partition) *redis.ZSliceCmd {
		return pipe.ZRangeArgsWithScores(ctx, redis.ZRangeArgs{Key: p.live(), Rev: true, Start: 0, Stop: limit - 1})
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

// gather asks all partitions in one go.
func (s *Store) gather(ctx context.Context, ask func(redis.Pipeliner, partition) *redis.ZSliceCmd) ([]redis.Z, error) {
	var cmds [partitions]*redis.ZSliceCmd
	_, err := s.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for n := range cmds {
			cmds[n] = ask(pipe, partitionKeys(n))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var all []redis.Z
	for _, cmd := range cmds {
		all = append(all, cmd.Val()...)
	}
	return all, nil
}

// RoomsOf implements hub.Agenda.
func (s *Store) RoomsOf(ctx context.Context, player string) ([]string, error) {
	var cmds [partitions]*redis.StringSliceCmd
	_, err := s.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for n := range cmds {
			cmds[n] = pipe.SMembers(ctx, partitionKeys(n).mine(player))
		}
		return nil
	})
	if err != nil {
		return nil, failure(ctx, "list a player's rooms", err)
	}
	var rooms []string
	for _, cmd := range cmds {
		rooms = append(rooms, cmd.Val()...)
	}
	return rooms, nil
}
