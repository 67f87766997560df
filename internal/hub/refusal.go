package hub

import (
	"context"
	"errors"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/store"
)

// refusal is an error that a client is told: a code and a sentence.
type refusal struct {
	code, text string
	limit      string
	retry      time.Duration
}

func (r *refusal) Error() string { return r.code + ": " + r.text }

func refuse(code, text string) *refusal { return &refusal{code: code, text: text} }

var (
	errNotJoined = refuse("not_joined", "Join the room first.")
	errDraining  = &refusal{code: "busy", text: "This server is about to restart. Try again in a moment.", retry: 2 * time.Second}
	errStore     = &refusal{code: "busy", text: "The move could not be stored yet. It will be sent again.", retry: time.Second}
)

// refusalOf turns any error into what a client is told. Details stay in the
// log of the server.
func refusalOf(err error) *refusal {
	var r *refusal
	if errors.As(err, &r) {
		return r
	}
	var foul match.ForbiddenError
	if errors.As(err, &foul) {
		return refuse("forbidden_point", "That point is forbidden for Black ("+foul.Foul.String()+").")
	}
	for _, known := range []struct {
		err        error
		code, text string
	}{
		{store.ErrNotFound, "no_such_room", "There is no such room."},
		{match.ErrNotSeated, "not_seated", "You do not play in this room."},
		{match.ErrAlreadySeated, "already_seated", "You have a seat in this room."},
		{match.ErrSeatTaken, "seat_taken", "Both seats are taken."},
		{match.ErrNotPlaying, "not_playing", "No game is being played."},
		{match.ErrNotYourTurn, "not_your_turn", "It is the other side's turn."},
		{match.ErrStale, "stale", "The position has changed since."},
		{match.ErrOffBoard, "off_board", "That point is not on the board."},
		{match.ErrOccupied, "occupied", "There is a stone on that point."},
		{match.ErrNoPass, "no_pass", "Only renju knows a pass."},
		{match.ErrTimeOver, "time_over", "The time was up."},
		{match.ErrNoOffer, "no_offer", "There is no such offer."},
		{match.ErrTooSoon, "too_soon", "You have asked for that already."},
		{match.ErrTooLate, "too_late", "It is too late for that."},
		{match.ErrNotAway, "not_away", "Your opponent is not gone for long enough, or it is your turn."},
		{match.ErrReusedID, "id_reused", "That id was another command's."},
	} {
		if errors.Is(err, known.err) {
			return refuse(known.code, known.text)
		}
	}
	if errors.Is(err, match.ErrTooManyGames) {
		return &refusal{code: "too_many", text: "This table has seen its last game. Make a new one.", limit: "games_per_room"}
	}
	if errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrConflict) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return errStore
	}
	return refuse("internal", "Something went wrong here. It is logged.")
}

// message is the refusal as it goes over the wire.
func (r *refusal) message(id, room string) []byte {
	return encode(errorMessage{
		Type: "error", ID: id, Room: room, Code: r.code, Text: r.text,
		Limit: r.limit, Retry: r.retry.Milliseconds(),
	})
}

// final reports whether the same command will be refused again whenever it
// comes, so that the answer may be remembered.
func (r *refusal) final() bool {
	return r.code != "busy" && r.code != "too_many" && r.code != "not_joined" && r.code != "internal"
}
