package bots

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// triedOn plays a drawn board through to the depth.
func triedOn(t *testing.T, toMove rules.Color, depth int, board string) stackElement {
	t.Helper()
	p := drawn(t, rules.Freestyle, toMove, board)
	s := backtracking{study: studied(t, p.Rule, p.Board()), depth: depth}
	root, _ := s.search(t.Context(), toMove)
	return root
}

func TestPlayingThroughFindsWhatTheWeightsMiss(t *testing.T) {
	for _, tt := range []struct {
		name   string
		toMove rules.Color
		board  string
		first  string // by weight
		want   string
		result result
		step   int
	}{
		{"a five at once", rules.Black, `
			. . . . . . . . . . .
			. O O O O . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . X X X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, "b7", "b7", win, 1},
		{"an open four wins with the stone after the next", rules.Black, `
			. . . . . . . . . . .
			. . . O O O . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . X X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, "c7", "c7", win, 3},
		{"two threes of one's own before two of the opponent's", rules.White, `
			. . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . .
			. . . . . O O . . . . . . . .
			. . . . . . . . . . . . . . .
			. . . . . . . . O . X . . . .
			. . . . . . O O . . . . . . .
			. . . . X . X . . X . . . . .
			. . . . . X . . X . X . . . .
			. . . . . . O . X . O . . . .
			. . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . .`, "h6", "j8", win, 5},
		{"of three places to stop a four the one that is no loss", rules.White, `
			. . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . .
			. . . . . O X . O X . . . . .
			. . . . O . X . O . . . . . .
			. . . . . O . . . O . . . . .
			. . . . . . X . . O . . . . .
			. . . . . . . X . X X . . . .
			. . . . . . X . . . . . . . .
			. . . . . O . . X O X . . . .
			. . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . .`, "g9", "g7", equal, 5},
		{"an open four against it loses with the second stone", rules.White, `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . X X X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . O .
			. . . . . . . . O . .
			. . . . . . . . . . .`, "b7", "b7", lose, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := triedOn(t, tt.toMove, backtrackDepth, tt.board)
			at := root.best()
			if first, got := root.points[0].String(), root.points[at].String(); first != tt.first || got != tt.want {
				t.Errorf("plays %s, of which the weights think first of %s; want %s and %s", got, first, tt.want, tt.first)
			}
			if root.results[at] != tt.result || root.steps[at] != tt.step {
				t.Errorf("ends %d with stone %d, want %d with %d", root.results[at], root.steps[at], tt.result, tt.step)
			}
		})
	}
}

func TestASideWithOnlyForbiddenPointsLeftLoses(t *testing.T) {
	p := drawn(t, rules.Renju, rules.White, `
		O O X X O O
		X X O O X X
		X X X . X X
		O O X O X X
		. X O O X O`)
	s := backtracking{study: studied(t, p.Rule, p.Board()), depth: backtrackDepth}
	root, _ := s.search(t.Context(), rules.White)
	for name, want := range map[string]struct {
		result result
		step   int
	}{
		"a1": {win, 1},                // Black would make six at d3
		"d3": {equal, backtrackDepth}, // Black fills the board
	} {
		at := slices.IndexFunc(root.points[:root.count], func(p rules.Point) bool { return p.String() == name })
		if root.results[at] != want.result || root.steps[at] != want.step {
			t.Errorf("%s ends %d with stone %d, want %+v", name, root.results[at], root.steps[at], want)
		}
	}
}

func TestTheBestOfResults(t *testing.T) {
	for _, tt := range []struct {
		name    string
		results [breadth]result
		steps   [breadth]int
		want    int
	}{
		{"a win before an even end", [breadth]result{equal, lose, win, equal, lose}, [breadth]int{5, 4, 5, 5, 2}, 2},
		{"the quickest win", [breadth]result{win, win, win, lose, win}, [breadth]int{5, 3, 1, 2, 1}, 2},
		{"the slowest loss", [breadth]result{lose, lose, lose, lose, lose}, [breadth]int{2, 4, 2, 4, 2}, 1},
		{"an even end before any loss", [breadth]result{lose, lose, lose, equal, lose}, [breadth]int{4, 4, 4, 5, 4}, 3},
		{"of equals the first", [breadth]result{}, [breadth]int{5, 5, 5, 5, 5}, 0},
		{"what was not tried is even", [breadth]result{lose, lose}, [breadth]int{2, 4}, 2},
	} {
		e := stackElement{count: breadth, results: tt.results, steps: tt.steps}
		if got := e.best(); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// recursive is the search of the stack written as a recursion.
func recursive(s *study, side rules.Color, depth, stone int) (e stackElement, r result, step int) {
	e = s.bestFive(side)
	for i := range e.count {
		switch {
		case e.weights[i] >= makesFive:
			e.results[i], e.steps[i] = win, stone
		case stone == depth:
			e.results[i], e.steps[i] = equal, depth
		default:
			s.play(e.points[i], side)
			_, r, step := recursive(s, side.Opponent(), depth, stone+1)
			s.take(e.points[i])
			e.results[i], e.steps[i] = -r, step
		}
	}
	if e.count == 0 {
		if s.board.Full() {
			return e, equal, depth
		}
		return e, lose, stone - 1
	}
	at := 0
	for i := range e.count {
		switch c := e.results[i] - e.results[at]; {
		case c > 0, c == 0 && e.results[i] == win && e.steps[i] < e.steps[at], c == 0 && e.results[i] != win && e.steps[i] > e.steps[at]:
			at = i
		}
	}
	return e, e.results[at], e.steps[at]
}

func TestTheStackSearchesAsARecursionDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := position(t)
		if rapid.Bool().Draw(t, "quiet") { // else there are fives everywhere
			p.Stones = p.Stones[:len(p.Stones)/6]
			p.ToMove = rules.Color(1 + len(p.Stones)%2)
		}
		depth := rapid.IntRange(1, 4).Draw(t, "depth")
		s := backtracking{study: studied(t, p.Rule, p.Board()), depth: depth}
		before := s.board.String()
		got, _ := s.search(t.Context(), p.ToMove)
		if s.board.String() != before {
			t.Fatalf("leaves\n%vof\n%v", s.board, before)
		}
		want, _, _ := recursive(s.study, p.ToMove, depth, 1)
		if got.points != want.points || got.results != want.results || got.steps != want.steps {
			t.Fatalf("at depth %d: %v %v %v, want %v %v %v on\n%v", depth, got.points, got.results, got.steps, want.points, want.results, want.steps, s.board)
		}
	})
}

