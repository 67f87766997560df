package tengen

import (
	"math"
	"math/rand/v2"
)

// choices are moves that were played, each among those that could have been.
// They are fitted as a softmax: the weights of a move, for what it makes and for
// what it takes, are the logarithm of its odds.
type choices struct {
	weight []float32 // of the attack by sort, as points are numbered; then of the defence
	moves  []option
	made   []choice
}

// option is a move that could be played, by its two parameters.
type option struct {
	attack, defend uint16
	near           [recent]uint16
}

// choice is options from first to end, of which the first was played.
type choice struct{ first, end int32 }

// secondHalf is where the weights of the defence begin.
const secondHalf = 2 * sorts

// nearFrom is where those of the relations to the last moves begin.
const nearFrom = 4 * sorts

// choiceScale is how many units of order a weight of one is.
const choiceScale = 100

// takeChoice takes in the move that was played, if there was a choice.
func (t *Tuner) takeChoice(p *position, played square) {
	me, you := p.turn, p.turn^1
	list := p.appendMoves(nil)
	first := len(t.choice.moves)
	t.choice.moves = append(t.choice.moves, option{})
	found := false
	for _, m := range list {
		at := &p.points[m.square]
		o := option{
			attack: uint16(t.point(me, t.sortOf[at.code[me]])),
			defend: uint16(secondHalf + t.point(you, t.sortOf[at.code[you]])),
		}
		for i := range o.near {
			o.near[i] = uint16(nearFrom + i*relations + int(t.tables.related.of(m.square, p.last(i+1))))
		}
		if m.square == played {
			t.choice.moves[first], found = o, true
		} else {
			t.choice.moves = append(t.choice.moves, o)
		}
	}
	if !found || len(list) < 2 {
		t.choice.moves = t.choice.moves[:first]
		return
	}
	t.choice.made = append(t.choice.made, choice{int32(first), int32(len(t.choice.moves))})
}

// FitChoices fits which moves are played, as Fit fits who wins. The loss is in
// bits a move.
func (t *Tuner) FitChoices(passes int, seed uint64, report func(pass int, loss float64)) {
	c := &t.choice
	random := rand.New(rand.NewPCG(seed, 0))
	held := len(c.made) / 10
	learn, test := c.made[:len(c.made)-held], c.made[len(c.made)-held:]
	a := newAdam(c.weight, 0.03, 1e-6)
	report(0, c.loss(test))
	for pass := range passes {
		random.Shuffle(len(learn), func(i, j int) { learn[i], learn[j] = learn[j], learn[i] })
		a.slow(pass, passes)
		for from := 0; from+batch <= len(learn); from += batch {
			for _, one := range learn[from : from+batch] {
				c.learn(one, a.gradient)
			}
			a.step()
		}
		report(pass+1, c.loss(test))
	}
}

// learn adds the gradient of one choice.
func (c *choices) learn(one choice, gradient []float64) {
	options := c.moves[one.first:one.end]
	most, sum := c.sum(options)
	for i, o := range options {
		miss := math.Exp(c.logit(o)-most) / sum
		if i == 0 {
			miss--
		}
		gradient[o.attack] += miss / batch
		gradient[o.defend] += miss / batch
		for _, n := range o.near {
			gradient[n] += miss / batch
		}
	}
}

func (c *choices) logit(o option) float64 {
	sum := c.weight[o.attack] + c.weight[o.defend]
	for _, n := range o.near {
		sum += c.weight[n]
	}
	return float64(sum)
}

// sum returns the greatest logit and the sum of all odds relative to it.
func (c *choices) sum(options []option) (most, sum float64) {
	most = math.Inf(-1)
	for _, o := range options {
		most = max(most, c.logit(o))
	}
	for _, o := range options {
		sum += math.Exp(c.logit(o) - most)
	}
	return most, sum
}

func (c *choices) loss(made []choice) float64 {
	bits := 0.0
	for _, one := range made {
		options := c.moves[one.first:one.end]
		most, sum := c.sum(options)
		bits += (math.Log(sum) + most - c.logit(options[0])) / math.Ln2
	}
	return bits / float64(max(1, len(made)))
}
