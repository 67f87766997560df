package tengen

import (
	"math"
	"math/rand/v2"
)

// model is a network while it learns.
type model struct {
	windows *windows
	alike   bool // the colours are treated alike: one table of rows, one set of heads
	all     []float32
	slope   []float32          // gradient of all
	rows    [][]float32        // by table: what the rows are together
	traits  [][][traits]uint16 // by table and window
	parts   span               // of the traits, a row each
	heads   []headModel        // by headOf: what the heads are together
	shares  span               // of the heads' parts, a head each
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

// span is where parameters lie in model.all.
type span struct{ from, to int }

func (s span) of(all []float32) []float32 { return all[s.from:s.to:s.to] }

// headModel is the numbers of a head, layer by layer.
type headModel []float32

const (
	biasFrom   = hidden * 2 * width
	secondFrom = biasFrom + hidden
	pastFrom   = secondFrom + hidden
	baseFrom   = pastFrom + 2*width
	headSize   = baseFrom + 1
)

func (h headModel) first() []float32  { return h[:biasFrom] }
func (h headModel) bias() []float32   { return h[biasFrom:secondFrom] }
func (h headModel) second() []float32 { return h[secondFrom:pastFrom] }
func (h headModel) past() []float32   { return h[pastFrom:baseFrom] }
func (h headModel) base() *float32    { return &h[baseFrom] }

func headsOf(all []float32) (heads []headModel) {
	for ; len(all) > 0; all = all[headSize:] {
		heads = append(heads, headModel(all[:headSize:headSize]))
	}
	return heads
}

// headOf is the number of the head for a side to move and a situation.
func (m *model) headOf(turn color, situation uint8) int {
	if m.alike {
		turn = black
	}
	return int(turn)*situations + int(situation)
}

// sharesOf numbers the parts of a head: one that all of its colour have, one for
// each sort of threat that there is, and its own. So what seldom happens is
// learned from what often does, here too.
func sharesOf(head int) (parts []int) {
	const each = 1 + threatSorts + situations
	first, situation := head/situations*each, head%situations
	parts = append(parts, first)
	for n := range threatSorts {
		if situation>>n&1 != 0 {
			parts = append(parts, first+1+n)
		}
	}
	return append(parts, first+1+threatSorts+situation)
}

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
	m.shares = take(colors * (1 + threatSorts + situations) * headSize)
	m.heads = headsOf(make([]float32, colors*situations*headSize))
	m.all, m.slope = make([]float32, size), make([]float32, size)
	random := rand.New(rand.NewPCG(7, 7))
	strew := func(numbers []float32, deviation float64) {
		for i := range numbers {
			numbers[i] = float32(random.NormFloat64() * deviation)
		}
	}
	strew(m.parts.of(m.all), 0.05)
	shares := headsOf(m.shares.of(m.all))
	for c := range colors {
		common := shares[sharesOf(c * situations)[0]]
		strew(common.first(), 1/math.Sqrt(2*width))
		strew(common.second(), 0.1)
	}
	m.sumUp()
	return m
}

// sumUp makes the rows and the heads out of their parts.
func (m *model) sumUp() {
	m.sumRows()
	shares := headsOf(m.shares.of(m.all))
	for n, h := range m.heads {
		clear(h)
		for _, k := range sharesOf(n) {
			addAll(h, shares[k])
		}
	}
}

func addAll(to, from []float32) {
	for i, x := range from {
		to[i] += x
	}
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
	parts := m.parts.of(m.slope)
	for c, rows := range found.rows {
		for n := 1; n < len(m.windows.other); n++ {
			row := rowOf(rows, n)
			for _, t := range m.traits[c][n] {
				addAll(rowOf(parts, int(t))[:], row[:])
			}
		}
		clear(rows)
	}
	shares := headsOf(m.shares.of(m.slope))
	for n, h := range found.heads {
		for _, k := range sharesOf(n) {
			addAll(shares[k], h)
		}
		clear(h)
	}
	for i, g := range m.slope {
		a.gradient[i] = float64(g)
	}
	clear(m.slope)
	a.step()
	m.sumUp()
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
			short(h.first(), headScale), long(h.bias(), rowScale*headScale), long(h.second(), lastScale),
			short(h.past(), lastScale), long([]float32{*h.base()}, rowScale*lastScale))
	}
	return parts
}
