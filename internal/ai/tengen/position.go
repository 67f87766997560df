package tengen

import (
	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// position is a board with the patterns of every empty point for both colours,
// kept up to date by play and undo. It allocates only when it is made.
type position struct {
	tables *tables
	size   rules.Size
	judge  *rules.Board // the stones once more, where points can be forbidden
	turn   color
	hash   uint64
	state

	points  [squares]point
	free    set           // squares without a stone
	near    set           // squares that are worth a look: close to a stone
	at      [2][kinds]set // empty squares by what a colour can make there
	changes []change
	history []past
	nodes   int64 // stones played
}

// state is what a move changes as a whole.
type state struct {
	worth [2]int32           // sums of weights.point over the empty points
	count [2][classes]uint16 // empty points
	empty int                // squares without a stone
}

// point is what the position knows of a square. Codes and classes are those that
// it has, or had when it was last empty.
type point struct {
	key   [directions]uint32 // of the windows around it, in lines.pairs
	code  [2]code
	left  [directions]uint8 // places before it in its lines, at most the rule's sight
	stone stone
	class [2]class
}

type stone uint8

const (
	edge stone = iota
	blank
	blackStone
	whiteStone
)

// change is what a point was before a move.
type change struct {
	square square
	code   [2]code
	class  [2]class
}

// past is what undo needs of a move.
type past struct {
	square  square // nowhere for a pass
	changes int    // there were before the move
	near    [2*nearRows + 1]uint32
	state   state
}

// nearRows is how far the points go that a stone makes worth a look: two points
// in every direction, and three along the lines.
const nearRows = 3

var nearShape = [2*nearRows + 1]uint32{0b1001001, 0b0111110, 0b0111110, 0b1110111, 0b0111110, 0b0111110, 0b1001001}

// newPosition returns an empty board with Black to move.
func newPosition(t *tables, size rules.Size) *position {
	p := &position{
		tables: t, size: size,
		changes: make([]change, 0, size.Points()*2*directions*t.sight),
		history: make([]past, 0, size.Points()+8),
	}
	if t.rule == rules.Renju {
		p.judge = rules.NewBoard(size)
	}
	for at := range size.All() {
		s := squareOf(at)
		p.points[s].stone = blank
		p.free.add(s)
		p.empty++
	}
	for at := range size.All() {
		p.setUp(squareOf(at))
	}
	return p
}

// setUp gives a square of an empty board its keys and codes.
func (p *position) setUp(s square) {
	at := &p.points[s]
	for d, step := range steps {
		left, right := p.room(s, -step), p.room(s, step)
		at.left[d] = uint8(left)
		at.key[d] = p.tables.lines.from[left][right]
		pair := p.tables.lines.pairs[at.key[d]]
		at.code[black] |= code(pair&15) << (4 * d)
		at.code[white] |= code(pair>>4) << (4 * d)
	}
	for c := range 2 {
		at.class[c] = p.tables.class[c][at.code[c]]
	}
	p.offer(s, at)
}

// room returns the number of squares from s to the edge, at most the sight.
func (p *position) room(s square, step int) int {
	n := 0
	for n < p.tables.sight && p.points[int(s)+step*(n+1)].stone != edge {
		n++
	}
	return n
}

// load sets stones up on the empty board.
func (p *position) load(from ai.Position) {
	for _, s := range from.Stones {
		p.turn = colorOf(s.Color)
		p.play(squareOf(s.Point))
	}
	p.turn = colorOf(from.ToMove)
	p.hash = p.hashOf()
	p.nodes = 0
}

// hashOf works the hash out from the board alone.
func (p *position) hashOf() uint64 {
	var hash uint64
	for at := range p.size.All() {
		s := squareOf(at)
		if st := p.points[s].stone; st > blank {
			hash ^= p.tables.keys[st-blackStone][s]
		}
	}
	if p.turn == white {
		hash ^= p.tables.turn
	}
	return hash
}

// play puts a stone of the side to move on an empty square.
func (p *position) play(s square) {
	p.nodes++
	me := p.turn
	p.remember(s)
	at := &p.points[s]
	p.take(s, at)
	at.stone = blackStone + stone(me)
	p.free.remove(s)
	p.empty--
	p.turn = me ^ 1
	p.hash ^= p.tables.keys[me][s] ^ p.tables.turn
	if p.judge != nil {
		p.judge.Place(s.point(), me.stone())
	}
	digit := uint32(me) + 1
	for d, step := range steps {
		for i, q := 0, int(s)-step; i < p.tables.sight; i, q = i+1, q-step {
			o := &p.points[q]
			if o.stone == edge {
				break
			}
			o.key[d] += digit * pow3[int(o.left[d])+i]
			if o.stone == blank {
				p.look(square(q), o, d)
			}
		}
		for i, q := 0, int(s)+step; i < p.tables.sight; i, q = i+1, q+step {
			o := &p.points[q]
			if o.stone == edge {
				break
			}
			o.key[d] += digit * pow3[i]
			if o.stone == blank {
				p.look(square(q), o, d)
			}
		}
	}
}

// look takes in what a new key of a square means.
func (p *position) look(s square, at *point, d int) {
	pair := p.tables.lines.pairs[at.key[d]]
	shift := 4 * d
	was := uint8(at.code[black]>>shift&15) | uint8(at.code[white]>>shift&15)<<4
	if pair == was {
		return
	}
	p.changes = append(p.changes, change{square: s, code: at.code, class: at.class})
	if pair&15 != was&15 {
		p.turnInto(s, at, black, at.code[black]&^(15<<shift)|code(pair&15)<<shift)
	}
	if pair>>4 != was>>4 {
		p.turnInto(s, at, white, at.code[white]&^(15<<shift)|code(pair>>4)<<shift)
	}
}

// turnInto gives a square another code.
func (p *position) turnInto(s square, at *point, c color, to code) {
	worth := &p.tables.weights.point[c]
	p.worth[c] += int32(worth[to]) - int32(worth[at.code[c]])
	at.code[c] = to
	was, is := at.class[c], p.tables.class[c][to]
	if was != is {
		p.count[c][was]--
		p.count[c][is]++
		at.class[c] = is
		p.move(s, c, kindOf[was], kindOf[is])
	}
}

// move takes a square from one set to another.
func (p *position) move(s square, c color, from, to kind) {
	if from != to {
		p.at[c][from].remove(s)
		p.at[c][to].add(s)
	}
}

// take and offer count an empty square out and in.
func (p *position) take(s square, at *point) {
	for c := range 2 {
		p.worth[c] -= int32(p.tables.weights.point[c][at.code[c]])
		p.count[c][at.class[c]]--
		p.at[c][kindOf[at.class[c]]].remove(s)
	}
}

func (p *position) offer(s square, at *point) {
	for c := range 2 {
		p.worth[c] += int32(p.tables.weights.point[c][at.code[c]])
		p.count[c][at.class[c]]++
		p.at[c][kindOf[at.class[c]]].add(s)
	}
}

// remember keeps what undo needs, and marks the squares near a new stone.
func (p *position) remember(s square) {
	p.history = append(p.history, past{square: s, state: p.state, changes: len(p.changes)})
	near := &p.history[len(p.history)-1].near
	row, column := int(s/stride)-nearRows, int(s%stride)-nearRows
	for i, shape := range nearShape {
		near[i] = p.near[row+i]
		p.near[row+i] |= shape << column
	}
}

// undo takes the last stone back.
func (p *position) undo() {
	last := &p.history[len(p.history)-1]
	s := last.square
	at := &p.points[s]
	me := p.turn ^ 1
	digit := uint32(me) + 1
	for d, step := range steps {
		for i, q := 0, int(s)-step; i < p.tables.sight; i, q = i+1, q-step {
			o := &p.points[q]
			if o.stone == edge {
				break
			}
			o.key[d] -= digit * pow3[int(o.left[d])+i]
		}
		for i, q := 0, int(s)+step; i < p.tables.sight; i, q = i+1, q+step {
			o := &p.points[q]
			if o.stone == edge {
				break
			}
			o.key[d] -= digit * pow3[i]
		}
	}
	for i := len(p.changes) - 1; i >= last.changes; i-- {
		was := &p.changes[i]
		o := &p.points[was.square]
		for c := range color(2) {
			p.move(was.square, c, kindOf[o.class[c]], kindOf[was.class[c]])
		}
		o.code, o.class = was.code, was.class
	}
	p.changes = p.changes[:last.changes]
	if p.judge != nil {
		p.judge.Remove(s.point())
	}
	p.turn = me
	p.hash ^= p.tables.keys[me][s] ^ p.tables.turn
	at.stone = blank
	p.free.add(s)
	for c := range 2 {
		p.at[c][kindOf[at.class[c]]].add(s)
	}
	row := int(s/stride) - nearRows
	for i := range last.near {
		p.near[row+i] = last.near[i]
	}
	p.state = last.state
	p.history = p.history[:len(p.history)-1]
}

// last returns the square of the move that was played so many moves before the
// next, or nowhere.
func (p *position) last(ago int) square {
	if n := len(p.history); n >= ago {
		return p.history[n-ago].square
	}
	return nowhere
}

// allowed reports whether the side to move may take an empty square.
func (p *position) allowed(s square) bool {
	return p.points[s].class[p.turn] != foulClass || rules.Forbidden(p.judge, s.point()) == rules.NoFoul
}
