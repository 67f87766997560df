package tengen

import "math"

// rank gives each move its place: the one from the table, then by patterns, by
// how well it did elsewhere, and whether it answered the last move well.
func (t *thread) rank(list []move, first square) {
	me := t.p.turn
	answer := nowhere
	if last := t.p.last(1); last != nowhere {
		answer = t.answer[me][last]
	}
	near, related := &t.p.tables.weights.near, t.p.tables.related
	for ago := range recent {
		earlier, near := t.p.last(ago+1), &near[ago]
		for i := range list {
			list[i].order += int32(near[related.of(list[i].square, earlier)])
		}
	}
	for i := range list {
		m := &list[i]
		m.order += t.history[me][m.square] / historyPart
		switch m.square {
		case first:
			m.order += fromTheTable
		case answer:
			m.order += answerBonus
		}
	}
}

// reward remembers that the last of the moves was too good and the others were not.
func (t *thread) reward(tried []move, good square, depth int) {
	me := t.p.turn
	bonus := int32(min(depth*depth*16, 1600))
	for _, m := range tried {
		h := &t.history[me][m.square]
		if m.square == good {
			*h += bonus - *h*bonus/historyMost
		} else {
			*h -= bonus + *h*bonus/historyMost
		}
	}
	if last := t.p.last(1); last != nowhere {
		t.answer[me][last] = good
	}
}

// reduction is by how much less a late move is looked into.
func (t *thread) reduction(depth, tried int, pv, cut, improving, quiet bool, history int32) int {
	r := t.p.tables.reductions[min(depth, 63)][min(tried, 63)]
	if pv {
		r -= 1
	}
	if cut {
		r += 0.7
	}
	if !improving {
		r += 0.3
	}
	if !quiet {
		r -= 1
	}
	r -= float32(history) / 6000
	return int(r)
}

// reductions by depth and by how many moves were tried before.
type reductions [64][64]float32

func newReductions() *reductions {
	t := &reductions{}
	for d := 1; d < 64; d++ {
		for n := 1; n < 64; n++ {
			t[d][n] = float32(0.3 + math.Log(float64(d))*math.Log(float64(n))/1.7)
		}
	}
	return t
}
