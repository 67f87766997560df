package tengen

import (
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"gomokud/internal/rules"
)

// Tuner fits the evaluation of a rule to games: it looks for the parameters with
// which the evaluation foretells best who wins (logistic regression, by Adam).
// Parameters that few games speak of stay near where they began.
type Tuner struct {
	rule    rules.Rule
	tables  *tables
	both    bool // the colours are treated alike
	sortOf  []uint16
	start   []float32
	weight  []float32
	samples []sample
	terms   []term
	choice  choices
}

// sample is a position: terms from first to end, and who won, for the side to
// move.
type sample struct {
	first, end int32
	result     float32
}

// term is a parameter and how often it counts.
type term struct {
	parameter uint16
	times     int8
}

// Parameters are numbered: the points of Black, those of White, the threats when
// Black is to move, and when White is.
const (
	threatsFrom = 2 * sorts
	numbers     = threatsFrom + 2*threatSets
)

// NewTuner returns a tuner that starts from the weights which the library has.
func NewTuner(l *Library, rule rules.Rule) *Tuner {
	t := &Tuner{rule: rule, tables: l.of(rule), both: rule != rules.Renju}
	var codes []code
	t.sortOf, codes = sorted()
	t.start = make([]float32, numbers)
	for c := range 2 {
		for n, k := range codes {
			t.start[t.point(color(c), uint16(n))] = float32(t.tables.weights.point[c][k])
		}
		for n := range threatSets {
			t.start[t.threat(color(c), n)] = float32(t.tables.weights.threat[c][n])
		}
	}
	t.weight = slices.Clone(t.start)
	t.choice.weight = make([]float32, nearFrom+recent*relations)
	for i := range recent {
		for r := range relations {
			t.choice.weight[nearFrom+i*relations+r] = float32(t.tables.weights.near[i][r]) / choiceScale
		}
	}
	for c := range color(2) {
		for n, k := range codes {
			t.choice.weight[t.point(c, uint16(n))] = float32(t.tables.weights.attack[c][k]) / choiceScale
			t.choice.weight[secondHalf+t.point(c, uint16(n))] = float32(t.tables.weights.defend[c][k]) / choiceScale
		}
	}
	return t
}

func (t *Tuner) point(c color, sort uint16) int {
	if t.both {
		c = black
	}
	return int(c)*sorts + int(sort)
}

func (t *Tuner) threat(turn color, threats int) int {
	if t.both {
		turn = black
	}
	return threatsFrom + int(turn)*threatSets + threats
}

// Game is what a tuner learns from.
type Game struct {
	Size   rules.Size
	Moves  []rules.Point
	Given  int     // moves of the opening
	Scores []int   // of the others, for the side that moved, by an evaluation of this kind
	Result float64 // Black's: 1, 0 or a half
}

// eachQuiet calls do with the positions of a game that the search may ask the
// worth of, those that neither the patterns settle nor a victory by fours, the
// move that was played and what is to be foretold: partly who won, and partly
// what a search made of the position, which says less about chances that nobody
// took and more about this very position.
func (g *Game) eachQuiet(tables *tables, do func(p *position, played square, result float64)) {
	p := newPosition(tables, g.Size)
	f := newFourSearch(p, 1<<10)
	for i, m := range g.Moves {
		if i >= g.Given && i < len(g.Moves)-1 && p.isQuiet(f) {
			result := g.Result
			if p.turn == white {
				result = 1 - result
			}
			if n := i - g.Given; n < len(g.Scores) {
				search := 1 / (1 + math.Exp(-float64(g.Scores[n])/scale))
				result = searchShare*search + (1-searchShare)*result
			}
			do(p, squareOf(m), result)
		}
		p.play(squareOf(m))
	}
}

// isQuiet reports whether nothing forces the end.
func (p *position) isQuiet(f *fourSearch) bool {
	if _, is := p.settled(0); is || p.count[p.turn^1][fiveClass] > 0 {
		return false
	}
	_, won := f.win(quietFours, quietNodes, true)
	return !won
}

// Add takes in a game; see eachQuiet.
func (t *Tuner) Add(g Game) { g.eachQuiet(t.tables, t.take) }

func (t *Tuner) take(p *position, played square, result float64) {
	t.takeChoice(p, played)
	counts := map[int]int{t.threat(p.turn, p.threatSet()): 1}
	for at := range p.size.All() {
		if o := &p.points[squareOf(at)]; o.stone == blank {
			counts[t.point(p.turn, t.sortOf[o.code[p.turn]])]++
			counts[t.point(p.turn^1, t.sortOf[o.code[p.turn^1]])]--
		}
	}
	first := int32(len(t.terms))
	for parameter, times := range counts {
		if times != 0 {
			t.terms = append(t.terms, term{uint16(parameter), int8(times)})
		}
	}
	t.samples = append(t.samples, sample{first, int32(len(t.terms)), float32(result)})
}

