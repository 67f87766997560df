package tengen

import "gomokud/internal/rules"

// Scores are for the side to move. A win by force is win less the plies until
// the stone that makes five, counted from the root.
const (
	win      = 30000
	proven   = win - 1000 // scores beyond it are proven
	infinite = 32000
	maxPly   = 160
)

func winIn(ply int) int { return win - ply }

func isProven(score int) bool { return score > proven || score < -proven }

// thread is one of the threads of a search.
type thread struct {
	p       *position
	fours   *fourSearch
	threats *threatSearch
	table   *hashTable
	limits  *limits
	team    *team    // nil with one thread
	split   *split   // the one that it works for, nil if none
	splits  []*split // not in use
	base    int      // moves that led to the root
	main    bool     // it counts the nodes that are allowed
	look    int64
	history [2][squares]int32 // how well a move did elsewhere
	answer  [2][squares]square
	stack   [maxPly + 4]node
	lines   [maxPly + 2]line
	moves   []move
	first   square // the best move at the root so far
	banned  set    // moves that may not be played at the root
}

// node is what the plies of the line that is searched know of each other.
type node struct {
	eval  int
	class class // of the move that is tried, for its own side
}

// line is the best play from a ply on.
type line struct {
	length  int
	squares [maxPly + 2]square
}

func (l *line) set(first square, rest *line) {
	l.squares[0] = first
	n := copy(l.squares[1:], rest.squares[:rest.length])
	l.length = 1 + n
}

// stopped reports whether the search is over; now and then it looks.
func (t *thread) stopped() bool {
	if t.p.nodes >= t.look {
		t.look = t.p.nodes + 512
		t.limits.look()
	}
	if t.main && t.limits.nodes > 0 && t.p.nodes >= t.limits.nodes {
		t.limits.over.Store(true)
	}
	return t.aborted()
}

// settled returns the score of a position whose outcome the patterns show.
func (p *position) settled(ply int) (score int, is bool) {
	me, you := &p.count[p.turn], &p.count[p.turn^1]
	switch {
	case me[fiveClass] > 0:
		return winIn(ply + 1), true
	case you[fiveClass] > 0:
		if p.lost() {
			return -winIn(ply + 2), true
		}
		return 0, false
	case me[openFourClass] > 0:
		return winIn(ply + 3), true
	case p.empty == 0:
		return 0, true
	default:
		return 0, false
	}
}

// lost reports whether nothing stops the opponent's five. Who has one of his own
// is not asked.
func (p *position) lost() bool {
	you := p.turn ^ 1
	if p.tables.rule == rules.Caro {
		return p.answers() == set{}
	}
	return p.count[you][fiveClass] > 1 || !p.allowed(p.at[you][fives].first())
}

// search returns the score of the position between alpha and beta, after looking
// depth plies ahead, and further where there are threats. cut says that the
// score is expected to reach beta.
func (t *thread) search(alpha, beta, depth, ply int, cut bool) int {
	return t.searchWithout(nowhere, alpha, beta, depth, ply, cut)
}

// searchWithout leaves a move out, to see whether another is as good.
func (t *thread) searchWithout(excluded square, alpha, beta, depth, ply int, cut bool) int {
	p := t.p
	pv := beta-alpha > 1
	t.lines[ply].length = 0
	if t.stopped() {
		return 0
	}
	if score, is := p.settled(ply); is && ply > 0 {
		return score
	}
	if ply >= maxPly {
		return p.evaluate()
	}
	you := p.turn ^ 1
	if p.count[you][fiveClass] > 0 && ply > 0 {
		if p.tables.rule != rules.Caro {
			return t.answerFour(alpha, beta, depth, ply, cut)
		}
		depth = max(depth, 1) // there may be two answers
	}
	if depth <= 0 {
		return t.quiet(alpha, beta, ply)
	}
	if winIn(ply+5) <= alpha { // there is no open four, so that it takes so long
		return alpha
	}

	hash := p.hash
	if excluded != nowhere {
		hash ^= p.tables.keys[white][excluded] * 3
	}
	known, hit := t.table.find(hash)
	known.score = fromTable(known.score, ply)
	if hit && !pv && excluded == nowhere && known.suffices(depth, alpha, beta) {
		return known.score
	}
	eval := known.eval
	if !hit {
		eval = p.evaluate()
	}
	t.stack[ply+2].eval = eval
	if hit && excluded == nowhere && known.corrects(eval) {
		eval = known.score
	}
	threatened := p.count[you][openFourClass] > 0
	improving := eval > t.stack[ply].eval

	if !pv && excluded == nowhere && !isProven(beta) {
		if depth <= razorDepth && eval+razorMargin*depth < alpha && !threatened {
			return t.quiet(alpha, beta, ply)
		}
		if depth <= futilityDepth && !threatened && eval-futilityMargin*depth >= beta {
			return eval
		}
	}
	if known.move == nowhere && depth >= 5 {
		depth-- // without a move to begin with: it comes back
	}

	extend := 0
	if hit && depth >= singularDepth && ply > 0 && excluded == nowhere && known.move != nowhere &&
		known.bound != atMost && known.depth >= depth-3 && !isProven(known.score) {
		limit := known.score - depth*singularMargin
		score := t.searchWithout(known.move, limit-1, limit, (depth-1)/2, ply, cut)
		switch {
		case score < limit:
			extend = 1
		case limit >= beta:
			return limit
		}
		t.lines[ply].length = 0
	}

	p.value() // once here, not after each move
	begin := len(t.moves)
	t.moves = p.appendMoves(t.moves)
	list := t.moves[begin:]
	if ply == 0 && t.first != nowhere {
		known.move = t.first // if time is over, nothing worse is left
	}
	t.rank(list, known.move)
	v := visit{
		beta: beta, depth: depth, ply: ply, pv: pv, cut: cut, improving: improving, threatened: threatened,
		known: known.move, excluded: excluded, extend: extend, best: -infinite, move: nowhere, above: alpha,
	}
	for i := range list {
		if t.team != nil && t.team.wanted(&v, len(list)-i) {
			t.share(&v, list[i:])
			if t.aborted() {
				break
			}
			if v.best >= beta {
				t.reward(list, v.move, depth)
			}
			break
		}
		m := pick(list[i:])
		s := m.square
		if s == excluded || ply == 0 && t.banned.has(s) {
			continue
		}
		if v.ends(m) {
			break
		}
		if v.skips(p, m) {
			continue
		}
		score := t.try(&v, m, v.tried, v.above)
		if t.aborted() {
			break
		}
		if v.takes(s, score, &t.lines[ply], &t.lines[ply+1]) && score >= beta {
			t.reward(list[:i+1], s, depth)
			break
		}
	}
	t.moves = t.moves[:begin]
	if t.aborted() {
		if ply == 0 && v.best > -infinite {
			return v.best // of the moves that were searched
		}
		return 0
	}
	if v.tried == 0 {
		if excluded != nowhere {
			return alpha
		}
		if p.count[you][fiveClass] > 0 || threatened { // nothing stops it
			return -winIn(ply + 4)
		}
		return 0 // no point is left that the side to move may take
	}
	if excluded == nowhere && (ply > 0 || t.banned == set{}) {
		kind := atMost
		switch {
		case v.best >= beta:
			kind = atLeast
		case v.best > alpha:
			kind = exactly
		}
		t.table.store(hash, entry{move: v.move, score: toTable(v.best, ply), eval: eval, depth: depth, bound: kind, pv: pv})
	}
	return v.best
}

