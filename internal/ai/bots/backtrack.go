package bots

import (
	"context"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// Backtrack is the player of seed 002. It gives every empty point a weight by a
// table (weight), takes the best five, and plays each of them through: the
// opponent's best five answers, its own best five to those, and so on to a depth
// of five stones, with a stack of its own instead of recursion (stackElement).
// A line of play ends won where a five is made and even where the depth is
// reached. It takes the quickest win, else an even end, else the slowest loss;
// of points that are equal the one of the largest weight, and of equal weights
// the one found first, columns from the left, each from above.
//
// Chosen where the text is ambiguous or breaks off:
//   - its depth M has no value: it is 5 here, so that the player sees its own
//     threat through an answer, a four and another answer to the five;
//   - it breaks off in the code of the weights. Its list in words says nothing of
//     points that none of its rows names: those are worth their lines added up
//     (lines.sum). White's table is Black's with the sides swapped;
//   - its code also finds active lines beside the point, further on one side than
//     on the other: here the stone must be one of the four cells, and one that
//     breaks the opponent's line must leave none as good within eight points to
//     either side;
//   - where five stones can be made or stopped no other point is looked at: it
//     would lose at once, and is never better;
//   - a side that has only forbidden points left loses, as in the text; on a full
//     board nobody does;
//   - an empty board is opened in its centre;
//   - fives, and the lines that may become some, are those of the rules of the
//     game (lineMasks.fives); a forbidden point is not taken while another is
//     left, and is no danger if it is forbidden to the opponent.
type Backtrack struct{}

const (
	backtrackDepth = 5 // stones, the text's M
	breadth        = 5 // points that are tried of a position
)

// A result is how play ends for the side whose stone it is.
type result int8

const (
	lose result = iota - 1
	equal
	win
)

// stackElement is one side's turn in a line of play.
type stackElement struct {
	side    rules.Color
	points  [breadth]rules.Point // the best first
	weights [breadth]int
	results [breadth]result
	steps   [breadth]int // the stone, from 1 at the root, that brings the result
	count   int          // of points
	next    int          // the first that was not tried
}

// Think implements ai.Engine. Its nodes are the stones that it tried.
func (Backtrack) Think(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
	center := p.Size.Center()
	if len(p.Stones) == 0 {
		return ai.Thought{Move: center, Line: []rules.Point{center}}, nil
	}
	if b.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.Time)
		defer cancel()
	}
	study, err := newStudy(ctx, p)
	if err != nil {
		return inHaste(p)
	}
	s := backtracking{study: study, depth: backtrackDepth, nodes: b.Nodes}
	if b.Depth > 0 {
		s.depth = min(s.depth, b.Depth)
	}
	root, tried := s.search(ctx, p.ToMove)
	if root.count == 0 {
		return ai.Thought{}, ai.ErrNoMove
	}
	best := root.best()
	move := root.points[best]
	t := ai.Thought{Move: move, Score: root.weights[best], Depth: s.depth, Nodes: tried, Line: []rules.Point{move}}
	if s.stopped {
		t.Depth = 1 // the weights
	}
	return t, nil
}

// backtracking plays lines of play through.
type backtracking struct {
	*study
	depth   int
	nodes   int64 // stones that may be tried; 0: any number
	stopped bool  // before all was tried
}

// search tries the best points and returns them with their results, and how
// many stones it tried. When ctx ends, points without a result are even.
func (s *backtracking) search(ctx context.Context, side rules.Color) (root stackElement, tried int64) {
	stack := make([]stackElement, 1, s.depth)
	stack[0] = s.bestFive(side)
	for {
		top := &stack[len(stack)-1]
		if top.next < top.count {
			if ai.Breathe(ctx) != nil || s.nodes > 0 && tried >= s.nodes {
				s.stopped = true
				return stack[0], tried
			}
			i := top.next
			top.next++
			tried++
			switch {
			case top.weights[i] == makesFive:
				top.results[i], top.steps[i] = win, len(stack)
			case len(stack) == s.depth:
				top.results[i], top.steps[i] = equal, s.depth
			default:
				s.play(top.points[i], top.side)
				stack = append(stack, s.bestFive(top.side.Opponent()))
			}
			continue
		}
		if len(stack) == 1 {
			return stack[0], tried
		}
		at := top.best()
		result, step := top.results[at], top.steps[at]
		switch {
		case top.count == 0 && s.board.Full():
			result, step = equal, s.depth
		case top.count == 0:
			result, step = lose, len(stack)-1
		}
		stack = stack[:len(stack)-1]
		before := &stack[len(stack)-1]
		i := before.next - 1
		s.take(before.points[i])
		before.results[i], before.steps[i] = -result, step
	}
}

// best is the point with the best result: of wins the quickest, of anything else
// the slowest.
func (e *stackElement) best() (at int) {
	for i := range e.count {
		better := e.steps[i] > e.steps[at]
		if e.results[i] == win {
			better = e.steps[i] < e.steps[at]
		}
		if e.results[i] > e.results[at] || e.results[i] == e.results[at] && better {
			at = i
		}
	}
	return at
}

// bestFive are the side's points of the largest weights.
func (s *study) bestFive(side rules.Color) (e stackElement) {
	e.side = side
	size := s.board.Size()
	for x := range size.Width {
		for y := size.Height - 1; y >= 0; y-- {
			at := rules.Point{X: int8(x), Y: int8(y)}
			if s.board.At(at) == rules.Empty {
				e.offer(s, at, s.weightAt(at, side))
			}
		}
	}
	if e.count > 0 && e.weights[0] >= stopsFive {
		for e.weights[e.count-1] < stopsFive {
			e.count--
		}
	}
	return e
}

// offer puts the point among the best five if it is one and may be taken.
func (e *stackElement) offer(s *study, at rules.Point, weight int) {
	if e.count == breadth && weight <= e.weights[breadth-1] || !ai.MayPlay(s.board, s.rule, e.side, at) {
		return
	}
	e.count = min(e.count+1, breadth)
	i := e.count - 1
	for ; i > 0 && e.weights[i-1] < weight; i-- {
		e.points[i], e.weights[i] = e.points[i-1], e.weights[i-1]
	}
	e.points[i], e.weights[i] = at, weight
}
