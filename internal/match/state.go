package match

import (
	"errors"

	"gomokud/internal/rules"
)

// Phase is what a room is doing.
type Phase string

// The phases of a room.
const (
	Open    Phase = "open"    // a seat is free
	Playing Phase = "playing" // a game is on
	Over    Phase = "over"    // it has ended; a rematch may follow
)

// Move is one ply: a stone or a pass.
type Move struct {
	Point rules.Point
	Pass  bool
}

// MarshalText writes "h8" or "pass".
func (m Move) MarshalText() ([]byte, error) {
	if m.Pass {
		return []byte("pass"), nil
	}
	return m.Point.MarshalText()
}

// UnmarshalText reads what MarshalText writes.
func (m *Move) UnmarshalText(text []byte) error {
	if string(text) == "pass" {
		*m = Move{Pass: true}
		return nil
	}
	*m = Move{}
	return m.Point.UnmarshalText(text)
}

// Seat is one side of the table.
type Seat struct {
	Player // zero while nobody sits here
	Clock  Clock
	Away   Instant // since when nobody is connected for it; 0: somebody is
	Points int     // from this table's games, in half points
	seen   []seen  // the latest commands, oldest first but for those that
	reused int     // took the places of older ones, before this one
}

// seen remembers that a command was granted.
type seen struct {
	id      string
	key     uint32 // of the id, so that few ids are compared
	sum     uint32
	version int
}

// asked remembers how often in this game a side made an offer, and at which ply
// last.
type asked struct{ times, ply int }

// remembered is how many of a player's commands are known again.
const remembered = 64

// ByWhat is one of anything for each kind of offer.
type ByWhat[T any] struct{ Draw, Takeback, Rematch T }

// of returns the part for a kind of offer, or nil if there is no such kind.
func (b *ByWhat[T]) of(w What) *T {
	switch w {
	case Draw:
		return &b.Draw
	case Takeback:
		return &b.Takeback
	case Rematch:
		return &b.Rematch
	}
	return nil
}

// Offers says which side has an offer open; rules.Empty is nobody.
type Offers = ByWhat[rules.Color]

// Record is one game of the table, in progress or over.
type Record struct {
	Number         int
	Black, White   Player
	Moves          []Move
	Times          []Instant // when each move was made
	StandIns       []StandIn // the moves that were made for bots that failed
	Started, Ended Instant   // Ended is 0 while the game is on
	Result         Ended
}

// StandIn is a move that another bot made for one that failed.
type StandIn struct {
	Ply     int    `json:"ply"` // moves before it
	Failure string `json:"failure"`
}

// State is a room as its log has it: the fold of Apply over all its events.
// The zero value is the state before the first event. It belongs to one
// goroutine at a time.
type State struct {
	Version int // events folded so far
	At      Instant
	Host    string
	Game    Game
	Limits  Limits
	Phase   Phase
	Seats   ByColor[Seat]
	Offers  Offers
	Record           // the current game
	Past    []Record // the games before it

	board    *rules.Board // see Board
	opened   Instant      // when the room was created
	Position int          // the version at which the board was last changed
	Since    Instant      // when the running turn began
	credited Millis       // downtime in the running turn
	settled  Instant      // downtime up to here is credited

	asked     ByColor[ByWhat[asked]]
	offered   ByWhat[int] // the version at which an offer was last made
	begun     int         // the version at which the game began
	takebacks int         // in this game
}

// Turn is the side to move, or rules.Empty when no game is on.
func (s *State) Turn() rules.Color {
	if s.Phase != Playing {
		return rules.Empty
	}
	if len(s.Moves)%2 == 0 {
		return rules.Black
	}
	return rules.White
}

// SeatOf is the side that the player plays, or rules.Empty.
func (s *State) SeatOf(player string) rules.Color {
	switch player {
	case "":
		return rules.Empty
	case s.Seats.Black.ID:
		return rules.Black
	case s.Seats.White.ID:
		return rules.White
	}
	return rules.Empty
}

// ClockRuns reports whether time is running down for the side to move: in a
// game with a clock, from the second move on.
func (s *State) ClockRuns() bool {
	return s.Phase == Playing && !s.Game.Clock.Unlimited() && len(s.Moves) > 0
}

// ClockOf is the side's clock as it stands at the given time.
func (s *State) ClockOf(c rules.Color, at Instant) Clock {
	clock := s.Seats.Of(c).Clock
	if s.ClockRuns() && c == s.Turn() {
		return s.Game.Clock.Running(clock, s.spent(at, 0))
	}
	return clock
}

// Spent is what the running turn has cost its side so far, 0 if no clock runs.
func (s *State) Spent(at Instant) Millis {
	if !s.ClockRuns() {
		return 0
	}
	return s.spent(at, 0)
}

// spent is what the running turn has cost so far, less lag.
func (s *State) spent(at Instant, lag Millis) Millis {
	lag = min(max(lag, 0), s.Limits.LagCap)
	return max(0, Millis(at-s.Since)-s.credited-lag)
}

// AppendForbidden appends the points that are forbidden to Black now: none
// unless it is Black's turn under renju.
func (s *State) AppendForbidden(dst []rules.ForbiddenPoint) []rules.ForbiddenPoint {
	if s.Game.Rule != rules.Renju || s.Turn() != rules.Black {
		return dst
	}
	return rules.AppendForbidden(dst, s.Board())
}

// Board is the board of the current game, from the first event on. It is the
// state's own, and made when it is asked for.
func (s *State) Board() *rules.Board {
	if s.board == nil {
		s.board = rules.NewBoard(s.Game.Size)
		for p, c := range s.Stones {
			s.board.Place(p, c)
		}
	}
	return s.board
}

// Rest gives back memory that is not needed until something is played.
func (s *State) Rest() { s.board = nil }

// BotToMove is the bot whose turn it is, if it is one's.
func (s *State) BotToMove() (Player, bool) {
	turn := s.Turn()
	if turn == rules.Empty {
		return Player{}, false
	}
	p := s.Seats.Of(turn).Player
	return p, p.Bot != ""
}

// Stones are the stones in the order in which they were put, with their colours.
func (s *State) Stones(yield func(rules.Point, rules.Color) bool) {
	for i, m := range s.Moves {
		color := rules.Black
		if i%2 == 1 {
			color = rules.White
		}
		if !m.Pass && !yield(m.Point, color) {
			return
		}
	}
}

// Fold builds the state of a whole log.
func Fold(log []Event) (*State, error) {
	s := new(State)
	for _, e := range log {
		if err := s.Apply(e); err != nil {
			return nil, err
		}
	}
	if s.Version == 0 {
		return nil, errors.New("fold: the log is empty")
	}
	return s, nil
}
