package redisstore

import (
	"context"
	"fmt"
	"time"

	"gomokud/internal/store"
)

// remembered is how long an outage is told of.
const remembered = 24 * time.Hour

// Attend implements hub.Presence.
func (s *Store) Attend(ctx context.Context, node, room string, a store.Attendance, now int64, ttl time.Duration) (store.Attendance, error) {
	cmd, err := s.call(ctx, s.scripts.attend, []string{partitionOf(room).here(room)},
		node, bit(a.Black), bit(a.White), a.Spectators, now, ttl.Milliseconds())
	if err != nil {
		return store.Attendance{}, failure(ctx, "attend room "+room, err)
	}
	sum, err := cmd.Int64Slice()
	if err != nil || len(sum) != 3 {
		return store.Attendance{}, failure(ctx, "attend room "+room, errReply)
	}
	return store.Attendance{Black: sum[0] != 0, White: sum[1] != 0, Spectators: int(sum[2])}, nil
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Beat implements hub.Presence.
func (s *Store) Beat(ctx context.Context, now int64, gap time.Duration) ([]store.Outage, error) {
	cmd, err := s.call(ctx, s.scripts.beat, []string{keyBeat, keyOutages},
		now, gap.Milliseconds(), remembered.Milliseconds())
	if err != nil {
		return nil, failure(ctx, "beat", err)
	}
	spans, err := cmd.StringSlice()
	if err != nil {
		return nil, failure(ctx, "beat", err)
	}
	return parseOutages(ctx, spans)
}

// parseOutages reads what beat.lua writes.
func parseOutages(ctx context.Context, spans []string) ([]store.Outage, error) {
	var outages []store.Outage
	for _, span := range spans {
		var o store.Outage
		if _, err := fmt.Sscanf(span, "%d:%d", &o.From, &o.To); err != nil {
			return nil, failure(ctx, "read outages", fmt.Errorf("outage %q: %w", span, err))
		}
		outages = append(outages, o)
	}
	return outages, nil
}
