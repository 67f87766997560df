package redisstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"gomokud/internal/store"
)

// Append implements hub.Logs.
func (s *Store) Append(ctx context.Context, c store.Commit) error {
	err := c.Check()
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		if c.Expected > 0 && c.Index == nil {
			err = s.lane(c.Room).extend(ctx, c)
		} else {
			err = s.append(ctx, c)
		}
	}
	if err != nil {
		return fmt.Errorf("append to room %s: %w", c.Room, err)
	}
	return nil
}

// append founds a room or changes lists.
func (s *Store) append(ctx context.Context, c store.Commit) error {
	keys, args := s.appendCall(c)
	cmd, err := s.callHere(ctx, s.scripts.append, keys, args...)
	if displaced(err) {
		cmd, err = s.callMoving(ctx, s.scripts.append, keys, args...)
	}
	if err != nil {
		return unavailable(ctx, err)
	}
	version, err := cmd.Int64()
	if err != nil {
		return unavailable(ctx, err)
	}
	if version < 0 {
		return fmt.Errorf("%w: to %d events, not %d", store.ErrConflict, -1-version, c.Expected)
	}
	return nil
}

// appendCall is the call of append.lua.
func (s *Store) appendCall(c store.Commit) (keys []string, args []any) {
	p := partitionOf(c.Room)
	keys = []string{p.log(c.Room), p.room(c.Room), p.due(), p.live()}
	epoch, index := "", ""
	if c.Expected == 0 {
		epoch = store.NewEpoch()
	}
	var players []string
	if c.Index != nil {
		index = flag(c.Index.Live, "L") + flag(c.Index.Done, "D")
		players = c.Index.Players
	}
	args = make([]any, 0, 8+len(players)+len(c.Events))
	args = append(args, c.Room, c.Expected, c.Wake, epoch, index, s.keep.Milliseconds(), p.mine(""), len(players))
	for _, player := range players {
		keys = append(keys, p.mine(player))
		args = append(args, player)
	}
	for _, e := range c.Events {
		args = append(args, string(e)) // a copy: the call may outlast the caller's wait
	}
	return keys, args
}

func flag(set bool, letter string) string {
	if set {
		return letter
	}
	return "-"
}

// Read implements hub.Logs.
func (s *Store) Read(ctx context.Context, room string, from int) (store.Tail, error) {
	doing := "read room " + room
	p := partitionOf(room)
	cmd, err := s.call(ctx, s.scripts.read, []string{p.log(room), p.room(room)}, max(from, 0))
	if errors.Is(err, redis.Nil) {
		return store.Tail{}, fmt.Errorf("%s: %w", doing, store.ErrNotFound)
	}
	if err != nil {
		return store.Tail{}, failure(ctx, doing, err)
	}
	reply, err := cmd.Slice()
	if err != nil || len(reply) != 3 {
		return store.Tail{}, failure(ctx, doing, errors.Join(errReply, err))
	}
	epoch, _ := reply[0].(string)
	version, _ := reply[1].(int64)
	events, _ := reply[2].([]any)
	tail := store.Tail{Epoch: epoch, Version: int(version)}
	for _, e := range events {
		s, _ := e.(string)
		tail.Events = append(tail.Events, []byte(s))
	}
	return tail, nil
}

// errReply: a script answered what it never should.
var errReply = errors.New("redisstore: unexpected reply")
