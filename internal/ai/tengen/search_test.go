package tengen

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"

	"pgregory.net/rapid"
)

func newTestEngine(threads int) *Engine {
	return New(Config{Threads: threads, Memory: 1 << 18, Library: &common})
}

// think asks a new engine with so many nodes.
func think(t testing.TB, from ai.Position, nodes int64) ai.Thought {
	t.Helper()
	thought, err := newTestEngine(1).Think(t.Context(), from, ai.Budget{Nodes: nodes})
	if err != nil {
		t.Fatalf("%v\n%s", err, text(from))
	}
	return thought
}

func TestEveryMoveIsLegal(t *testing.T) {
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			e := newTestEngine(1) // it keeps what it learns
			rapid.Check(t, func(t *rapid.T) {
				random := source(t)
				from := dense(random, rule, someSize(random))
				if random.IntN(4) == 0 {
					from = crowded(random, rule)
				}
				checkMove(t, e, from, ai.Budget{Nodes: 1 + random.Int64N(2000), Depth: random.IntN(4), Seed: random.Uint64()})
			})
		})
	}
}

func TestEveryMoveOfEveryLevelIsLegal(t *testing.T) {
	for _, level := range Levels() {
		e := New(Config{Level: level, Memory: 1 << 16, Library: &common})
		random := rand.New(rand.NewPCG(2, uint64(level.Number)))
		for i := range 8 {
			from := dense(random, allRules[i%len(allRules)], someSize(random))
			checkMove(t, e, from, ai.Budget{Nodes: 500, Seed: random.Uint64()})
		}
	}
}

// checkMove fails unless the engine answers as ai.Engine promises.
func checkMove(t rapid.TB, e *Engine, from ai.Position, budget ai.Budget) {
	t.Helper()
	thought, err := e.Think(context.Background(), from, budget)
	b := from.Board()
	any := false
	for at := range b.Size().All() {
		any = any || ai.MayPlay(b, from.Rule, from.ToMove, at)
	}
	switch {
	case !any && !errors.Is(err, ai.ErrNoMove):
		t.Fatalf("no move is left: %v, %v\n%s", thought.Move, err, text(from))
	case !any:
	case err != nil:
		t.Fatalf("%v\n%s", err, text(from))
	case !ai.MayPlay(b, from.Rule, from.ToMove, thought.Move):
		t.Fatalf("%v may not be played\n%s", thought.Move, text(from))
	case len(thought.Line) == 0 || thought.Line[0] != thought.Move:
		t.Fatalf("the line %v does not begin with %v", thought.Line, thought.Move)
	}
	c := from.ToMove
	for i, at := range thought.Line {
		if !ai.MayPlay(b, from.Rule, c, at) {
			t.Fatalf("%v of the line %v may not be played\n%s", at, thought.Line, text(from))
		}
		b.Place(at, c)
		if from.Rule.Wins(b, at) && i < len(thought.Line)-1 {
			t.Fatalf("the line %v goes on after %v\n%s", thought.Line, at, text(from))
		}
		c = c.Opponent()
	}
}

// crowded returns a small board with a few points left, and no five on it.
func crowded(random *rand.Rand, rule rules.Rule) ai.Position {
	size := rules.Size{Width: 5 + random.IntN(3), Height: 5 + random.IntN(3)}
	from := ai.Position{Rule: rule, Size: size, ToMove: rules.Black}
	b := rules.NewBoard(size)
	left := random.IntN(4)
	order := random.Perm(size.Points())
	for _, i := range order[left:] {
		s := ai.Stone{Point: rules.Point{X: int8(i % size.Width), Y: int8(i / size.Width)}, Color: rules.Black}
		if random.IntN(2) == 0 {
			s.Color = rules.White
		}
		b.Place(s.Point, s.Color)
		if rules.Freestyle.Wins(b, s.Point) {
			b.Remove(s.Point)
			continue
		}
		from.Stones = append(from.Stones, s)
	}
	if random.IntN(2) == 0 {
		from.ToMove = rules.White
	}
	return from
}

