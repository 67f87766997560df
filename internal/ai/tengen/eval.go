package tengen

import "gomokud/internal/rules"

// Evaluation. The worth of a position is the worth of what each side could make
// on every empty point, kept up to date by the position, a correction for who
// threatens what, which is looked up, and what the network adds. All of it comes
// from play: see docs/engine.md.
// A score of scale means that the side to move wins about three games in four.
const scale = 200

// weights is what the evaluation and the ordering of moves know of a rule.
type weights struct {
	point  [2][1 << 16]int16 // worth of a point to a colour, by code
	threat [2][threatSets]int16
	attack [2][1 << 16]int16        // how much a move is looked at first, for what it makes
	defend [2][1 << 16]int16        // and for what it takes from the opponent; by the opponent's colour
	near   [recent][relations]int16 // and for how it lies to the last moves
}

// threatSets is the number of combinations of threats; see threatSet.
const threatSets = 1 << 10

// threatSet says which threats there are, for the side to move.
func (p *position) threatSet() int {
	me, you := &p.count[p.turn], &p.count[p.turn^1]
	bit := func(is bool, n int) int {
		if is {
			return 1 << n
		}
		return 0
	}
	return bit(me[fourThree] > 0, 0) |
		bit(me[fourPlus] > 0, 1) |
		bit(me[fourClass] > 0, 2) |
		bit(me[threeThree] > 0, 3) |
		bit(me[threeClass]+me[threePlus] > 0, 4) |
		bit(you[openFourClass] > 0, 5) |
		bit(you[fourThree] > 0, 6) |
		bit(you[fourClass]+you[fourPlus] > 0, 7) |
		bit(you[threeThree] > 0, 8) |
		bit(you[threeClass]+you[threePlus] > 0, 9)
}

// situations is how many heads the network has for a colour: for each of the
// threatSorts whether there is any.
const (
	threatSorts = 5
	situations  = 1 << threatSorts
)

// situation says which head is for the position.
func (p *position) situation() uint8 { return p.tables.situation[p.threatSet()] }

// newSituations returns the situation of each set of threats: whether the
// opponent threatens an open four; whether the side to move, and whether the
// opponent, can make a four, and an open three.
func newSituations() *[threatSets]uint8 {
	list := new([threatSets]uint8)
	for set := range list {
		for n, sort := range [threatSorts]int{1 << 5, 1<<0 | 1<<1 | 1<<2, 1<<3 | 1<<4, 1<<6 | 1<<7, 1<<8 | 1<<9} {
			if set&sort != 0 {
				list[set] |= 1 << n
			}
		}
	}
	return list
}

// evaluate returns the worth of the position for the side to move.
func (p *position) evaluate() int { return p.completed(p.byPatterns()) }

// evaluateWithin is evaluate where only scores between alpha and beta matter. All
// is false where the network was not asked, whatever it would have added.
func (p *position) evaluateWithin(alpha, beta int) (eval int, all bool) {
	by := p.byPatterns()
	if by+insightMost <= alpha || by-insightMost >= beta {
		return by, false
	}
	return p.completed(by), true
}

// completed adds what the network says to what the weights do.
func (p *position) completed(sum int) int {
	if p.tables.network != nil {
		sum += p.insight()
	}
	return max(-evalLimit, min(evalLimit, sum))
}

// byPatterns is what the weights say.
func (p *position) byPatterns() int {
	p.value()
	return int(p.worth[p.turn]-p.worth[p.turn^1]) + int(p.tables.weights.threat[p.turn][p.threatSet()])
}

// evalLimit bounds what is not proven.
const evalLimit = 8000

// unasked stands in the table for an evaluation that nobody has asked for.
const unasked = evalLimit

func newWeights(rule rules.Rule) *weights {
	w := &weights{}
	for c := range 2 {
		fouls := customOf(rule, color(c)).fouls
		for i := range w.point[c] {
			k := code(i)
			cl := classify(k, fouls)
			worth, urge := 0, 0
			for d := range directions {
				worth += pointWorth[k.pattern(d)]
				urge += urgency[k.pattern(d)]
			}
			w.point[c][i] = int16(worth + classWorth[cl])
			w.attack[c][i] = int16(urge + classUrgency[cl])
			w.defend[c][i] = int16((urge + classUrgency[cl]) * 4 / 5)
			if cl == foulClass {
				w.point[c][i], w.attack[c][i], w.defend[c][i] = 0, 0, 0
			}
		}
		for i := range w.threat[c] {
			sum := 12
			for n, worth := range threatWorth {
				if i>>n&1 != 0 {
					sum += worth
				}
			}
			w.threat[c][i] = int16(sum)
		}
	}
	if p, err := loadParameters(rule); err == nil {
		w.take(p)
	}
	return w
}

// take puts fitted parameters in the place of those made up.
func (w *weights) take(p *parameters) {
	sortOf, _ := sorted()
	for c := range 2 {
		for i := range w.point[c] {
			w.point[c][i] = p.Point[c][sortOf[i]]
			w.attack[c][i] = p.Attack[c][sortOf[i]]
			w.defend[c][i] = p.Defend[c][sortOf[i]]
		}
		w.threat[c] = p.Threat[c]
	}
	w.near = p.Near
}

var pointWorth = [patternCodes]int{closed1: 1, open1: 2, closed2: 3, open2: 5, open2a: 7, open2b: 8, closed3: 6, open3s: 12, open3: 14, four: 10, openFour: 20}

var classWorth = [classes]int{twoTwo: 4, closedThreePlus: 5, threePlus: 6, threeThree: 20, fourPlus: 8, fourThree: 60}

var threatWorth = [10]int{150, 30, 15, 80, 30, -150, -80, -15, -40, -15}

var urgency = [patternCodes]int{closed1: 2, open1: 5, closed2: 8, open2: 16, open2a: 20, open2b: 22, closed3: 18, open3s: 45, open3: 50, four: 40, openFour: 100, five: 400}

var classUrgency = [classes]int{twoTwo: 15, closedThreePlus: 15, threePlus: 20, threeThree: 80, fourPlus: 30, fourThree: 300, openFourClass: 600, fiveClass: 2000}
