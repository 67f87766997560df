package match

import (
	"errors"
	"fmt"

	"gomokud/internal/rules"
)

// Why a command is refused; match them with errors.Is.
var (
	ErrNotSeated     = errors.New("you do not play in this room")
	ErrAlreadySeated = errors.New("you have a seat in this room")
	ErrSeatTaken     = errors.New("both seats are taken")
	ErrNotPlaying    = errors.New("no game is being played")
	ErrNotYourTurn   = errors.New("it is the other side's turn")
	ErrStale         = errors.New("the position has changed since")
	ErrOffBoard      = errors.New("the point is not on the board")
	ErrOccupied      = errors.New("there is a stone on the point")
	ErrNoPass        = errors.New("only renju knows a pass")
	ErrTimeOver      = errors.New("the time was up")
	ErrNoOffer       = errors.New("there is no such offer")
	ErrTooSoon       = errors.New("that was offered in this position already")
	ErrTooLate       = errors.New("it is too late for that")
	ErrNotAway       = errors.New("the opponent is not gone for long enough, or it is your own turn")
	ErrTooManyGames  = errors.New("this table has seen its last game; make a new one")
	ErrReusedID      = errors.New("the id was another command's")
)

// ForbiddenError refuses a forbidden point where the room refuses them.
type ForbiddenError struct{ Foul rules.Foul }

func (e ForbiddenError) Error() string {
	return fmt.Sprintf("forbidden for Black: %s", e.Foul)
}

// Repeated says that the command was granted before and what version the log
// had then. Nothing more is to be done.
type Repeated struct{ Version int }

func (e Repeated) Error() string {
	return fmt.Sprintf("done before, at version %d", e.Version)
}
