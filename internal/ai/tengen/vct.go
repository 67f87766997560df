package tengen

import "math/bits"

// Victory by continuous threats: every stone of the attacker makes a four or
// threatens an open four, and whatever the defender answers, the next one does
// too, until there is a victory by fours.

// threatSearch looks for such victories. Every answer that could help is tried,
// the defender's own fours included, so that what it finds is proven.
type threatSearch struct {
	p      *position
	fours  *fourSearch
	limits *limits // nil: none but nodes
	until  int64   // nodes of the position at which it gives up
	look   int64
	seen   []verdict
	moves  []move
	winner square // the first stone of the victory that was found
}

// verdict is what became of a position with an attacker to move.
type verdict struct {
	hash   uint64
	threes int8  // that were left
	plies  int16 // until five; 0: not won
}

func newThreatSearch(p *position, fours *fourSearch, memory int) *threatSearch {
	return &threatSearch{p: p, fours: fours, seen: make([]verdict, memory), moves: make([]move, 0, 4096)}
}

// win reports whether the side to move wins with at most so many threes before
// the victory by fours, looking at so many nodes. plies is how long the defender
// can hold out against what was found, until the stone that makes five.
func (v *threatSearch) win(mostThrees int, nodes int64) (first square, plies int, won bool) {
	v.until = v.p.nodes + nodes
	v.look = 0
	for threes := 0; threes <= mostThrees && !v.over(); threes++ {
		if plies, won = v.attack(threes, threes+foursBetween, 0); won {
			return v.winner, plies, true
		}
	}
	return nowhere, 0, false
}

// What a search for a victory by threats may spend on one by fours, and on fours
// between the threes.
const (
	threatNodes  = 2000
	threatFours  = 24
	foursBetween = 2
)

func (v *threatSearch) over() bool {
	if v.limits != nil {
		if v.p.nodes >= v.look {
			v.look = v.p.nodes + 512
			v.limits.look()
		}
		if v.limits.over.Load() {
			return true
		}
	}
	return v.p.nodes >= v.until
}

// attack is a turn of the attacker, who has so many threes and fours left.
func (v *threatSearch) attack(threesLeft, foursLeft, ply int) (plies int, won bool) {
	p := v.p
	you := p.turn ^ 1
	if v.over() {
		return 0, false
	}
	if plies, won := v.fours.win(threatFours, threatNodes, false); won {
		if ply == 0 {
			v.winner = v.fours.line[0]
		}
		return plies, true
	}
	if threesLeft == 0 || p.count[you][fiveClass] > 1 {
		return 0, false
	}
	slot := &v.seen[(p.hash^uint64(foursLeft))%uint64(len(v.seen))]
	if slot.hash == p.hash && ply > 0 {
		if slot.plies > 0 {
			return int(slot.plies), true
		}
		if int(slot.threes) >= threesLeft {
			return 0, false
		}
	}
	begin := len(v.moves)
	v.moves = v.appendThreats(v.moves, foursLeft > 0)
	for i := begin; i < len(v.moves) && !v.over(); i++ {
		s := pick(v.moves[i:]).square
		left, between := threesLeft-1, foursLeft
		if p.makesFour(s) {
			left, between = threesLeft, foursLeft-1
		}
		p.play(s)
		plies, won = v.defend(left, between, ply+1)
		p.undo()
		if won {
			if ply == 0 {
				v.winner = s
			}
			plies++
			break
		}
	}
	v.moves = v.moves[:begin]
	if won {
		*slot = verdict{p.hash, int8(threesLeft), int16(plies)}
	} else if !v.over() {
		*slot = verdict{hash: p.hash, threes: int8(threesLeft)}
	}
	return plies, won
}

// appendThreats appends the attacker's moves that threaten to win at once.
func (v *threatSearch) appendThreats(list []move, withFours bool) []move {
	p := v.p
	me, you := p.turn, p.turn^1
	among := p.at[me][threes]
	if p.count[you][fiveClass] == 1 { // first of all he has to stop that
		among = set{}
		must := p.at[you][fives].first()
		switch p.points[must].class[me] {
		case threeClass, threePlus, threeThree, fourClass, fourPlus, fourThree:
			among.add(must)
		}
		return p.appendOf(list, &among)
	}
	if p.count[you][openFourClass] > 0 { // a three does not stop that, unless it takes the point as well
		stop := p.defences()
		for i := range among {
			among[i] &= stop[i]
		}
	}
	if withFours {
		for i := range among {
			among[i] |= p.at[me][fours][i]
		}
	}
	list = p.appendOf(list, &among)
	for r, row := range p.at[me][doubtful] { // threes of Black that only look forbidden
		for ; row != 0; row &= row - 1 {
			if s := square(r*stride + bits.TrailingZeros32(row)); p.allowed(s) {
				list = append(list, move{square: s})
			}
		}
	}
	return list
}

// defend is a turn of the defender: the attack wins if it wins against each of
// his answers.
func (v *threatSearch) defend(threesLeft, foursLeft, ply int) (plies int, won bool) {
	p := v.p
	me, you := p.turn, p.turn^1 // the defender, the attacker
	switch {
	case v.over() || p.count[me][fiveClass] > 0:
		return 0, false
	case p.count[you][fiveClass] > 1:
		return 2, true
	case p.count[you][fiveClass] == 1:
		s := p.at[you][fives].first()
		if !p.allowed(s) {
			return 2, true
		}
		return v.answer(s, threesLeft, foursLeft, ply)
	case p.count[me][openFourClass] > 0 || p.count[you][openFourClass] == 0:
		return 0, false
	}
	stop := p.defences()
	for i := range stop {
		stop[i] |= p.at[me][fours][i]
	}
	begin := len(v.moves)
	v.moves = p.appendOf(v.moves, &stop)
	v.moves = p.appendDoubtfulFours(v.moves, &stop)
	longest := 4 // with no answer: any stone, the open four, any stone, the five
	for i := begin; i < len(v.moves); i++ {
		s := pick(v.moves[i:]).square
		plies, won = v.answer(s, threesLeft, foursLeft, ply)
		if !won {
			v.moves = v.moves[:begin]
			return 0, false
		}
		longest = max(longest, plies)
	}
	v.moves = v.moves[:begin]
	return longest, true
}

// answer tries one stone of the defender.
func (v *threatSearch) answer(s square, threesLeft, foursLeft, ply int) (plies int, won bool) {
	p := v.p
	me := p.turn
	p.play(s)
	defer p.undo()
	if p.count[me][fiveClass] > 1 {
		return 0, false
	}
	if p.count[me][fiveClass] == 1 && p.count[me^1][fiveClass] == 0 {
		// The defender has made a four: it is stopped, and he is to move again.
		must := p.at[me][fives].first()
		if !p.allowed(must) {
			return 0, false
		}
		if p.count[me^1][openFourClass] > 0 && !p.points[must].couldWin(me^1) {
			p.play(must)
			plies, won = v.defend(threesLeft, foursLeft, ply+2)
			p.undo()
			if won {
				return plies + 2, true
			}
		}
	}
	plies, won = v.attack(threesLeft, foursLeft, ply+1)
	return plies + 1, won
}

// couldWin reports whether a stone of colour c on the point makes a four or more.
func (at *point) couldWin(c color) bool { return at.class[c] >= fourClass }
