package load

import (
	"bytes"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// player is one connection: somebody at a table, or somebody who watches.
type player struct {
	wire *wire
	addr string // where it connects
	id   string
	key  string // that proves who it is, where anybody asks
	by   []byte // what marks the messages that the player's own commands led to
	seq  int    // of its commands
	room string
	sent atomic.Int64 // when its last move was sent, on the meter's clock
}

func newPlayer(addr, id string) *player {
	return &player{addr: addr, id: id, by: []byte(`"by":"` + id + `"`)}
}

// signal is what a message means to a player.
type signal int

const (
	nothing  signal = iota
	ownMove         // my move is stored
	moveMade        // somebody else's move
	trouble         // refused, or the service is going
)

// The messages come from our own server, which writes the type first and no
// spaces; to look for a few bytes costs a tenth of decoding.
var (
	eventsHead = []byte(`{"type":"events"`)
	placedMark = []byte(`"kind":"placed"`)
	errorHead  = []byte(`{"type":"error"`)
	byeHead    = []byte(`{"type":"bye"`)
	busyMark   = []byte(`"code":"busy"`)
)

// What a service may say to a command.
var (
	errRefused = errors.New("the service said")
	errBusy    = errors.New("the service is busy and said")
)

func (p *player) meaning(message []byte) signal {
	switch {
	case bytes.HasPrefix(message, eventsHead):
		if !bytes.Contains(message, placedMark) {
			return nothing
		}
		if bytes.Contains(message, p.by) {
			return ownMove
		}
		return moveMade
	case bytes.HasPrefix(message, errorHead), bytes.HasPrefix(message, byeHead):
		return trouble
	}
	return nothing
}

// await reads until a move of the kind that is due arrives; any other is a
// fault of the service.
func (p *player) await(due signal) error {
	for {
		message, err := p.wire.read()
		if err != nil {
			return err
		}
		switch got := p.meaning(message); got {
		case nothing:
		case due:
			return nil
		default:
			return fmt.Errorf("the service said what it should not: %.300s", message)
		}
	}
}

// expect reads until a message that holds all the marks, and returns it. It is
// for what happens between games.
func (p *player) expect(marks ...string) ([]byte, error) {
	for {
		message, err := p.wire.read()
		if err != nil {
			return nil, fmt.Errorf("wait for %v: %w", marks, err)
		}
		if p.meaning(message) == trouble {
			err := errRefused
			if bytes.Contains(message, busyMark) {
				err = errBusy
			}
			return nil, fmt.Errorf("wait for %v: %w: %.300s", marks, err, message)
		}
		found := true
		for _, mark := range marks {
			found = found && bytes.Contains(message, []byte(mark))
		}
		if found {
			return message, nil
		}
	}
}

// game plays one side of a whole game; it is over when the last move of the
// order has arrived.
func (p *player) game(t *table, peer *player, black bool, start time.Duration) error {
	for ply := range t.length {
		if mine := ply%2 == 0 == black; !mine {
			if err := p.await(moveMade); err != nil {
				return err
			}
			t.meter.arrived(peer.sent.Load())
			continue
		}
		if !t.meter.until(start + time.Duration(ply)*t.pause) {
			return errStopped
		}
		sent := t.meter.now()
		p.sent.Store(int64(sent))
		if err := p.wire.send(func(dst []byte) []byte { return t.service.appendMove(dst, p, ply) }); err != nil {
			return err
		}
		if err := p.await(ownMove); err != nil {
			return err
		}
		t.meter.acknowledged(int64(sent))
	}
	return nil
}

// watch counts what a spectator is shown until the connection ends.
func (p *player) watch(m *meter) error {
	for {
		message, err := p.wire.read()
		if err != nil {
			return err
		}
		switch p.meaning(message) {
		case moveMade:
			m.delivered()
		case trouble:
			return fmt.Errorf("the service said to a spectator: %.300s", message)
		}
	}
}
