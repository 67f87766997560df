package chaos

import (
	"encoding/json"
	"fmt"

	"gomokud/internal/match"
)

// message is any message from a node.
type message struct {
	Type    string            `json:"type"`
	ID      string            `json:"id"`
	By      string            `json:"by"`
	Room    string            `json:"room"`
	Epoch   string            `json:"epoch"`
	Code    string            `json:"code"`
	Retry   int64             `json:"retry"` // ms
	Version int               `json:"version"`
	Events  []json.RawMessage `json:"events"`
	State   *wholeState       `json:"state"`
}

type wholeState struct {
	snapshot
	Black  *match.Player       `json:"black"`
	White  *match.Player       `json:"white"`
	Offers map[what]color      `json:"offers"`
	Game   struct{ Rule rule } `json:"game"`
}

type (
	what  = string
	color = string
	rule  = string
)

// event is an event as a client reads it.
type event struct {
	Kind  string              `json:"kind"`
	Cmd   *match.Stamp        `json:"cmd"`
	Point string              `json:"point"`
	Plies int                 `json:"plies"`
	What  what                `json:"what"`
	Color color               `json:"color"`
	Seat  *match.Player       `json:"player"`
	Black string              `json:"black"`
	White string              `json:"white"`
	Num   int                 `json:"number"`
	Rule  struct{ Rule rule } `json:"game"`
}

// mirror is a room as a client has it, from what it was told alone.
type mirror struct {
	epoch   string
	version int
	state   snapshot
	seats   map[color]string // player IDs
	offers  map[what]color
	away    map[color]bool
	rule    rule
	placed  int // moves that it was told of as events
}

// newMirror knows nothing of the room but how many moves it has been told of.
func newMirror(placed int) mirror {
	return mirror{seats: map[color]string{}, offers: map[what]color{}, away: map[color]bool{}, placed: placed}
}

// tell folds a message into the mirror. It reports false when something is
// missing between the two.
func (m *mirror) tell(msg message, fresh func(stamp match.Stamp, version int)) (bool, error) {
	if msg.Type == "room" {
		*m = newMirror(m.placed)
		m.epoch, m.version, m.state, m.rule = msg.Epoch, msg.Version, msg.State.clone(), msg.State.Game.Rule
		for side, p := range map[color]*match.Player{"black": msg.State.Black, "white": msg.State.White} {
			if p != nil {
				m.seats[side] = p.ID
			}
		}
		for w, c := range msg.State.Offers {
			m.offers[w] = c
		}
		return true, nil
	}
	first := msg.Version - len(msg.Events)
	if first > m.version {
		return false, nil
	}
	for i, raw := range msg.Events {
		var e event
		if err := json.Unmarshal(raw, &e); err != nil {
			return true, err
		}
		if e.Cmd != nil {
			fresh(*e.Cmd, first+i+1)
		}
		if first+i < m.version {
			continue
		}
		m.version++
		if err := m.apply(e); err != nil {
			return true, fmt.Errorf("event %d, %s: %w", m.version, raw, err)
		}
	}
	return true, nil
}

func (m *mirror) apply(e event) error {
	s := &m.state
	switch e.Kind {
	case "created":
		s.Phase, m.rule = match.Open, e.Rule.Rule
	case "seated":
		m.seats[e.Color] = e.Seat.ID
	case "started":
		s.Phase, s.Number, s.Moves = match.Playing, e.Num, nil
		m.seats["black"], m.seats["white"] = e.Black, e.White
		clear(m.offers)
		clear(m.away)
	case "placed", "passed":
		mover := m.turn()
		s.Moves = append(s.Moves, e.Point)
		if e.Kind == "passed" {
			s.Moves[len(s.Moves)-1] = "pass"
		}
		m.placed++
		for w, by := range m.offers {
			if by != mover || w == "takeback" {
				delete(m.offers, w)
			}
		}
	case "offered":
		m.offers[e.What] = e.Color
	case "declined":
		delete(m.offers, e.What)
	case "takenback":
		s.Moves = s.Moves[:len(s.Moves)-e.Plies]
		delete(m.offers, "takeback")
		delete(m.offers, "draw")
	case "away":
		m.away[e.Color] = true
	case "back":
		delete(m.away, e.Color)
	case "credited":
	case "ended":
		s.Phase = match.Over
		clear(m.away)
		delete(m.offers, "takeback")
		delete(m.offers, "draw")
	default:
		return fmt.Errorf("unknown kind %q", e.Kind)
	}
	return nil
}

// turn is whose turn it is; empty when no game is on.
func (m *mirror) turn() color {
	switch {
	case m.state.Phase != match.Playing:
		return ""
	case len(m.state.Moves)%2 == 0:
		return "black"
	}
	return "white"
}

func (m *mirror) seatOf(player string) color {
	for c, id := range m.seats {
		if id == player {
			return c
		}
	}
	return ""
}

func opponent(c color) color {
	if c == "black" {
		return "white"
	}
	return "black"
}
