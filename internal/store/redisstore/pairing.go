package redisstore

import (
	"context"
	"time"

	"gomokud/internal/store"
)

// pairingKept is how long a player may take to ask what became of a ticket, from
// any node, also of one that was withdrawn.
const pairingKept = time.Minute

// Pair implements hub.Pairing. The caller who completes a pair gets the same
// answer again if it repeats the very call (with the same room): the first
// answer may have been lost on its way.
func (s *Store) Pair(ctx context.Context, t store.Ticket, now int64, ttl time.Duration) (store.Pairing, error) {
	cmd, err := s.call(ctx, s.scripts.pair,
		[]string{keyTicket + t.Player, keyPairing + t.Player, keyQueue + t.Queue, keySearches},
		t.Player, t.Queue, t.Room, string(t.Data), now, ttl.Milliseconds(), pairingKept.Milliseconds(),
		keyTicket, keyPairing, keyQueue, t.Begun, store.MostSearches)
	if err != nil {
		return store.Pairing{}, failure(ctx, "pair a player", err)
	}
	reply, err := cmd.Slice()
	if err != nil || len(reply) < 2 {
		return store.Pairing{}, failure(ctx, "pair a player", errReply)
	}
	p := store.Pairing{}
	p.Since, _ = reply[0].(int64)
	p.Room, _ = reply[1].(string)
	if len(reply) == 3 {
		p.Opponent = parseTicket(reply[2])
	}
	return p, nil
}

// parseTicket reads an opponent as pair.lua returns it, or a search of
// searches.lua, which says when it began.
func parseTicket(v any) *store.Ticket {
	fields, _ := v.([]any)
	if len(fields) < 5 {
		return nil
	}
	text := func(i int) string { s, _ := fields[i].(string); return s }
	t := &store.Ticket{Player: text(0), Queue: text(1), Room: text(2), Data: []byte(text(3))}
	t.Since, _ = fields[4].(int64)
	if len(fields) > 5 {
		t.Begun, _ = fields[5].(int64)
	}
	return t
}

// Searches implements hub.Pairing.
func (s *Store) Searches(ctx context.Context, now int64) ([]store.Ticket, error) {
	cmd, err := s.call(ctx, s.scripts.searches, []string{keySearches}, now, keyTicket)
	if err != nil {
		return nil, failure(ctx, "list searches", err)
	}
	reply, err := cmd.Slice()
	if err != nil {
		return nil, failure(ctx, "list searches", errReply)
	}
	list := make([]store.Ticket, 0, len(reply))
	for _, fields := range reply {
		if t := parseTicket(fields); t != nil {
			list = append(list, *t)
		}
	}
	return list, nil
}

// Unpair implements hub.Pairing.
func (s *Store) Unpair(ctx context.Context, player string) error {
	_, err := s.call(ctx, s.scripts.unpair, []string{keyTicket + player, keyPairing + player}, player, keyQueue)
	if err != nil {
		return failure(ctx, "unpair a player", err)
	}
	return nil
}

// Settle implements hub.Pairing.
func (s *Store) Settle(ctx context.Context, player, room string, now int64) error {
	_, err := s.settle(ctx, player, room, now)
	return err
}

// Withdraw implements hub.Pairing.
func (s *Store) Withdraw(ctx context.Context, player string, now int64) (room string, err error) {
	return s.settle(ctx, player, "", now)
}

func (s *Store) settle(ctx context.Context, player, room string, now int64) (settled string, err error) {
	cmd, err := s.call(ctx, s.scripts.settle, []string{keyPairing + player, keyTicket + player},
		room, now, player, keyQueue, pairingKept.Milliseconds())
	if err != nil {
		return "", failure(ctx, "settle a search", err)
	}
	if settled, err = cmd.Text(); err != nil {
		return "", failure(ctx, "settle a search", errReply)
	}
	return settled, nil
}
