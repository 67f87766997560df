package match

import (
	"errors"

	"gomokud/internal/rules"
)

// ForbiddenPolicy is what happens when Black plays a forbidden point under renju.
type ForbiddenPolicy string

// The two ways to treat a forbidden move.
const (
	Loses   ForbiddenPolicy = "loses"   // Black has lost
	Refused ForbiddenPolicy = "refused" // the move is not accepted
)

// Game is what two players agree on before they sit down.
type Game struct {
	Rule      rules.Rule      `json:"rule"`
	Size      rules.Size      `json:"size"`
	Clock     TimeControl     `json:"clock"`
	Forbidden ForbiddenPolicy `json:"forbidden,omitempty"` // under renju only
}

// Normalize fills in defaults and says in words what is wrong, if anything.
func (g *Game) Normalize() error {
	if err := g.Size.Validate(); err != nil {
		return err
	}
	if err := g.Clock.Validate(); err != nil {
		return err
	}
	switch {
	case g.Rule != rules.Renju:
		g.Forbidden = ""
	case g.Forbidden == "":
		g.Forbidden = Loses
	case g.Forbidden != Loses && g.Forbidden != Refused:
		return errors.New(`forbidden must be "loses" or "refused"`)
	}
	return nil
}

// Limits are the spans of a room that are not the players' choice. They are in
// its log, so that a change of the service's settings changes no history.
type Limits struct {
	ClaimAfter   Millis `json:"claim_after"`   // an opponent gone for so long may be claimed
	FirstMove    Millis `json:"first_move"`    // without a first move by then a game with a clock is aborted
	OpenFor      Millis `json:"open_for"`      // a free seat is offered for so long
	AbandonAfter Millis `json:"abandon_after"` // without a clock, a player gone for so long has lost
	LagCap       Millis `json:"lag_cap"`       // the most that a move is credited for its way to us
}

// DefaultLimits suit people who play each other over the internet.
func DefaultLimits() Limits {
	return Limits{ClaimAfter: Minute, FirstMove: 2 * Minute, OpenFor: Day, AbandonAfter: 3 * Day, LagCap: 300}
}

// MaxGames is how many games one table sees; then a rematch needs a new room.
const MaxGames = 100