// answerFour plays the only move against a four. It costs no depth, so that a
// search sees to the end of what fours bring about.
func (t *thread) answerFour(alpha, beta, depth, ply int, cut bool) int {
	s := t.p.at[t.p.turn^1][fives].first()
	t.stack[ply+2].eval = t.stack[ply].eval
	t.stack[ply+2].class = t.p.points[s].class[t.p.turn]
	t.table.expect(t.p.hashAfter(s))
	t.p.play(s)
	score := -t.search(-beta, -alpha, depth, ply+1, !cut)
	t.p.undo()
	if score > alpha && beta-alpha > 1 {
		t.lines[ply].set(s, &t.lines[ply+1])
	}
	return score
}

// quiet returns the score where the search ends: of a victory by fours if there
// is one, else what the evaluation says. Who stands well enough without one is
// not asked for it.
func (t *thread) quiet(alpha, beta, ply int) int {
	p := t.p
	pv := beta-alpha > 1 // where the line counts, too, which the table does not have
	known, hit := t.table.find(p.hash)
	known.score = fromTable(known.score, ply)
	if hit && !pv && known.suffices(0, alpha, beta) {
		return known.score
	}
	eval, all := known.eval, hit && known.eval != unasked
	if !all {
		eval, all = p.evaluateWithin(alpha, beta)
	}
	if !pv && eval >= beta {
		if all && !hit {
			t.table.store(p.hash, entry{bound: atLeast, eval: eval, score: eval})
		}
		return eval
	}
	found := entry{bound: exactly, eval: unasked} // who wins does not ask what the evaluation says
	plies, won := 0, false
	if p.hasFour(p.turn) {
		plies, won = t.fours.win(quietFours, quietNodes, true)
	}
	switch {
	case won:
		t.takeFours(ply)
		found.score = winIn(ply + plies)
	case all:
		found.score, found.eval = eval, eval
	default:
		return eval
	}
	score := found.score
	if !hit || known.depth <= 0 {
		found.score = toTable(score, ply)
		t.table.store(p.hash, found)
	}
	return score
}

// takeFours makes the line of the victory by fours the best line.
func (t *thread) takeFours(ply int) {
	l := &t.lines[ply]
	l.length = copy(l.squares[:], t.fours.line[:t.fours.length])
}

// What follows was chosen by matches; see docs/engine.md.
const (
	quietFours, quietNodes = 12, 100
	insightMost            = 250 // the network adds more so seldom that it is not asked
	razorDepth             = 3
	razorMargin            = 120
	futilityDepth          = 6
	futilityMargin         = 100
	singularDepth          = 5
	singularMargin         = 2
	lateMoves              = 6
	historyMost            = 8192
	historyPart            = 64
	answerBonus            = 30
	unlikelyDepth          = 8 // where moves are left out whose order is so much less than the best
	unlikely, unlikelyPly  = 100, 50
	unlikelier             = 150     // less order that costs a ply
	fromTheTable           = 1 << 24 // order of the move that the table has
)

// toTable and fromTable count wins from the position and from the root.
func toTable(score, ply int) int {
	switch {
	case score > proven:
		return score + ply
	case score < -proven:
		return score - ply
	default:
		return score
	}
}

func fromTable(score, ply int) int {
	switch {
	case score > proven:
		return score - ply
	case score < -proven:
		return score + ply
	default:
		return score
	}
}
