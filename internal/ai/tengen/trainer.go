package tengen

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"gomokud/internal/rules"
)

// Trainer teaches a network what the weights of patterns miss: to foretell how
// games end, and what a search said of their positions (as Tuner does), by what
// it adds to the evaluation. It learns by Adam, in numbers with a point; what it
// writes is rounded.
type Trainer struct {
	tables  *tables
	windows *windows
	lessons []lesson
	points  [][directions]uint16 // windows
	model   model
}

// lesson is a position: points from first to end, what the weights say of it and
// how it was, for the side to move.
type lesson struct {
	first, end    int32
	turn          color
	head          uint8
	worth, result float32
}

// NewTrainer returns a trainer for a rule; the weights are those that the library
// has.
func NewTrainer(l *Library, rule rules.Rule) *Trainer {
	t := &Trainer{tables: l.of(rule)}
	t.windows = newWindows()
	t.model = newModel(t.windows, rule != rules.Renju)
	return t
}

// Add takes in a game; see Game.eachQuiet.
func (t *Trainer) Add(g Game) {
	g.eachQuiet(t.tables, func(p *position, _ square, result float64) {
		first := len(t.points)
		for r, row := range p.free {
			for ; row != 0; row &= row - 1 {
				var w rowChange
				t.windows.around(p, square(r*stride+bits.TrailingZeros32(row)), &w)
				if w != (rowChange{}) {
					t.points = append(t.points, [directions]uint16(w[:]))
				}
			}
		}
		t.lessons = append(t.lessons, lesson{
			first: int32(first), end: int32(len(t.points)), turn: p.turn, head: uint8(t.model.headOf(p.turn, p.situation())),
			worth: float32(p.byPatterns()) / scale, result: float32(result),
		})
	})
}

// Positions returns how many were taken in.
func (t *Trainer) Positions() int { return len(t.lessons) }

// Fit goes through the positions so many times, with steps that begin at a rate
// and become shorter to the end. It reports the mean loss of the last tenth, which
// it does not learn from, in bits: before, and after each time.
func (t *Trainer) Fit(passes int, rate float64, seed uint64, report func(pass int, loss float64)) {
	cut := len(t.lessons) * 9 / 10
	learn, test := slices.Clone(t.lessons[:cut]), t.lessons[cut:]
	random := rand.New(rand.NewPCG(seed, 0))
	pupils := make([]*pupil, runtime.GOMAXPROCS(0))
	for i := range pupils {
		pupils[i] = newPupil(t)
	}
	report(0, t.loss(pupils, test))
	a := newAdam(t.model.all, rate, 0)
	batches := len(learn) / batch
	for pass := range passes {
		random.Shuffle(len(learn), func(i, j int) { learn[i], learn[j] = learn[j], learn[i] })
		for n := range batches {
			t.each(pupils, learn[n*batch:(n+1)*batch], func(p *pupil, l lesson) { p.learn(l) })
			a.now = rate / 2 * (1 + math.Cos(math.Pi*float64(pass*batches+n)/float64(passes*batches)))
			t.model.step(a, pupils)
		}
		report(pass+1, t.loss(pupils, test))
	}
}

// each has the pupils share lessons.
func (t *Trainer) each(pupils []*pupil, lessons []lesson, do func(*pupil, lesson)) {
	var all sync.WaitGroup
	for i, p := range pupils {
		part := lessons[len(lessons)*i/len(pupils) : len(lessons)*(i+1)/len(pupils)]
		all.Go(func() {
			for _, l := range part {
				do(p, l)
			}
		})
	}
	all.Wait()
}

func (t *Trainer) loss(pupils []*pupil, lessons []lesson) float64 {
	for _, p := range pupils {
		p.loss = 0
	}
	t.each(pupils, lessons, func(p *pupil, l lesson) {
		e := min(max(p.expect(l), 1e-6), 1-1e-6)
		p.loss -= float64(l.result)*math.Log2(e) + float64(1-l.result)*math.Log2(1-e)
	})
	sum := 0.0
	for _, p := range pupils {
		sum += p.loss
	}
	return sum / float64(max(1, len(lessons)))
}

// Write writes the network as the package embeds it.
func (t *Trainer) Write(w io.Writer) error {
	for _, part := range t.model.rounded() {
		if err := binary.Write(w, binary.LittleEndian, part); err != nil {
			return fmt.Errorf("write network: %w", err)
		}
	}
	return nil
}
