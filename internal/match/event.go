package match

import "gomokud/internal/rules"

// Event is one entry of a room's log.
type Event struct {
	At   Instant
	Cmd  *Stamp // the command that it follows from; nil where the service acted by itself
	Fact Fact
}

// Stamp identifies a command, so that it has its effect once however often it
// arrives.
type Stamp struct {
	ID  string `json:"id"`  // chosen by the client
	By  string `json:"by"`  // player ID
	Sum uint32 `json:"sum"` // of what it asked for
}

// Fact is what an event says has happened: one of the types below.
type Fact interface{ kind() string }

// What names something that one side offers and the other answers.
type What string

// What can be offered.
const (
	Draw     What = "draw"
	Takeback What = "takeback"
	Rematch  What = "rematch"
)

// Reason is how a game came to its end.
type Reason string

// The ways in which a game ends.
const (
	ByFive        Reason = "five" // a winning row, overlines included where they win
	ByFoul        Reason = "foul" // Black played a forbidden point
	ByResignation Reason = "resignation"
	ByTime        Reason = "time"
	ByAbandonment Reason = "abandonment" // the loser was gone for too long
	ByAgreement   Reason = "agreement"   // a draw
	ByPasses      Reason = "passes"      // a draw: both sides passed in a row
	ByFullBoard   Reason = "full"        // a draw
	Aborted       Reason = "aborted"     // no result
	Expired       Reason = "expired"     // nobody took the free seat; no result
)

// The facts. A colour that is absent (rules.Empty) means nobody.
type (
	// Created opens the log.
	Created struct {
		Game   Game   `json:"game"`
		Host   string `json:"host"` // player ID of who made the room
		Limits Limits `json:"limits"`
	}
	// Seated puts a player on a free seat.
	Seated struct {
		Color  rules.Color `json:"color,omitzero"`
		Player Player      `json:"player"`
	}
	// Started begins a game with an empty board; the players sit as named.
	Started struct {
		Number int    `json:"number"` // of the game at this table, from 1
		Black  string `json:"black"`  // player IDs
		White  string `json:"white"`
	}
	// Placed puts the stone of the side whose turn it is.
	Placed struct {
		Point   rules.Point `json:"point"`
		Clock   Clock       `json:"clock"`             // the mover's, after the move
		Failure string      `json:"failure,omitempty"` // of a bot, for which another one moved
	}
	// Passed passes the turn without a stone.
	Passed struct {
		Clock Clock `json:"clock"`
	}
	// Offered asks the other side for something.
	Offered struct {
		What  What        `json:"what"`
		Color rules.Color `json:"color,omitzero"`
	}
	// Declined refuses the other side's offer or withdraws one's own.
	Declined struct {
		What  What        `json:"what"`
		Color rules.Color `json:"color,omitzero"`
	}
	// TakenBack removes the last plies.
	TakenBack struct {
		Plies int `json:"plies"`
	}
	// Away says that a seat has no connection any more.
	Away struct {
		Color rules.Color `json:"color,omitzero"`
	}
	// Back says that it has one again.
	Back struct {
		Color rules.Color `json:"color,omitzero"`
	}
	// Credited says that the service was down for so much of the running turn,
	// which therefore costs nobody anything.
	Credited struct {
		Color rules.Color `json:"color,omitzero"` // whose turn it is
		Span  Millis      `json:"ms"`
		Until Instant     `json:"until"` // downtime up to here is settled
	}
	// Ended ends the game, or closes a room that never filled.
	Ended struct {
		Winner rules.Color   `json:"winner,omitzero"`
		Reason Reason        `json:"reason"`
		Row    []rules.Point `json:"row,omitempty"` // the winning stones
		Foul   rules.Foul    `json:"foul,omitzero"` // which ban Black broke
	}
)

func (Created) kind() string   { return "created" }
func (Seated) kind() string    { return "seated" }
func (Started) kind() string   { return "started" }
func (Placed) kind() string    { return "placed" }
func (Passed) kind() string    { return "passed" }
func (Offered) kind() string   { return "offered" }
func (Declined) kind() string  { return "declined" }
func (TakenBack) kind() string { return "takenback" }
func (Away) kind() string      { return "away" }
func (Back) kind() string      { return "back" }
func (Credited) kind() string  { return "credited" }
func (Ended) kind() string     { return "ended" }
