package hub

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gorilla/websocket"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// The wire protocol; docs/protocol.md explains it.

// Subprotocol names the version that both sides speak.
const Subprotocol = "gomokud.v1"

// Close codes: below 4500 the client may come back by itself.
const (
	closeDraining   = 4000
	closeTooSlow    = 4001
	closeSilent     = 4002
	closeBadMessage = 4500
	closeBadVersion = 4502
	closeFlood      = 4503
	closeTooMany    = 4504
)

// request is any message from a client; which fields it needs is its type's
// matter.
type request struct {
	Type    string      `json:"type"`
	ID      string      `json:"id"`
	Room    string      `json:"room"`
	Epoch   string      `json:"epoch"`
	Have    int         `json:"have"`
	Version int         `json:"version"`
	Game    *match.Game `json:"game"`
	Color   string      `json:"color"`
	Bot     string      `json:"bot"`
	Ply     *int        `json:"ply"`
	Point   string      `json:"point"`
	What    match.What  `json:"what"`
	On      *bool       `json:"on"`
}

// parseRequest decodes a message and checks what all types have in common.
func parseRequest(data []byte) (request, error) {
	var r request
	if !r.scan(data) {
		var err error
		if r, err = decodeRequest(data); err != nil {
			return r, err
		}
	}
	if len(r.ID) == 0 || len(r.ID) > 64 {
		r.ID = ""
		return r, errors.New("id must have 1 to 64 characters")
	}
	for _, c := range []byte(r.ID) {
		if c <= ' ' || c > '~' {
			r.ID = ""
			return r, errors.New("id must be printable ASCII")
		}
	}
	if r.Type == "" {
		return r, errors.New("type is missing")
	}
	if !nameOK(r.Room) {
		r.Room = ""
		return r, errors.New("room is no room's name")
	}
	return r, nil
}

func decodeRequest(data []byte) (request, error) {
	var r request
	if err := json.Unmarshal(data, &r); err != nil {
		r.ID = "" // whatever was read is not to be trusted
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			return r, fmt.Errorf("%s must not be a %s", wrong.Field, wrong.Value)
		}
		return r, errors.New("not a JSON object of this protocol")
	}
	return r, nil
}

// nameOK reports whether a room could have the name; none at all is fine, too.
func nameOK(room string) bool {
	for _, c := range []byte(room) {
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '-' && c != '_' {
			return false
		}
	}
	return len(room) <= 64
}

// Messages to clients.
type (
	helloMessage struct {
		Type     string       `json:"type"` // hello
		Protocol int          `json:"protocol"`
		Node     string       `json:"node"`
		Now      int64        `json:"now"`
		You      person       `json:"you"`
		Rooms    []string     `json:"rooms"`
		Seeking  *seekMessage `json:"seeking"`
		Limits   helloLimits  `json:"limits"`
	}
	helloLimits struct {
		MessageBytes      int64   `json:"message_bytes"`
		CommandsPerSecond float64 `json:"commands_per_second"`
	}
	okMessage struct {
		Type    string `json:"type"` // ok
		ID      string `json:"id"`
		Room    string `json:"room,omitempty"`
		Version int    `json:"version,omitempty"`
	}
	errorMessage struct {
		Type  string `json:"type"` // error
		ID    string `json:"id,omitempty"`
		Room  string `json:"room,omitempty"`
		Code  string `json:"code"`
		Text  string `json:"text"`
		Limit string `json:"limit,omitempty"`
		Retry int64  `json:"retry,omitempty"` // ms
	}
	seekMessage struct {
		Type  string     `json:"type"` // seeking
		Since int64      `json:"since"`
		Game  match.Game `json:"game"`
	}
	unseekingMessage struct { // the search was called off
		Type string `json:"type"` // unseeking
	}
	pairedMessage struct {
		Type string `json:"type"` // paired
		Room string `json:"room"`
	}
	roomMessage struct {
		Type       string    `json:"type"` // room
		ID         string    `json:"id"`
		Room       string    `json:"room"`
		Epoch      string    `json:"epoch"`
		Version    int       `json:"version"`
		Now        int64     `json:"now"`
		Spectators int       `json:"spectators"`
		State      stateView `json:"state"`
		View       view      `json:"view"`
	}
	eventsMessage struct {
		Type    string            `json:"type"` // events
		Room    string            `json:"room"`
		ID      string            `json:"id,omitempty"`
		By      string            `json:"by,omitempty"`
		Version int               `json:"version"`
		Now     int64             `json:"now"`
		Events  []json.RawMessage `json:"events"`
		View    view              `json:"view"`
	}
	spectatorsMessage struct {
		Type  string `json:"type"` // spectators
		Room  string `json:"room"`
		Count int    `json:"count"`
	}
	gamesMessage struct {
		Type    string     `json:"type"` // games
		Online  int        `json:"online"`
		Games   []gameCard `json:"games"`
		Gone    []string   `json:"gone"`
		Waiting *[]wanted  `json:"waiting,omitempty"` // nil: as it was told before
	}
	// wanted is a game for which players wait.
	wanted struct {
		Game    match.Game `json:"game"`
		Players int        `json:"players"`
	}
	pongMessage struct {
		Type string `json:"type"` // pong
		ID   string `json:"id"`
		Now  int64  `json:"now"`
	}
	byeMessage struct {
		Type   string `json:"type"` // bye
		Reason string `json:"reason"`
		Retry  int64  `json:"retry"` // ms
	}
	serviceMessage struct {
		Type  string `json:"type"` // service
		Store string `json:"store"`
	}
)