func TestNoMoveIsLeft(t *testing.T) {
	full := `
		X O X O X
		X O X O X
		O X O X O
		O X O X O
		X O X O X`
	one := `
		X O X O X
		X O X O X
		O X . X O
		O X O X O
		X O X O X`
	for _, rule := range allRules {
		for _, c := range []rules.Color{rules.Black, rules.White} {
			_, err := newTestEngine(1).Think(t.Context(), drawn(t, rule, c, full), ai.Budget{Nodes: 100})
			if !errors.Is(err, ai.ErrNoMove) {
				t.Errorf("%v, %v: the error on a full board is %v", rule, c, err)
			}
			if got := think(t, drawn(t, rule, c, one), 100).Move; got != at(t, "c3") {
				t.Errorf("%v, %v: %v is played, c3 is left", rule, c, got)
			}
		}
	}
	// The only point that is left is forbidden to Black.
	foul := `
		X O X O X O X
		X O X O X O X
		X X X . X X X
		O X O O O X O
		O X O O O X O`
	for _, rule := range allRules {
		thought, err := newTestEngine(1).Think(t.Context(), drawn(t, rule, rules.Black, foul), ai.Budget{Nodes: 100})
		if rule == rules.Renju && !errors.Is(err, ai.ErrNoMove) || rule != rules.Renju && thought.Move != at(t, "d3") {
			t.Errorf("%v: %v, %v", rule, thought.Move, err)
		}
	}
}

func TestTheFirstStoneIsPlayedInTheCentre(t *testing.T) {
	for _, rule := range allRules {
		for _, size := range []rules.Size{side(5), side(15), {Width: 20, Height: 15}, side(25)} {
			from := ai.Position{Rule: rule, Size: size, ToMove: rules.Black}
			if got := think(t, from, 1000).Move; got != size.Center() {
				t.Errorf("%v, %v: %v", rule, size, got)
			}
		}
	}
}

// A victory by fours is always seen, in every rule and on every board.
func TestAVictoryByFoursIsAlwaysWon(t *testing.T) {
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			e := newTestEngine(1)
			random := rand.New(rand.NewPCG(4, uint64(rule)))
			f := newFourSearch(nil, 1<<12)
			seen := 0
			for seen < 40 {
				from := dense(random, rule, someSize(random))
				f.p = loaded(from)
				plies, won := f.win(12, 5000, false)
				if !won || len(f.p.appendMoves(nil)) == 1 { // one move is played without a look
					continue
				}
				seen++
				thought, err := e.Think(t.Context(), from, ai.Budget{Nodes: 80_000})
				if err != nil || thought.Mate <= 0 {
					t.Fatalf("a victory of %d plies is not seen: %+v, %v\n%s", plies, thought, err, text(from))
				}
			}
		})
	}
}

func TestTheSameQuestionHasTheSameAnswer(t *testing.T) {
	for _, from := range fingerprinted(t) {
		first := think(t, from, 4000)
		if again := think(t, from, 4000); !reflect.DeepEqual(first, again) {
			t.Errorf("%+v and %+v\n%s", first, again, text(from))
		}
	}
}

// What an engine thought before, and forgets, changes nothing.
func TestForgottenIsNew(t *testing.T) {
	all := fingerprinted(t)
	e := newTestEngine(1)
	for i, from := range all[:4] {
		if _, err := e.Think(t.Context(), all[(i+1)%4], ai.Budget{Nodes: 5000}); err != nil {
			t.Fatal(err)
		}
		e.Forget()
		got, err := e.Think(t.Context(), from, ai.Budget{Nodes: 5000})
		if want := think(t, from, 5000); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v, %v\n%s", got, want, err, text(from))
		}
	}
}

func TestBudgetsAreKept(t *testing.T) {
	for _, from := range fingerprinted(t) {
		if got := think(t, from, 3000); got.Nodes > 3000+2000 {
			t.Errorf("%d nodes of 3,000\n%s", got.Nodes, text(from))
		}
		thought, err := newTestEngine(1).Think(t.Context(), from, ai.Budget{Depth: 3, Nodes: 20_000})
		if err != nil || thought.Depth > 3 {
			t.Errorf("depth %d of 3, %v\n%s", thought.Depth, err, text(from))
		}
	}
}

func TestThinkingEndsWithItsContext(t *testing.T) {
	from := played(t, rules.Freestyle, side(15), "h8 i9 g7 j10")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newTestEngine(1).Think(ended, from, ai.Budget{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v before anything is thought", err)
	}
	for _, threads := range []int{1, 2} {
		ctx, cancel := context.WithCancel(t.Context())
		e := newTestEngine(threads)
		depth := 0
		err := e.Analyse(ctx, from, ai.Budget{}, 1, func(a ai.Analysis) {
			if a.Depth >= 4 {
				cancel() // in the middle of its work
			}
			depth = a.Depth
		})
		cancel()
		if err != nil || depth < 4 {
			t.Errorf("%d threads: depth %d, error %v", threads, depth, err)
		}
		short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		thought, err := e.Think(short, from, ai.Budget{})
		cancel()
		if err == nil && !ai.MayPlay(from.Board(), from.Rule, from.ToMove, thought.Move) || err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%d threads: %v, %v", threads, thought.Move, err)
		}
	}
}

