package tengen

import (
	"sync"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// rootSearch deepens the search of one position until its limits are reached.
type rootSearch struct {
	threads []*thread
	limits  *limits
	budget  ai.Budget
	began   time.Time
	size    rules.Size
	report  func(ai.Analysis)
	best    []ai.Line
}

// run looks for the best lines.
func (r *rootSearch) run(lines int) error {
	t := r.threads[0]
	if t.p.empty == 0 {
		return ai.ErrNoMove
	}
	if r.first(t) {
		return nil
	}
	var helpers sync.WaitGroup
	for i, helper := range r.threads[1:] {
		helpers.Go(func() { helper.help(1 + i%2) })
	}
	r.deepen(t, lines)
	r.limits.over.Store(true)
	helpers.Wait()
	return nil
}

// first reports a move at once, so that there is one whenever time is over, and
// whether it is all there is to say.
func (r *rootSearch) first(t *thread) (all bool) {
	p := t.p
	if p.empty == p.size.Points() {
		r.tell(0, ai.Line{Moves: []rules.Point{p.size.Center()}})
		return true
	}
	list := p.appendMoves(t.moves[:0])
	if s := p.at[p.turn^1][fives].first(); s != nowhere && p.count[p.turn][fiveClass] == 0 {
		list = append(list[:0], move{square: s})
		if !p.allowed(s) {
			list = list[:0]
		}
	}
	if len(list) == 0 {
		for at := range p.size.All() {
			if s := squareOf(at); p.free.has(s) && p.allowed(s) {
				list = append(list, move{square: s})
			}
		}
	}
	if len(list) == 0 {
		return true
	}
	m := pick(list)
	r.tell(0, ai.Line{Moves: []rules.Point{m.square.point()}})
	return len(list) == 1 && r.budget.Depth == 0
}

// deepen searches deeper and deeper.
func (r *rootSearch) deepen(t *thread, lines int) {
	score := 0
	for depth := 1; depth <= maxDepth(r.budget); depth++ {
		score = t.aspire(score, depth)
		if r.limits.over.Load() && t.lines[0].length == 0 {
			return
		}
		r.tell(depth, t.line(score))
		if r.limits.over.Load() || isProven(score) && win-abs(score) <= depth {
			return
		}
	}
}

// help searches beside the main thread, for what the table then knows.
func (t *thread) help(ahead int) {
	score := 0
	for depth := 1 + ahead; depth < maxPly/2 && !t.limits.over.Load(); depth++ {
		score = t.aspire(score, depth)
	}
}

// aspire searches with a window around the score that is expected.
func (t *thread) aspire(expected, depth int) int {
	width := 24
	alpha, beta := -infinite, infinite
	if depth >= 4 && !isProven(expected) {
		alpha, beta = expected-width, expected+width
	}
	for {
		score := t.search(alpha, beta, depth, 0, false)
		if t.limits.over.Load() {
			return score
		}
		width *= 2
		switch {
		case score <= alpha && alpha > -infinite:
			alpha, beta = max(-infinite, score-width), (alpha+beta)/2
		case score >= beta && beta < infinite:
			beta = min(infinite, score+width)
		default:
			return score
		}
		if width > 1000 {
			alpha, beta = -infinite, infinite
		}
	}
}

// line is what the last search found.
func (t *thread) line(score int) ai.Line {
	l := ai.Line{Score: score}
	for _, s := range t.lines[0].squares[:t.lines[0].length] {
		l.Moves = append(l.Moves, s.point())
	}
	switch {
	case score > proven:
		l.Mate = win - score
	case score < -proven:
		l.Mate = -win - score
	}
	return l
}

// tell reports the lines, as far as one has a move.
func (r *rootSearch) tell(depth int, best ai.Line) {
	if len(best.Moves) == 0 {
		return
	}
	var nodes int64
	for _, t := range r.threads[:1] {
		nodes += t.p.nodes
	}
	r.report(ai.Analysis{Lines: []ai.Line{best}, Depth: depth, Nodes: nodes, Time: time.Since(r.began)})
}

func maxDepth(b ai.Budget) int {
	if b.Depth > 0 {
		return min(b.Depth, maxPly/2)
	}
	return maxPly / 2
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
