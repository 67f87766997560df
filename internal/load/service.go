package load

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"time"

	"gomokud/internal/rules"
)

// service is something that is measured. Its methods are called from one
// goroutine per table.
type service interface {
	name() string
	// args start it as a child process of our own program, on a free port; what
	// it keeps goes to the store: Embedded, in the folder, or a redis:// URL. What
	// others must not see is in env.
	args(folder, store string) (args, env []string)
	// procs is the GOMAXPROCS of a server; 0 if it does not tell.
	procs(ctx context.Context, addr string) (int, error)
	// login makes the n-th player known, who is not connected yet.
	login(ctx context.Context, addr string, n int) (*player, error)
	// dial connects a player.
	dial(ctx context.Context, p *player) (*wire, error)
	// resume has a player who has connected again shown the room, in which so
	// many moves have been made. A service without a memory shows none.
	resume(p *player, moves int) error
	// seat arranges the table's next game, in a new room if need be, with Black
	// first among its players.
	seat(t *table) error
	// follow lets a spectator see a room. The answer, and what comes after it,
	// is left to be read.
	follow(p *player, room string) error
	// appendMove appends the message that makes the player's move.
	appendMove(dst []byte, p *player, ply int) []byte
}

var order = moveOrder()

// names are the points of the order as they are written in messages.
var names = func() (texts []string) {
	for _, p := range order {
		texts = append(texts, p.String())
	}
	return texts
}()

// floor is the relay: a bare one, or a durable one, which keeps the moves.
type floor struct {
	clock   time.Duration
	durable bool
}

// The names of the floors.
const (
	bareFloor    = "floor"
	durableFloor = "durable floor"
)

func (f floor) name() string {
	if f.durable {
		return durableFloor
	}
	return bareFloor
}

func (f floor) args(_, store string) (args, env []string) {
	if f.durable {
		env = []string{"GOMOKUD_STORE=" + store}
	}
	return []string{"bench", "relay"}, env
}

func (floor) procs(context.Context, string) (int, error) { return 0, nil }

func (floor) login(_ context.Context, addr string, n int) (*player, error) {
	return newPlayer(addr, fmt.Sprintf("p%011d", n)), nil
}

func (floor) dial(ctx context.Context, p *player) (*wire, error) {
	return connect(ctx, p.addr, "/ws", nil)
}

func (f floor) resume(p *player, moves int) error {
	if err := f.follow(p, p.room); err != nil {
		return err
	}
	greeting, err := p.expect(p.room)
	if err != nil {
		return err
	}
	if n := bytes.Count(greeting, placedMark); f.durable && n != moves {
		return fmt.Errorf("%d of %d moves are back: %.300s", n, moves, greeting)
	}
	return nil
}

func (f floor) seat(t *table) error {
	if t.room != "" {
		t.players[0], t.players[1] = t.players[1], t.players[0] // as a rematch does
		return nil
	}
	t.room = "k" + t.players[0].id[1:]
	for _, p := range t.players {
		if err := f.follow(p, t.room); err != nil {
			return err
		}
		if _, err := p.expect(t.room); err != nil {
			return err
		}
	}
	return nil
}

func (floor) follow(p *player, room string) error {
	p.room = room
	return p.wire.write(opText, []byte(room))
}

// appendMove appends what the real server would send: the relay passes on what
// it gets, and most of its work is to send.
func (f floor) appendMove(dst []byte, p *player, ply int) []byte {
	p.seq++
	dst = append(dst, `{"type":"events","room":"`...)
	dst = append(dst, p.room...)
	dst = append(dst, `","id":"m`...)
	dst = strconv.AppendInt(dst, int64(p.seq), 10)
	dst = append(dst, `",`...)
	dst = append(dst, p.by...)
	dst = append(dst, `,"version":`...)
	dst = strconv.AppendInt(dst, int64(ply+4), 10)
	dst = append(dst, `,"now":1764000009500,"events":[{"kind":"placed","at":1764000009490,"point":"`...)
	dst = append(dst, names[ply]...)
	dst = append(dst, `","clock":{`...)
	if f.clock > 0 {
		dst = append(dst, `"main":3599000`...)
	}
	dst = append(dst, `},"cmd":{"id":"m`...)
	dst = strconv.AppendInt(dst, int64(p.seq), 10)
	dst = append(dst, `",`...)
	dst = append(dst, p.by...)
	dst = append(dst, `,"sum":1234567890}}],"view":{"turn":"`...)
	dst = append(dst, (rules.Black + rules.Color((ply+1)%2)).String()...)
	if f.clock > 0 {
		dst = append(dst, `","running":true,"clocks":{"black":{"main":3599000},"white":{"main":3599000}},"forbidden":[]}}`...)
	} else {
		dst = append(dst, `","running":false,"forbidden":[]}}`...)
	}
	return dst
}
