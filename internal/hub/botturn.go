package hub

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/match"
	"gomokud/internal/rules"
)

const (
	botPatience = 10 * time.Second // after so long somebody asks the bot again
	botThinks   = 5 * time.Second  // the longest that it may think
)

// nudge asks the bot for a move if it is its turn and it has not been asked in
// this position, and calls off what it was asked in another. A bot's turn
// follows from the log alone, so that no restart leaves a silent bot.
func (r *room) nudge() {
	bot, turn := r.state.BotToMove()
	position := int64(0)
	if turn {
		position = int64(r.state.Position)
	}
	asked := r.asked.Load()
	for asked != position && asked != -position && !r.asked.CompareAndSwap(asked, position) {
		asked = r.asked.Load()
	}
	if asked == position || asked == -position {
		return
	}
	if asked > 0 {
		r.hub.thinker.Cancel(r.id)
		r.letGo()
	}
	if !turn {
		return
	}
	// As long as a bot thinks the room stays in memory, though nobody may follow
	// it: who else would hear that the game has ended, and call the bot off?
	if !r.hub.hold(r) {
		r.asked.Store(0) // the room is closing; whoever opens it next asks
		return
	}
	err := errors.New("the pool failed")
	defer func() {
		if err != nil && r.asked.CompareAndSwap(position, 0) {
			r.letGo()
		}
	}()
	err = r.hub.thinker.Submit(r.job(bot), func(a ai.Answer) {
		wanted := r.asked.CompareAndSwap(position, -position)
		r.hub.spawn(func(ctx context.Context) {
			if wanted {
				defer r.hub.release(r)
			}
			// Whatever becomes of the answer, the bot may be asked again, but not while it
			// is on its way.
			defer r.asked.CompareAndSwap(-position, 0)
			_, err := r.hub.botMoves(ctx, bot, a)
			if err != nil && ctx.Err() == nil && !errors.Is(err, context.Canceled) {
				r.hub.log.Warn("a bot could not move", "room", r.id, "bot", bot.Bot, "err", err)
			}
		})
	})
	if err != nil { // the wake-up that is stored with the position brings us back
		r.hub.log.Warn("no bot could be asked", "room", r.id, "bot", bot.Bot, "err", err)
	}
}

// letGo gives back what kept the room in memory while the bot thought; beside
// us, since whoever lets go of a room last needs the token that we have.
func (r *room) letGo() { r.hub.spawn(func(context.Context) { r.hub.release(r) }) }

// job is the position for a bot, with a part of its time to think.
func (r *room) job(bot match.Player) ai.Job {
	s := r.state
	pos := ai.Position{Rule: s.Game.Rule, Size: s.Game.Size, ToMove: s.Turn()}
	for p, c := range s.Stones {
		pos.Stones = append(pos.Stones, ai.Stone{Point: p, Color: c})
	}
	budget := ai.Budget{Time: botThinks, Seed: seedOf(r.id, s.Number)}
	if !s.Game.Clock.Unlimited() {
		left := s.Game.Clock.Until(s.Seats.Of(s.Turn()).Clock)
		share := time.Duration(left/20+s.Game.Clock.Increment) * time.Millisecond
		budget.Time = max(50*time.Millisecond, min(budget.Time, share))
	}
	return ai.Job{
		Room: r.id, Owner: s.Seats.Of(s.Turn().Opponent()).ID, Version: s.Position,
		Bot: bot.Bot, Position: pos, Budget: budget,
	}
}

// seedOf makes every game of a bot's different, and the same on every node.
func seedOf(room string, game int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%d", room, game)
	return h.Sum64()
}

// botMoves plays what a bot thought out, unless the position has changed since,
// also while the move is on its way to the store: in another position it could
// be a move all the same.
func (h *Hub) botMoves(ctx context.Context, bot match.Player, a ai.Answer) (played bool, err error) {
	received := h.clock.now()
	err = h.within(ctx, a.Room, func(r *room) error {
		wanted := func() bool {
			_, turn := r.state.BotToMove()
			return turn && r.state.Position == a.Version
		}
		if !wanted() {
			return errPast
		}
		cmd := match.Command{ID: fmt.Sprintf("bot-%d", a.Version), By: bot}
		ply := len(r.state.Moves)
		switch {
		case a.Err == nil:
			cmd.Act, cmd.Failure = match.Place{Ply: ply, Point: a.Move}, string(a.Failure)
		case !errors.Is(a.Err, ai.ErrNoMove):
			return a.Err // asked again when the wake-up comes
		case r.state.Game.Rule == rules.Renju:
			cmd.Act = match.Pass{Ply: ply}
		default:
			cmd.Act = match.Resign{}
		}
		_, err := r.commandWhile(ctx, cmd, received, wanted)
		return err
	})
	if errors.Is(err, errPast) {
		return false, nil
	}
	return err == nil, err
}
