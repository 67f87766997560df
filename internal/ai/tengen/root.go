package tengen

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// rootSearch looks for the best lines of one position until its limits are
// reached.
type rootSearch struct {
	threads []*thread
	limits  *limits
	budget  ai.Budget
	began   time.Time
	most    int  // lines that are asked for
	quick   bool // only a move is
	report  func(ai.Analysis)
	found   []ai.Line // best first
	sure    []ai.Line // of them, a win that is proven
	ignored set       // moves that are not thought of
}

// run looks for them. It reports a move at once, so that there is one whenever
// its time is over.
func (r *rootSearch) run(level Level) error {
	t := r.threads[0]
	p := t.p
	if p.count[p.turn][fiveClass] > 0 {
		r.proven(t, 1, []square{p.at[p.turn][fives].first()})
		return nil
	}
	list := r.candidates(p)
	if len(list) == 0 {
		return ai.ErrNoMove
	}
	if overlooked := level.overlooked(p, r.budget.Seed); overlooked != nil {
		r.ignored = *overlooked
		list = r.without(p, list)
	}
	r.found = []ai.Line{{Moves: []rules.Point{pick(list).square.point()}}}
	r.tell(0)
	if r.quick && len(list) == 1 {
		return nil
	}
	if level.sees() && r.prove(t) && r.most == 1 {
		return nil
	}
	return r.together(func() { r.deepen(t, min(r.most, len(list))) })
}

// together has the other threads search while the first does. It returns when all
// have ended; that one of them panicked is an error.
func (r *rootSearch) together(first func()) (err error) {
	var helpers sync.WaitGroup
	faults := make(chan any, len(r.threads))
	for _, helper := range r.threads[1:] {
		helpers.Go(func() {
			defer func() {
				if fault := recover(); fault != nil {
					faults <- fault
				}
			}()
			helper.help()
		})
	}
	defer func() {
		r.limits.over.Store(true)
		helpers.Wait()
		select {
		case fault := <-faults:
			err = fmt.Errorf("tengen: a thread panicked: %v", fault)
		default:
		}
	}()
	first()
	return nil
}

// candidates returns the moves to choose from: the centre of an empty board, what
// is worth a look, or else whatever is allowed.
func (r *rootSearch) candidates(p *position) []move {
	if p.empty == p.size.Points() {
		return []move{{square: squareOf(p.size.Center())}}
	}
	list := p.appendMoves(nil)
	if len(list) == 0 {
		list = p.appendOf(list, &p.free)
	}
	return list
}

// without leaves out the moves that are not thought of. If none is left, not even
// what had to be answered was seen.
func (r *rootSearch) without(p *position, list []move) []move {
	ignored := func(m move) bool { return r.ignored.has(m.square) }
	if some := slices.DeleteFunc(slices.Clone(list), ignored); len(some) > 0 {
		return some
	}
	if some := slices.DeleteFunc(p.appendNear(nil), ignored); len(some) > 0 {
		return some
	}
	return list
}

// prove looks for a victory by fours, then by threats, with a part of the budget.
func (r *rootSearch) prove(t *thread) bool {
	nodes := int64(60_000)
	if r.budget.Time > 0 {
		nodes = min(nodes, r.budget.Time.Milliseconds()*proofNodes)
	}
	if r.budget.Nodes > 0 {
		nodes = min(nodes, r.budget.Nodes/8)
	}
	if plies, won := t.fours.win(maxFours, nodes, false); won {
		r.proven(t, plies, t.fours.line[:t.fours.length])
		return true
	}
	if t.p.tables.rule == rules.Caro {
		return false // a four may have two answers there, which that search does not know
	}
	t.threats.limits = r.limits
	if first, plies, won := t.threats.win(proofThrees, nodes); won {
		r.proven(t, plies, []square{first})
		return true
	}
	return false
}

// proven makes a forced win the best line.
func (r *rootSearch) proven(t *thread, plies int, squares []square) {
	l := ai.Line{Score: winIn(plies), Mate: plies}
	for _, s := range squares {
		l.Moves = append(l.Moves, s.point())
	}
	r.sure, r.found = []ai.Line{l}, []ai.Line{l}
	r.tell(0)
}

// What is spent on proofs before the search: nodes a millisecond of the budget,
// and threes.
const (
	proofNodes  = 100
	proofThrees = 12
)

// deepen searches deeper and deeper; at each depth for the best line, for the
// best without its first move, and so on.
func (r *rootSearch) deepen(t *thread, lines int) {
	scores, firsts := make([]int, lines), make([]square, lines)
	for depth := 1; depth <= maxDepth(r.budget); depth++ {
		t.banned = r.ignored
		found := slices.Clone(r.sure)
		for _, l := range found {
			t.banned.add(squareOf(l.Moves[0]))
		}
		for n := len(found); n < lines; n++ {
			if t.first = firsts[n]; t.banned.has(t.first) {
				t.first = nowhere
			}
			scores[n] = t.aspire(scores[n], depth)
			l := t.line(scores[n])
			if len(l.Moves) == 0 {
				break
			}
			found = append(found, l)
			firsts[n] = squareOf(l.Moves[0])
			t.banned.add(firsts[n])
			if r.limits.over.Load() {
				break
			}
		}
		over := r.limits.over.Load()
		r.merge(found, over)
		if over {
			r.tell(depth - 1)
			return
		}
		r.tell(depth)
		settled := func(l ai.Line) bool {
			return isProven(l.Score) && win-abs(l.Score) <= depth || len(r.sure) > 0 && l.Moves[0] == r.sure[0].Moves[0]
		}
		if !slices.ContainsFunc(found, func(l ai.Line) bool { return !settled(l) }) {
			return
		}
	}
}

// merge takes in lines. When time was over before they were complete, those that
// were not searched any more stay as they were.
func (r *rootSearch) merge(found []ai.Line, over bool) {
	if over {
		for _, old := range r.found {
			same := func(l ai.Line) bool { return l.Moves[0] == old.Moves[0] }
			if len(found) < r.most && !slices.ContainsFunc(found, same) {
				found = append(found, old)
			}
		}
	}
	if len(found) > 0 {
		r.found = found
	}
	slices.SortStableFunc(r.found, func(a, b ai.Line) int { return b.Score - a.Score })
}

// aspire searches with a window around the score that is expected.
func (t *thread) aspire(expected, depth int) int {
	width := aspiration
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

// aspiration is half of the first window.
const aspiration = 24

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

// tell reports what was found so far. The nodes are those of the first thread.
func (r *rootSearch) tell(depth int) {
	a := ai.Analysis{Lines: r.found, Depth: depth, Nodes: r.threads[0].p.nodes, Time: time.Since(r.began)}
	r.report(a)
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
