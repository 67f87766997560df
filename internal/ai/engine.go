// Package ai is where computers think: engines behind one small interface, and
// a pool that lets them think beside the games without delaying them.
//
// An engine gets a position and a budget and answers with a move and what it
// thought out. It never touches a room: the answer names the position that it
// answers, and whoever asked decides whether that is still of interest.
package ai

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"gomokud/internal/rules"
)

// ErrNoMove: there is no point left that the side to move may take. Under renju
// points that are forbidden to Black do not count as such.
var ErrNoMove = errors.New("ai: no legal move")

// Engine thinks about positions, one at a time, and may keep what it learned
// for the next. It must heed the end of ctx within 10 ms, and call Breathe at
// least once in a millisecond of work if it can wait for anything else. When ctx
// ends it returns the best move that it has, if it has one worth playing, else
// the error of ctx: a deadline that passes is no reason to throw a thought away.
// A new engine answers equally to equal positions and budgets (time aside). A
// move is never on a stone or off the board, and never on a point that is
// forbidden to Black while another is left.
type Engine interface {
	Think(ctx context.Context, p Position, b Budget) (Thought, error)
}

// Stone is a stone on the board.
type Stone struct {
	Point rules.Point
	Color rules.Color
}

// Position is what an engine is asked about.
type Position struct {
	Rule   rules.Rule
	Size   rules.Size
	Stones []Stone // in the order of play
	ToMove rules.Color
}

// Validate returns an error unless the position can be set up.
func (p Position) Validate() error {
	if err := p.Size.Validate(); err != nil {
		return err
	}
	if p.ToMove != rules.Black && p.ToMove != rules.White {
		return fmt.Errorf("ai: %v is to move", p.ToMove)
	}
	b := rules.NewBoard(p.Size)
	for _, s := range p.Stones {
		switch {
		case s.Color != rules.Black && s.Color != rules.White:
			return fmt.Errorf("ai: a stone of colour %v", s.Color)
		case !p.Size.Contains(s.Point) || b.At(s.Point) != rules.Empty:
			return fmt.Errorf("ai: a stone on %v, which is not free", s.Point)
		}
		b.Place(s.Point, s.Color)
	}
	return nil
}

// Board sets the stones up on a new board. It panics if the position is not
// valid; those that come through a Pool are.
func (p Position) Board() *rules.Board {
	b := rules.NewBoard(p.Size)
	for _, s := range p.Stones {
		b.Place(s.Point, s.Color)
	}
	return b
}

// Nearest is the legal point that is nearest to the last stone, or to the centre
// of an empty board; none if the side to move has no legal point.
func (p Position) Nearest() (best rules.Point, found bool) {
	board, from := p.Board(), p.Size.Center()
	if n := len(p.Stones); n > 0 {
		from = p.Stones[n-1].Point
	}
	least := 0
	for at := range p.Size.All() {
		dx, dy := int(at.X)-int(from.X), int(at.Y)-int(from.Y)
		far := dx*dx + dy*dy
		if (!found || far < least) && MayPlay(board, p.Rule, p.ToMove, at) {
			best, found, least = at, true, far
		}
	}
	return best, found
}

// Budget is what thinking may cost; a zero field sets no bound.
type Budget struct {
	Time  time.Duration // from the call on
	Nodes int64
	Depth int // plies
	// Seed varies what an engine does not care about, or does wrong on purpose:
	// with the seed of a room every game differs, and each can be played again.
	Seed uint64
}

// Thought is an engine's answer.
type Thought struct {
	Move  rules.Point
	Score int           // for the side to move, in the engine's own measure
	Depth int           // plies that were searched completely
	Nodes int64         // positions that were looked at
	Mate  int           // plies until the side to move has won by force, negative: has lost; 0: neither was found
	Line  []rules.Point // the play that is expected, Move first
}

// Breathe lets others use the processor and reports whether thinking shall end.
func Breathe(ctx context.Context) error {
	runtime.Gosched()
	return ctx.Err()
}

// MayPlay reports whether the rules allow a stone of the side to move on the
// point: on the board, empty, and not forbidden to Black under renju.
func MayPlay(b *rules.Board, rule rules.Rule, c rules.Color, p rules.Point) bool {
	return b.Size().Contains(p) && b.At(p) == rules.Empty &&
		(rule != rules.Renju || c != rules.Black || rules.Forbidden(b, p) == rules.NoFoul)
}
