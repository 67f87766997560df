package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// Terms are what games are played under.
type Terms struct {
	Rule   rules.Rule
	Size   rules.Size
	Budget ai.Budget // of a move. Without a Time a move may take a minute. The Seed is the game's.
	// Grace is how much later than its limit an answer may come; later ones are
	// counted as overruns, but they stand. 0 is 10 ms.
	Grace time.Duration
	// Patience is how long after its limit an engine that does not answer has
	// lost. 0 is 10 s.
	Patience time.Duration
}

// unlimited is how long a move may take that has no limit.
const unlimited = time.Minute

// Game is a game that is to be played.
type Game struct {
	Terms
	Number  int
	Opening Opening // black stone first, then in turns; the side whose turn it is goes on
	Black   Player
	White   Player
	Seed    uint64 // of both players' budgets
}

// faults that cost the game. What the engine said is wrapped into them.
var (
	errPanic = errors.New("panic")
	errHang  = errors.New("no answer")
	errNone  = errors.New("an end without an answer")
)

// Play plays the game to its end. Whatever an engine does costs it the game at
// worst, and is in the record; the error is that of ctx, and then there is no
// result. An engine that does not answer at all is left to itself.
func (g Game) Play(ctx context.Context) (Record, error) {
	t := &table{Game: g, board: rules.NewBoard(g.Size), record: Record{
		Number: g.Number, Rule: g.Rule, Size: g.Size, Black: g.Black.Name, White: g.White.Name,
		Opening: len(g.Opening), Seed: g.Seed,
	}}
	for _, p := range g.Opening {
		t.place(p)
	}
	engines := [2]ai.Engine{}
	defer func() {
		for _, e := range engines {
			if c, ok := e.(interface{ Close() }); ok {
				c.Close()
			}
		}
	}()
	for !t.board.Full() {
		side := t.side()
		if engines[side] == nil {
			engines[side] = t.player(side).New()
		}
		move, err := t.ask(ctx, engines[side])
		if ctx.Err() != nil {
			return Record{}, ctx.Err()
		}
		if over := t.judge(move, err); over {
			return t.record, nil
		}
	}
	t.record.Result, t.record.Reason = Draw, FullBoard
	return t.record, nil
}

// table is where a game is played.
type table struct {
	Game
	board  *rules.Board
	stones []ai.Stone
	record Record
}

// side returns whose turn it is: 0 is Black.
func (t *table) side() int { return len(t.stones) % 2 }

func (t *table) color() rules.Color { return [2]rules.Color{rules.Black, rules.White}[t.side()] }

func (t *table) player(side int) Player { return [2]Player{t.Black, t.White}[side] }

func (t *table) place(p rules.Point) {
	c := t.color()
	t.board.Place(p, c)
	t.stones = append(t.stones, ai.Stone{Point: p, Color: c})
	t.record.Moves = append(t.record.Moves, p)
}

// judge plays the move of the side whose turn it is, if it is one, and reports
// whether that ended the game.
func (t *table) judge(move rules.Point, err error) (over bool) {
	c := t.color()
	switch {
	case errors.Is(err, ai.ErrNoMove) && !t.canMove():
		t.lose(NoMove, "")
	case errors.Is(err, errPanic):
		t.lose(Panic, err.Error())
	case errors.Is(err, errHang):
		t.lose(Hang, err.Error())
	case err != nil:
		t.lose(Failure, err.Error())
	case !t.Size.Contains(move) || t.board.At(move) != rules.Empty:
		t.lose(Illegal, fmt.Sprintf("on %v", move))
	case !ai.MayPlay(t.board, t.Rule, c, move):
		t.lose(Forbidden, fmt.Sprintf("%v on %v", rules.Forbidden(t.board, move), move))
	default:
		t.place(move)
		if !t.Rule.Wins(t.board, move) {
			return false
		}
		t.record.Result, t.record.Reason = winner(c), Five
	}
	return true
}

func (t *table) lose(why Reason, detail string) {
	t.record.Result, t.record.Reason, t.record.Detail = winner(t.color().Opponent()), why, detail
}

func (t *table) canMove() bool {
	_, found := t.position().Nearest()
	return found
}

// position is what the side to move is asked about.
func (t *table) position() ai.Position {
	return ai.Position{Rule: t.Rule, Size: t.Size, Stones: slices.Clone(t.stones), ToMove: t.color()}
}

// ask has the engine think about the position and takes the time.
func (t *table) ask(ctx context.Context, engine ai.Engine) (rules.Point, error) {
	side := t.side()
	budget := t.player(side).budget(t.Terms, t.Seed)
	limit := cmp.Or(budget.Time, unlimited)

	hang := time.NewTimer(limit + cmp.Or(t.Patience, 10*time.Second))
	defer hang.Stop()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	answers := make(chan answer, 1) // nobody may be waiting any more
	go think(ctx, engine, t.position(), budget, answers)
	var a answer
	select {
	case a = <-answers:
	case <-hang.C:
		return rules.Point{}, fmt.Errorf("%w in %v", errHang, limit)
	}

	work := Work{Moves: 1, Time: a.took, Longest: a.took, Nodes: a.thought.Nodes, Plies: int64(a.thought.Depth)}
	grace := cmp.Or(t.Grace, 10*time.Millisecond)
	if late := a.took - limit; late > grace {
		work.Overruns, work.Latest = 1, late
		if late-a.waited <= grace {
			work.HeldUp = 1
		}
	}
	t.record.Work[side].Add(work)
	t.record.Scores = append(t.record.Scores, a.thought.Score)
	return a.thought.Move, a.err
}

// answer is what came of thinking.
type answer struct {
	thought ai.Thought
	err     error
	took    time.Duration
	waited  time.Duration // of it, for a processor
}

// think sends an answer, whatever the engine does. The engine has a thread to
// itself, so that it can be told how long that one waited.
func think(ctx context.Context, engine ai.Engine, p ai.Position, b ai.Budget, to chan<- answer) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	a := answer{err: errNone}
	before := waited()
	began := time.Now()
	defer func() {
		a.took = time.Since(began)
		a.waited = waited() - before
		if r := recover(); r != nil {
			a.err = fmt.Errorf("%w: %v\n%s", errPanic, r, debug.Stack())
		}
		to <- a
	}()
	a.thought, a.err = engine.Think(ctx, p, b)
}
