package tengen

import "math"

// pupil works out what positions say about the parameters of a model.
type pupil struct {
	*Trainer
	rows  [][]float32 // gradient of the rows, by table
	heads []headModel // gradient of the heads
	loss  float64

	pooled  [2][width]float32 // of the side to move, of the other
	inputs  [2][width]float32 // gradient
	neurons [hidden]float32
}

// pool is what a point's share is of what the head sees.
const pool = 1.0 / (1 << poolShift)

const widest = float32(topWidth) / rowScale

func newPupil(t *Trainer) *pupil {
	p := &pupil{Trainer: t, heads: headsOf(make([]float32, len(t.model.heads)*headSize))}
	for _, rows := range t.model.rows {
		p.rows = append(p.rows, make([]float32, len(rows)))
	}
	return p
}

// takeOver adds what another one found.
func (p *pupil) takeOver(from *pupil) {
	for i, rows := range from.rows {
		addAll(p.rows[i], rows)
		clear(rows)
	}
	for i, h := range from.heads {
		addAll(p.heads[i], h)
		clear(h)
	}
}

// seen is a point's windows as a colour has them in its table.
func (p *pupil) seen(point *[directions]uint16, c color) (table int, windows [directions]uint16) {
	switch {
	case !p.model.alike:
		return int(c), *point
	case c == black:
		return 0, *point
	}
	for d, n := range point {
		windows[d] = p.windows.other[n]
	}
	return 0, windows
}

// expect returns the result that the network foretells, together with the weights.
func (p *pupil) expect(l lesson) float64 {
	points := p.points[l.first:l.end]
	for side := range p.pooled {
		c := l.turn ^ color(side)
		var sum [width]float32
		for i := range points {
			table, w := p.seen(&points[i], c)
			addPoint(&sum, p.model.rows[table], &w)
		}
		for i := range sum {
			p.pooled[side][i] = sum[i] * pool
		}
	}
	h := p.model.heads[l.head]
	first, bias, second, past := h.first(), h.bias(), h.second(), h.past()
	out := l.worth + *h.base() + dot(rowOf(past, 0), &p.pooled[0]) + dot(rowOf(past, 1), &p.pooled[1])
	for j := range p.neurons {
		p.neurons[j] = max(0, bias[j]+dot(rowOf(first, 2*j), &p.pooled[0])+dot(rowOf(first, 2*j+1), &p.pooled[1]))
		out += p.neurons[j] * second[j]
	}
	return 1 / (1 + math.Exp(-float64(out)))
}

// learn adds what a position says.
func (p *pupil) learn(l lesson) {
	miss := float32(p.expect(l)-float64(l.result)) / batch
	h, g := p.model.heads[l.head], p.heads[l.head]
	*g.base() += miss
	for side := range p.inputs {
		addTimes(rowOf(g.past(), side), &p.pooled[side], miss)
		p.inputs[side] = [width]float32{}
		addTimes(&p.inputs[side], rowOf(h.past(), side), miss)
	}
	for j, n := range p.neurons {
		if n <= 0 {
			continue
		}
		g.second()[j] += miss * n
		m := miss * h.second()[j]
		g.bias()[j] += m
		for side := range p.inputs {
			addTimes(rowOf(g.first(), 2*j+side), &p.pooled[side], m)
			addTimes(&p.inputs[side], rowOf(h.first(), 2*j+side), m)
		}
	}
	points := p.points[l.first:l.end]
	for side := range p.inputs {
		in := &p.inputs[side]
		for i := range in {
			in[i] *= pool
		}
		c := l.turn ^ color(side)
		for i := range points {
			table, w := p.seen(&points[i], c)
			learnPoint(in, p.model.rows[table], p.rows[table], &w)
		}
	}
}
