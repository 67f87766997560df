package tengen

import (
	"math"
	"math/rand/v2"
)

// model is a network while it learns.
type model struct {
	windows *windows
	alike   bool // the colours are treated alike: one table of rows, one head
	all     []float32
	rows    [][]float32        // by table: what the rows are together
	traits  [][][traits]uint16 // by table and window
	parts   span               // of the traits, a row each
	heads   []headModel
}

// A row is the sum of its traits, most of which other windows have as well; so
// what is seen often teaches what is seen seldom.
const traits = 4

// trait is something that windows have in common. What can be seen of them may
// mean the same to both colours also where the rule does not treat them alike;
// that of White is as it sees it.
type trait struct {
	sort  uint8
	color color
	what  uint32
}

func traitsOf(w *windows, n uint16, c color) [traits]trait {
	own := trait{sort: 0, color: c, what: uint32(n)}
	if c == white {
		n = w.other[n]
	}
	return [traits]trait{own, {sort: 1, what: uint32(n)}, {sort: 2, what: w.near[n]}, {sort: 3, what: uint32(w.pair[n])}}
}

// headModel is the head of one side to move.
type headModel struct {
	first, bias, second, past, base span
}

// span is where parameters lie in model.all.
type span struct{ from, to int }

func (s span) of(all []float32) []float32 { return all[s.from:s.to:s.to] }

func newModel(w *windows, alike bool) model {
	m := model{windows: w, alike: alike}
	colors := 2
	if alike {
		colors = 1
	}
	numbers := map[trait]uint16{}
	for c := range colors {
		m.rows = append(m.rows, make([]float32, len(w.other)*width))
		table := make([][traits]uint16, len(w.other))
		for n := range table {
			for i, t := range traitsOf(w, uint16(n), color(c)) {
				if _, ok := numbers[t]; !ok {
					numbers[t] = uint16(len(numbers))
				}
				table[n][i] = numbers[t]
			}
		}
		m.traits = append(m.traits, table)
	}
	size := 0
	take := func(n int) span {
		size += n
		return span{size - n, size}
	}
	m.parts = take(len(numbers) * width)
	for range colors {
		m.heads = append(m.heads, headModel{
			first: take(hidden * 2 * width), bias: take(hidden), second: take(hidden), past: take(2 * width), base: take(1),
		})
	}
	m.all = make([]float32, size)
	random := rand.New(rand.NewPCG(7, 7))
	strew := func(s span, deviation float64) {
		for i := range s.of(m.all) {
			m.all[s.from+i] = float32(random.NormFloat64() * deviation)
		}
	}
	strew(m.parts, 0.05)
	for _, h := range m.heads {
		strew(h.first, 1/math.Sqrt(2*width))
		strew(h.second, 0.1)
	}
	m.sumRows()
	return m
}

// sumRows makes the rows out of their parts. That of a window without stones is
// always zero.
func (m *model) sumRows() {
	parts := m.parts.of(m.all)
	for c, rows := range m.rows {
		for n := 1; n < len(m.windows.other); n++ {
			row := rowOf(rows, n)
			*row = [width]float32{}
			for _, t := range m.traits[c][n] {
				for i, x := range rowOf(parts, int(t)) {
					row[i] += x
				}
			}
			for i, x := range row {
				row[i] = min(max(x, -rowMost), rowMost)
			}
		}
	}
}

// rowMost is the most that a row can hold, so that four fit into 16 bits.
const rowMost = float32(1<<11-1) / rowScale

// rowOf is one row of many.
func rowOf(rows []float32, n int) *[width]float32 {
	return (*[width]float32)(rows[n*width:])
}

// step moves the parameters, which are a's weights, by what the pupils have found,
// and clears that.
func (m *model) step(a *adam, pupils []*pupil) {
	found := pupils[0]
	for _, p := range pupils[1:] {
		found.takeOver(p)
	}
	parts := m.parts.of(found.gradient)
	for c, rows := range found.rows {
		for n := 1; n < len(m.windows.other); n++ {
			row := rowOf(rows, n)
			for _, t := range m.traits[c][n] {
				to := rowOf(parts, int(t))
				for i, g := range row {
					to[i] += g
				}
			}
		}
		clear(rows)
	}
	for i, g := range found.gradient {
		a.gradient[i] = float64(g)
	}
	clear(found.gradient)
	a.step()
	m.sumRows()
}

// rounded is the network in whole numbers, in the order in which it is read.
func (m *model) rounded() (parts []any) {
	round := func(x float32, scale, most float64) float64 {
		return math.Round(min(max(float64(x)*scale, -most), most))
	}
	short := func(from []float32, scale float64) []int16 {
		to := make([]int16, len(from))
		for i, x := range from {
			to[i] = int16(round(x, scale, math.MaxInt16))
		}
		return to
	}
	long := func(from []float32, scale float64) []int32 {
		to := make([]int32, len(from))
		for i, x := range from {
			to[i] = int32(round(x, scale, 1<<28))
		}
		return to
	}
	for _, rows := range m.rows {
		parts = append(parts, short(rows, rowScale))
	}
	for _, h := range m.heads {
		parts = append(parts,
			short(h.first.of(m.all), headScale), long(h.bias.of(m.all), rowScale*headScale), long(h.second.of(m.all), lastScale),
			short(h.past.of(m.all), lastScale), long(h.base.of(m.all), rowScale*lastScale))
	}
	return parts
}
