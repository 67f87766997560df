package load

import (
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
	// it keeps goes to the folder. What others must not see is in env.
	args(folder string) (args, env []string)
	// login connects the n-th player.
	login(ctx context.Context, addr string, n int) (*player, error)
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

// floor is the bare relay.
type floor struct {
	clock time.Duration
}

func (floor) name() string { return "floor" }

func (floor) args(string) (args, env []string) { return []string{"bench", "relay"}, nil }

func (floor) login(ctx context.Context, addr string, n int) (*player, error) {
	w, err := connect(ctx, addr, "/ws", nil)
	if err != nil {
		return nil, err
	}
	return newPlayer(w, fmt.Sprintf("p%011d", n)), nil
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