func TestTheFiveArePickedByWeightThenFromTheLeftThenFromAbove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := position(t)
		s := studied(t, p.Rule, p.Board())
		e := s.bestFive(p.ToMove)
		picked := map[rules.Point]bool{}
		for i := range e.count {
			var best rules.Point
			most := -1
			for x := range p.Size.Width {
				for y := p.Size.Height - 1; y >= 0; y-- {
					at := rules.Point{X: int8(x), Y: int8(y)}
					if ai.MayPlay(s.board, p.Rule, p.ToMove, at) && !picked[at] && s.weightAt(at, p.ToMove) > most {
						best, most = at, s.weightAt(at, p.ToMove)
					}
				}
			}
			picked[best] = true
			if e.points[i] != best || e.weights[i] != most {
				t.Fatalf("number %d is %v with %d, want %v with %d on\n%v", i, e.points[i], e.weights[i], best, most, s.board)
			}
		}
		if e.count == breadth || e.count > 0 && e.weights[0] >= stopsFive {
			return
		}
		for at := range p.Size.All() {
			if ai.MayPlay(s.board, p.Rule, p.ToMove, at) && !picked[at] {
				t.Fatalf("only %d are picked, without %v, on\n%v", e.count, at, s.board)
			}
		}
	})
}

func TestWhereAFiveIsAtStakeNothingElseIsTried(t *testing.T) {
	root := triedOn(t, rules.White, backtrackDepth, `
		. . . . . . . . . . .
		. . . O O O . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . X X X X O . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .`)
	if root.count != 1 || root.points[0].String() != "b7" {
		t.Errorf("tries %v, want b7 alone", root.points[:root.count])
	}
}

// quiet is a position without fives or fours, in which all five points are
// played through.
func quiet(t *testing.T) ai.Position {
	return drawn(t, rules.Freestyle, rules.Black, `
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . O X . . . . . .
		. . . . X O . . . . .
		. . . . O X . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .`)
}

func TestTheBudgetOfABacktrackIsKept(t *testing.T) {
	p := quiet(t)
	for _, tt := range []struct {
		name         string
		budget       ai.Budget
		most         int64
		depth, least int
	}{
		{"none", ai.Budget{}, 5 + 25 + 125 + 625 + 3125, 5, 1000},
		{"one stone deep", ai.Budget{Depth: 1}, 5, 1, 5},
		{"two", ai.Budget{Depth: 2}, 30, 2, 10},
		{"no deeper than it ever is", ai.Budget{Depth: 9}, 3905, 5, 1000},
		{"of stones", ai.Budget{Nodes: 100}, 100, 1, 100},
	} {
		got, err := Backtrack{}.Think(t.Context(), p, tt.budget)
		if err != nil {
			t.Fatal(err)
		}
		if got.Nodes > tt.most || got.Nodes < int64(tt.least) || got.Depth != tt.depth {
			t.Errorf("%s: %d stones to depth %d, want %d to %d, to depth %d", tt.name, got.Nodes, got.Depth, tt.least, tt.most, tt.depth)
		}
	}
}

// ending is a context that ends when it has been asked some times.
type ending struct {
	context.Context
	left int
}

func (c *ending) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func TestABacktrackThatIsStoppedAnswersWithWhatItHas(t *testing.T) {
	p := quiet(t)
	board := p.Board()
	for asked := 0; asked < 3000; asked += 1 + asked/8 {
		ctx := &ending{t.Context(), asked}
		thought, err := Backtrack{}.Think(ctx, p, ai.Budget{})
		switch {
		case err != nil:
			t.Fatal(err)
		case !ai.MayPlay(board, p.Rule, p.ToMove, thought.Move):
			t.Fatalf("stopped after %d: plays %v on\n%v", asked, thought.Move, board)
		case (thought.Depth > 0) != (asked >= p.Size.Height): // the board is read row by row
			t.Fatalf("stopped after %d: plays %v to depth %d", asked, thought.Move, thought.Depth)
		}
		if ctx.left < -2 {
			t.Fatalf("asked %d times after the end", -ctx.left-1)
		}
	}
}

func TestABacktrackWithoutTimeMovesAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if thought, err := (Backtrack{}).Think(ctx, quiet(t), ai.Budget{}); err != nil || thought.Depth != 0 {
		t.Errorf("got %+v, %v", thought, err)
	}
	if thought, err := (Backtrack{}).Think(t.Context(), quiet(t), ai.Budget{Time: 1}); err != nil || thought.Depth > 1 {
		t.Errorf("a nanosecond is enough for %+v, %v", thought, err)
	}
}
