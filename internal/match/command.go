package match

import (
	"fmt"
	"strconv"

	"gomokud/internal/rules"
)

// Command is a wish that Decide grants or refuses.
type Command struct {
	ID  string // chosen by the client; empty for the service's own
	By  Player // who asks; ignored for the service's own actions
	Lag Millis // measured time that the command was on its way, for moves
	// Version is what its sender had seen. The command is refused as stale if
	// what it rests on has changed since; 0 takes the state as it is.
	Version int
	Failure string // of the bot that asks, where another one has moved for it
	Act     Action
}

// Action is what a command asks for: one of the types below.
type Action interface{ name() string }

// What players ask for.
type (
	// New asks for a room; it is Create's, not Decide's.
	New struct {
		Game  Game
		Color string // as the player put it
		Bot   string
	}
	// Sit takes the free seat.
	Sit struct{}
	// Place puts a stone on the board on which Ply moves are seen.
	Place struct {
		Ply   int
		Point rules.Point
	}
	// Pass passes, under renju.
	Pass struct{ Ply int }
	// Resign loses the game.
	Resign struct{}
	// Offer asks the other side for something.
	Offer struct{ What What }
	// Accept grants what the other side offered.
	Accept struct{ What What }
	// Decline refuses what the other side offered or withdraws one's own offer.
	Decline struct{ What What }
	// Abort ends without a result, before the second move.
	Abort struct{}
	// Claim wins against an opponent who is gone.
	Claim struct{}
)

// What the service itself asks for.
type (
	// Tick lets happen what time alone decides: a flag, an abandoned seat.
	Tick struct{}
	// Depart says that nobody is connected for the seat.
	Depart struct{ Color rules.Color }
	// Return says that somebody is again.
	Return struct{ Color rules.Color }
	// Credit says that the service was down from From until To.
	Credit struct{ From, To Instant }
)

func (New) name() string     { return "new" }
func (Sit) name() string     { return "sit" }
func (Place) name() string   { return "place" }
func (Pass) name() string    { return "pass" }
func (Resign) name() string  { return "resign" }
func (Offer) name() string   { return "offer" }
func (Accept) name() string  { return "accept" }
func (Decline) name() string { return "decline" }
func (Abort) name() string   { return "abort" }
func (Claim) name() string   { return "claim" }
func (Tick) name() string    { return "tick" }
func (Depart) name() string  { return "depart" }
func (Return) name() string  { return "return" }
func (Credit) name() string  { return "credit" }

// stamp identifies the command, or is nil for the service's own.
func (c Command) stamp() *Stamp {
	if c.ID == "" {
		return nil
	}
	return &Stamp{ID: c.ID, By: c.By.ID, Sum: sum(c.Act)}
}

// Made reports whether the stamp is this command's.
func (c Command) Made(s Stamp) bool {
	own := c.stamp()
	return own != nil && *own == s
}

// sum tells actions apart, so that an id used twice for different things is
// noticed. It is FNV-1a of how fmt prints the action, which for a stone is
// printed by hand; sums are in the logs.
func sum(a Action) uint32 {
	p, ok := a.(Place)
	if !ok {
		return fnv1a(fmt.Sprint(a.name(), a))
	}
	text := append(make([]byte, 0, 64), "place{"...)
	text = strconv.AppendInt(text, int64(p.Ply), 10)
	text = append(append(append(text, ' '), p.Point.String()...), '}')
	return fnv1a(text)
}

// fnv1a is hash/fnv's New32a, without an object.
func fnv1a[T string | []byte](text T) uint32 {
	h := uint32(2166136261)
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	return h
}
