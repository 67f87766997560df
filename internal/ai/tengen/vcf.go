package tengen

import (
	"math/bits"
	"unsafe"

	"gomokud/internal/rules"
)

// Victory by continuous fours: every stone of the attacker makes a four, every
// stone of the defender is the only answer.

// fourSearch looks for such victories. It remembers where there is none.
type fourSearch struct {
	p      *position
	limits *limits // nil: none but nodes
	failed []failure
	nodes  int64 // stones of the attacker that may still be tried
	line   [maxFours]square
	length int
	moves  []move
	narrow bool // leave out fours that prepare nothing
	most   int  // fours that it sees at all; 0: no bound
}

// failure is a position in which an attacker has no victory of so many fours.
type failure struct {
	hash   uint64
	fours  int32
	narrow bool
}

const maxFours = 64

// newFourSearch remembers about so many failures.
func newFourSearch(p *position, memory int) *fourSearch {
	return &fourSearch{p: p, failed: make([]failure, memory), moves: make([]move, 0, 1024)}
}

// win reports whether the side to move wins with at most so many fours, trying at
// most so many of them. The fives and open fours at the end are not counted.
// plies is when the last stone makes five.
func (f *fourSearch) win(fours int, nodes int64, narrow bool) (plies int, won bool) {
	f.narrow = narrow
	f.nodes = nodes
	f.length = 0
	if f.most > 0 {
		fours = min(fours, f.most)
	}
	return f.attack(min(fours, maxFours), 0)
}

// attack is one turn of the attacker.
func (f *fourSearch) attack(left, ply int) (plies int, won bool) {
	p := f.p
	me, you := p.turn, p.turn^1
	var must set // what he has to take to stop a five
	forced := p.count[you][fiveClass] > 0
	switch {
	case p.count[me][fiveClass] > 0:
		f.note(ply, p.at[me][fives].first())
		return 1, true
	case p.count[you][fiveClass] > 0:
		must = p.answers()
		for i := range must {
			must[i] &= p.at[me][fours][i] | p.at[me][openFours][i] | p.at[me][doubtful][i]
		}
		if must == (set{}) {
			return 0, false
		}
		if s := must.first(); p.points[s].class[me] == openFourClass {
			f.note(ply, s)
			return 3, true // he can make no five of his own any more
		}
	case p.count[me][openFourClass] > 0:
		f.note(ply, p.at[me][openFours].first())
		return 3, true
	}
	if left == 0 || !p.hasFour(me) || f.narrow && !forced && p.count[me][fourPlus]+p.count[me][fourThree] == 0 {
		return 0, false
	}
	slot := f.slot(p.hash)
	if slot.hash == p.hash && int(slot.fours) >= left && (f.narrow || !slot.narrow) {
		return 0, false
	}
	begin := len(f.moves)
	if forced {
		f.moves = p.appendOf(f.moves, &must) // a doubtful one may be no four, and fail
	} else {
		f.moves = p.appendFours(f.moves)
		if f.narrow {
			f.moves = f.moves[:begin+len(p.promising(f.moves[begin:]))]
		}
	}
	end := len(f.moves)
	for i := begin; i < end && f.nodes > 0; i++ {
		if f.nodes--; f.limits != nil && f.nodes%256 == 0 {
			if f.limits.look(); f.limits.over.Load() {
				f.nodes = 0
				break
			}
		}
		m := pick(f.moves[i:end])
		if plies, won := f.try(m.square, left, ply); won {
			f.moves = f.moves[:begin]
			return plies, true
		}
	}
	f.moves = f.moves[:begin]
	if f.nodes > 0 {
		*slot = failure{hash: p.hash, fours: int32(left), narrow: f.narrow}
	}
	return 0, false
}

// try makes one four.
func (f *fourSearch) try(s square, left, ply int) (plies int, won bool) {
	p := f.p
	me := p.turn
	f.note(ply, s)
	p.play(s)
	defer p.undo()
	if p.count[me][fiveClass] == 0 || p.count[me^1][fiveClass] > 0 {
		return 0, false
	}
	if p.lost() {
		return 3, true
	}
	if p.tables.rule == rules.Caro {
		return f.answers(left, ply)
	}
	return f.answer(p.at[me][fives].first(), left, ply)
}

// slot is where the failure of a position would be.
func (f *fourSearch) slot(hash uint64) *failure {
	n, _ := bits.Mul64(hash, uint64(len(f.failed)))
	return &f.failed[n]
}

// answer has the defender stop the five.
func (f *fourSearch) answer(s square, left, ply int) (plies int, won bool) {
	f.note(ply+1, s)
	prefetch(unsafe.Pointer(f.slot(f.p.hashAfter(s))))
	f.p.play(s)
	plies, won = f.attack(left-1, ply+2)
	f.p.undo()
	return plies + 2, won
}

// answers has him stop it in every way that there is under caro. The line goes
// by the answer that holds out longest.
func (f *fourSearch) answers(left, ply int) (plies int, won bool) {
	stop := f.p.answers()
	longest, length := f.line, 0
	for r, row := range stop {
		for ; row != 0; row &= row - 1 {
			n, won := f.answer(square(r*stride+bits.TrailingZeros32(row)), left, ply)
			if !won {
				return 0, false
			}
			if n > plies {
				plies, longest, length = n, f.line, f.length
			}
		}
	}
	f.line, f.length = longest, length
	return plies, true
}

// note keeps a stone of the line that is being tried.
func (f *fourSearch) note(ply int, s square) {
	if ply < len(f.line) {
		f.line[ply] = s
		f.length = ply + 1
	}
}

// hasFour reports whether colour c may have a point where it makes a four.
func (p *position) hasFour(c color) bool {
	n := &p.count[c]
	return n[fourClass]+n[fourPlus]+n[fourThree]+n[openFourClass]+n[foulClass] > 0
}

// makesFour reports whether the side to move makes a four, or two, on a square.
func (p *position) makesFour(s square) bool {
	at := &p.points[s]
	switch at.class[p.turn] {
	case fourClass, fourPlus, fourThree, openFourClass:
		return true
	case foulClass: // perhaps one that is allowed
		return at.code[p.turn].hasFour() && p.allowed(s)
	default:
		return false
	}
}

// appendFours appends the moves that make a four. Among the points that look
// forbidden some are not, because a three of theirs is none.
func (p *position) appendFours(list []move) []move {
	me := p.turn
	return p.appendDoubtfulFours(p.appendOf(list, &p.at[me][fours]), &set{})
}

// promising keeps the fours that make something in another line as well.
func (p *position) promising(list []move) []move {
	kept := list[:0]
	for _, m := range list {
		if p.points[m.square].class[p.turn] != fourClass {
			kept = append(kept, m)
		}
	}
	return kept
}