type person struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// gameCard is a game as the lobby shows it.
type gameCard struct {
	Room       string            `json:"room"`
	Rule       rules.Rule        `json:"rule"`
	Size       rules.Size        `json:"size"`
	Clock      match.TimeControl `json:"clock"`
	Black      match.Player      `json:"black"`
	White      match.Player      `json:"white"`
	Moves      []match.Move      `json:"moves"`
	Spectators int               `json:"spectators"`
	Over       bool              `json:"over"`
}

// stateView is a room's state as clients fold it too.
type stateView struct {
	Game       match.Game      `json:"game"`
	Phase      match.Phase     `json:"phase"`
	Number     int             `json:"number"`
	Host       string          `json:"host"`
	ClaimAfter match.Millis    `json:"claim_after"`
	FirstMove  match.Millis    `json:"first_move"`
	Black      *seatView       `json:"black"`
	White      *seatView       `json:"white"`
	Moves      []match.Move    `json:"moves"`
	StandIns   []match.StandIn `json:"stand_ins,omitempty"`
	Started    match.Instant   `json:"started"`
	Offers     offersView      `json:"offers"`
	Result     *match.Ended    `json:"result,omitempty"`
}

type seatView struct {
	match.Player
	Score float64       `json:"score"`
	Away  match.Instant `json:"away,omitempty"`
}

type offersView struct {
	Draw     rules.Color `json:"draw,omitzero"`
	Takeback rules.Color `json:"takeback,omitzero"`
	Rematch  rules.Color `json:"rematch,omitzero"`
}

// view is what follows from the state, so that clients need no rules.
type view struct {
	Turn      rules.Color     `json:"turn,omitzero"`
	Running   bool            `json:"running"`
	Spent     match.Millis    `json:"spent"` // of the running turn, at the message's now
	Clocks    *clocksView     `json:"clocks,omitempty"`
	Forbidden []forbiddenView `json:"forbidden"`
	Row       []rules.Point   `json:"row,omitempty"`
}

type clocksView struct {
	Black match.Clock `json:"black"`
	White match.Clock `json:"white"`
}

type forbiddenView struct {
	Point rules.Point `json:"point"`
	Foul  rules.Foul  `json:"foul"`
}

func newStateView(s *match.State) stateView {
	v := stateView{
		Game: s.Game, Phase: s.Phase, Number: s.Number, Host: s.Host, ClaimAfter: s.Limits.ClaimAfter, FirstMove: s.Limits.FirstMove,
		Black: newSeatView(s.Seats.Black), White: newSeatView(s.Seats.White),
		Moves: s.Moves, StandIns: s.StandIns, Started: s.Started, Offers: offersView(s.Offers),
	}
	if v.Moves == nil {
		v.Moves = []match.Move{}
	}
	if s.Phase == match.Over {
		v.Result = &s.Result
	}
	return v
}

func newSeatView(s match.Seat) *seatView {
	if s.ID == "" {
		return nil
	}
	return &seatView{Player: s.Player, Score: float64(s.Points) / 2, Away: s.Away}
}

func newView(s *match.State, at match.Instant) view {
	v := view{Turn: s.Turn(), Running: s.ClockRuns(), Spent: s.Spent(at), Forbidden: []forbiddenView{}}
	if !s.Game.Clock.Unlimited() && s.Number > 0 {
		v.Clocks = &clocksView{Black: s.Seats.Black.Clock, White: s.Seats.White.Clock}
	}
	for _, f := range s.AppendForbidden(nil) {
		v.Forbidden = append(v.Forbidden, forbiddenView(f))
	}
	if s.Phase == match.Over {
		v.Row = s.Result.Row
	}
	return v
}

// encode makes a frame of one of our own messages.
func encode(message any) []byte { return frame(websocket.TextMessage, marshal(message)) }

// marshal encodes one of our own messages, which cannot fail.
func marshal(message any) []byte {
	data, err := json.Marshal(message)
	if err != nil {
		panic(fmt.Sprintf("hub: encode %T: %v", message, err))
	}
	return data
}
