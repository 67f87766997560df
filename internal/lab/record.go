package lab

import (
	"gomokud/internal/rules"
)

// Result is how a game ended.
type Result string

// The results, as records of games write them.
const (
	BlackWon Result = "1-0"
	WhiteWon Result = "0-1"
	Draw     Result = "1/2"
)

func winner(c rules.Color) Result {
	if c == rules.Black {
		return BlackWon
	}
	return WhiteWon
}

// Reason is why a game ended.
type Reason string

// The reasons. A game that ended in none of the first three was lost by a fault
// of the engine whose turn it was.
const (
	Five      Reason = "five"
	FullBoard Reason = "full board"
	NoMove    Reason = "no legal move" // every empty point is forbidden to Black, who loses

	Illegal   Reason = "illegal move"   // off the board or on a stone
	Forbidden Reason = "forbidden move" // by Black under renju
	Failure   Reason = "error"
	Panic     Reason = "panic"
	Hang      Reason = "no answer"
)

// Fault reports whether the loser's engine is to blame.
func (r Reason) Fault() bool { return r != Five && r != FullBoard && r != NoMove }

// Record is a game that was played.
type Record struct {
	Number  int           `json:"game"`
	Rule    rules.Rule    `json:"rule"`
	Size    rules.Size    `json:"size"`
	Black   string        `json:"black"`
	White   string        `json:"white"`
	Seed    uint64        `json:"seed"`
	Opening int           `json:"opening"` // so many of the moves were given
	Moves   []rules.Point `json:"moves"`
	Scores  []int         `json:"scores"` // of the moves that were not given: what the engine that moved made of the position
	Result  Result        `json:"result"`
	Reason  Reason        `json:"reason"`
	Detail  string        `json:"detail,omitempty"` // of a fault
	Work    [2]Work       `json:"work"`             // Black's and White's
}

// Loser returns the name of the player who lost, "" after a draw.
func (r Record) Loser() string {
	switch r.Result {
	case BlackWon:
		return r.White
	case WhiteWon:
		return r.Black
	}
	return ""
}

// halves returns how many half points the player of a colour got.
func (r Record) halves(c rules.Color) int {
	switch r.Result {
	case Draw:
		return 1
	case winner(c):
		return 2
	}
	return 0
}
