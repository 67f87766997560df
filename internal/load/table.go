package load

import (
	"context"
	"errors"
	"time"
)

// table is two players who play game after game.
type table struct {
	service  service
	meter    *meter
	players  [2]*player // Black of the coming game first
	audience *audience  // nil: nobody watches
	number   int        // for the audience
	room     string
	games    int           // begun so far
	length   int           // moves of a game
	pause    time.Duration // between two moves; none in a closed loop
	offset   time.Duration // of the first move, so that tables do not move in step
}

// play plays until ctx ends. The first game is seated already.
func (t *table) play(ctx context.Context) error {
	start := t.meter.now() + t.offset
	for {
		err := t.game(start)
		if err == nil {
			start = max(t.meter.now(), start+time.Duration(t.length)*t.pause)
			err = t.next(ctx)
		}
		if ctx.Err() != nil || errors.Is(err, errStopped) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// next seats the players for another game, and has the audience follow them if
// the room is a new one.
func (t *table) next(ctx context.Context) error {
	room := t.room
	if err := t.service.seat(t); err != nil {
		return err
	}
	t.games++
	if t.audience == nil || room == t.room {
		return nil
	}
	return t.audience.follow(ctx, t.number, t.room)
}

// game plays one game, each side in a goroutine of its own. If one fails the
// other is cut off, since it would wait for a move that never comes.
func (t *table) game(start time.Duration) error {
	black, white := t.players[0], t.players[1]
	ends := make(chan error, 2)
	go func() { ends <- black.game(t, white, true, start) }()
	go func() { ends <- white.game(t, black, false, start) }()
	first := <-ends
	if first != nil {
		black.wire.close()
		white.wire.close()
	}
	if second := <-ends; first == nil {
		return second
	}
	return first
}