// Samples returns how many positions were taken in.
func (t *Tuner) Samples() int { return len(t.samples) }

// Fit goes through the positions so many times and reports the mean loss, in
// bits, of a tenth of them that it does not learn from, before and after each.
func (t *Tuner) Fit(passes int, seed uint64, report func(pass int, loss float64)) {
	random := rand.New(rand.NewPCG(seed, 0))
	held := len(t.samples) / 10
	learn := t.samples[:len(t.samples)-held]
	test := t.samples[len(t.samples)-held:]
	report(0, t.loss(test))
	a := newAdam(t.weight, 0.3, 1e-5)
	for pass := range passes {
		random.Shuffle(len(learn), func(i, j int) { learn[i], learn[j] = learn[j], learn[i] })
		a.slow(pass, passes)
		for from := 0; from+batch <= len(learn); from += batch {
			for _, s := range learn[from : from+batch] {
				miss := t.expect(s) - float64(s.result)
				for _, term := range t.terms[s.first:s.end] {
					a.gradient[term.parameter] += miss * float64(term.times) / batch
				}
			}
			a.step()
		}
		report(pass+1, t.loss(test))
	}
}

const batch = 1024

// searchShare is how much the search's opinion counts beside the result.
const searchShare = 0.7

// adam is gradient descent with a step of its own for every weight, which is
// pulled to where it began (Kingma and Ba 2014).
type adam struct {
	weight, start          []float32
	gradient, mean, square []float64
	rate, now, pull        float64
	steps                  float64
}

func newAdam(weight []float32, rate, pull float64) *adam {
	n := len(weight)
	return &adam{
		weight: weight, start: slices.Clone(weight), rate: rate, now: rate, pull: pull,
		gradient: make([]float64, n), mean: make([]float64, n), square: make([]float64, n),
	}
}

// slow makes the steps shorter with every pass.
func (a *adam) slow(pass, passes int) { a.now = a.rate * (1 - 0.95*float64(pass)/float64(passes)) }

func (a *adam) step() {
	const beta1, beta2, little = 0.9, 0.999, 1e-8
	a.steps++
	fix1, fix2 := 1-math.Pow(beta1, a.steps), 1-math.Pow(beta2, a.steps)
	for i, g := range a.gradient {
		g += a.pull * float64(a.weight[i]-a.start[i])
		a.mean[i] = beta1*a.mean[i] + (1-beta1)*g
		a.square[i] = beta2*a.square[i] + (1-beta2)*g*g
		a.weight[i] -= float32(a.now * a.mean[i] / fix1 / (math.Sqrt(a.square[i]/fix2) + little))
	}
	clear(a.gradient)
}

// expect returns the result that the evaluation foretells.
func (t *Tuner) expect(s sample) float64 {
	sum := 0.0
	for _, term := range t.terms[s.first:s.end] {
		sum += float64(t.weight[term.parameter]) * float64(term.times)
	}
	return 1 / (1 + math.Exp(-sum/scale))
}

func (t *Tuner) loss(samples []sample) float64 {
	sum := 0.0
	for _, s := range samples {
		e := max(1e-6, min(1-1e-6, t.expect(s)))
		sum -= float64(s.result)*math.Log2(e) + float64(1-s.result)*math.Log2(1-e)
	}
	return sum / float64(max(1, len(samples)))
}

// Write writes the weights as the package embeds them.
func (t *Tuner) Write(w io.Writer) error {
	p := &parameters{}
	round := func(x float32) int16 { return int16(math.Round(float64(max(-8000, min(8000, x))))) }
	for c := range color(2) {
		for n := range uint16(sorts) {
			p.Point[c][n] = round(t.weight[t.point(c, n)])
			p.Attack[c][n] = round(t.choice.weight[t.point(c, n)] * choiceScale)
			p.Defend[c][n] = round(t.choice.weight[secondHalf+t.point(c, n)] * choiceScale)
		}
		for n := range p.Threat[c] {
			p.Threat[c][n] = round(t.weight[t.threat(c, n)])
		}
	}
	for i := range p.Near {
		for r := range p.Near[i] {
			p.Near[i][r] = round(t.choice.weight[nearFrom+i*relations+r] * choiceScale)
		}
	}
	return p.write(w)
}
