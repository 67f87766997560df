package tengen

// visit is a position whose moves are tried: what is known of it, and what has
// come of it so far.
type visit struct {
	beta, depth, ply               int
	pv, cut, improving, threatened bool
	known                          square // the move from the table
	extend                         int    // by how much that one is looked into further
	excluded                       square // the move that is left out

	best  int // score
	move  square
	above int   // a move must be better to matter
	tried int   // moves
	top   int32 // order of the likeliest move that is not from the table
}

// skips reports whether a move is not worth a search; else it counts it.
func (v *visit) skips(p *position, m move) bool {
	if m.order < fromTheTable && v.top == 0 {
		v.top = m.order
	}
	if v.mayLeaveOut() {
		late := lateMoves + v.depth*v.depth
		if v.improving {
			late += late / 2
		}
		if v.tried >= late && p.quiet(m.square) || v.unlikely(m) {
			return true
		}
	}
	v.tried++
	return false
}

// ends reports whether a move is not worth a search, nor any that is less likely.
func (v *visit) ends(m move) bool { return v.mayLeaveOut() && v.top != 0 && v.unlikely(m) }

func (v *visit) mayLeaveOut() bool {
	return !v.pv && v.tried > 1 && !v.threatened && v.best > -proven
}

func (v *visit) unlikely(m move) bool {
	return v.depth <= unlikelyDepth && m.order < v.top-int32(unlikely+unlikelyPly*v.depth)
}

// quiet reports whether a stone of the side to move neither makes nor stops much.
func (p *position) quiet(s square) bool {
	at := &p.points[s]
	return at.class[p.turn] < threeClass && at.class[p.turn^1] < threeThree
}

// takes notes what a move is worth, and its line if it matters; it reports
// whether it does.
func (v *visit) takes(s square, score int, into, rest *line) bool {
	if score <= v.best {
		return false
	}
	v.best, v.move = score, s
	if score <= v.above {
		return false
	}
	v.above = score
	if v.pv {
		into.set(s, rest)
	}
	return true
}

// try plays a move, the place-th, and returns its score if that is above the
// given one; else a bound of it.
func (t *thread) try(v *visit, m move, place, above int) int {
	p, s := t.p, m.square
	me := p.turn
	quiet := p.quiet(s)
	t.stack[v.ply+2].class = p.points[s].class[me]
	ahead := v.depth - 1
	if s == v.known {
		ahead += v.extend
	}
	less := 0
	if place > 1 && v.depth >= 2 && !v.threatened {
		less = t.reduction(v.depth, place, v.pv, v.cut, v.improving, quiet, t.history[me][s]) + int(v.top-m.order)/unlikelier
	}
	t.table.expect(p.hashAfter(s))
	p.play(s)
	defer p.undo()
	if place == 1 {
		return -t.search(-v.beta, -above, ahead, v.ply+1, !v.pv && !v.cut)
	}
	score := -t.search(-above-1, -above, max(0, min(ahead, ahead-less)), v.ply+1, true)
	if score > above && less > 0 {
		score = -t.search(-above-1, -above, ahead, v.ply+1, !v.cut)
	}
	if score > above && v.pv && (score < v.beta || v.ply == 0) {
		score = -t.search(-v.beta, -above, ahead, v.ply+1, false)
	}
	return score
}