// The lines of an analysis begin with different moves, best first.
func TestAnalysisHasDifferentLines(t *testing.T) {
	for _, from := range fingerprinted(t)[:6] {
		reports := 0
		err := newTestEngine(1).Analyse(t.Context(), from, ai.Budget{Depth: 4}, 3, func(a ai.Analysis) {
			reports++
			var first []rules.Point
			for i, l := range a.Lines {
				if slices.Contains(first, l.Moves[0]) {
					t.Errorf("%v begins two lines", l.Moves[0])
				}
				first = append(first, l.Moves[0])
				if i > 0 && l.Score > a.Lines[i-1].Score {
					t.Errorf("line %d is better than the one before", i+1)
				}
			}
			if a.Depth == 4 && len(a.Lines) != 3 && len(loaded(from).appendMoves(nil)) >= 3 {
				t.Errorf("%d lines\n%s", len(a.Lines), text(from))
			}
		})
		if err != nil || reports == 0 {
			t.Errorf("%d reports, %v", reports, err)
		}
	}
}

func TestThreadsSearchTogether(t *testing.T) {
	for _, threads := range []int{2, 4} {
		e := newTestEngine(threads)
		for _, from := range fingerprinted(t) {
			checkMove(t, e, from, ai.Budget{Depth: 5, Nodes: 4000})
		}
	}
}

func TestItMakesItsOwnOpenFourBeforeStoppingOne(t *testing.T) {
	at := func(names string, c rules.Color) (stones []ai.Stone) {
		for name := range strings.FieldsSeq(names) {
			p, err := rules.ParsePoint(name)
			if err != nil {
				t.Fatal(err)
			}
			stones = append(stones, ai.Stone{Point: p, Color: c})
		}
		return stones
	}
	from := ai.Position{
		Size: rules.Size{Width: 15, Height: 15}, ToMove: rules.Black,
		Stones: slices.Concat(at("e8 f8 g8", rules.Black), at("j4 k4 l4", rules.White)),
	}
	for _, level := range Levels()[4:] {
		e := New(Config{Level: level})
		won := 0
		for seed := range uint64(20) {
			thought, err := e.Think(t.Context(), from, ai.Budget{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if s := thought.Move.String(); s == "d8" || s == "h8" {
				won++
			}
		}
		if won < 10 {
			t.Errorf("level %d wins %d of 20 times", level.Number, won)
		}
	}
	var last ai.Analysis
	err := New(Config{}).Analyse(t.Context(), from, ai.Budget{Nodes: 20_000}, 3, func(a ai.Analysis) { last = a })
	if err != nil || len(last.Lines) != 3 || last.Lines[0].Mate != 3 {
		t.Errorf("the analysis ends with %+v, %v; want three lines, the best a win in 3", last.Lines, err)
	}
}

// A thread that helped others searches as one that did not: what they were about
// is nothing to it any more.
func TestHelpingLeavesNothingBehind(t *testing.T) {
	all := fingerprinted(t)
	for _, from := range []ai.Position{all[6], all[9], all[11]} { // where it once was
		e := New(Config{Threads: 2, Memory: 1 << 22, Library: &common})
		if _, err := e.Think(t.Context(), from, ai.Budget{Depth: 12}); err != nil {
			t.Fatal(err)
		}
		e.table.age(true)
		helped := e.threads[1]
		fresh := New(Config{Memory: 1 << 22, Library: &common})
		fresh.setUp(from)
		var scores [2]int
		for i, th := range []*thread{fresh.threads[0], helped} {
			th.team, th.limits, th.look = nil, newLimits(t.Context(), ai.Budget{}, time.Now()), 0
			th.history, th.answer = [2][squares]int32{}, [2][squares]square{}
			th.fours = newFourSearch(th.p, 1024)
			th.fours.limits = th.limits
			scores[i] = th.search(-infinite, infinite, 8, 0, false)
		}
		if scores[0] != scores[1] {
			t.Errorf("a thread that helped finds %d, not %d\n%s", scores[1], scores[0], text(from))
		}
	}
}
