package tengen

import (
	"math/bits"

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
	strips  [directions][strips]strip
	free    set           // squares without a stone
	near    set           // squares that are worth a look: close to a stone
	at      [2][kinds]set // empty squares by what a colour can make there
	changes []change
	changed int // so many of them are in use
	moved   []moved
	history []past
	sums    []sum // of the network after so many moves, where history says that it is known
	nodes   int64 // stones played
}

// state is what a move changes as a whole.
type state struct {
	worth  [2]int32           // sums of weights.point over the empty points
	count  [2][classes]uint16 // empty points, as what they are counted
	empty  int                // squares without a stone
	valued int                // moves of the history that the worth knows of
}

// point is what the position knows of a square. Codes and classes are those that
// it has, or had when it was last empty.
type point struct {
	code  [2]code
	class [2]class
	stone stone
}

type stone uint8

const (
	edge stone = iota
	blank
	blackStone
	whiteStone
)

// change is what a point was before a move, and what its codes became.
type change struct {
	square square
	code   [2]code
	to     [2]code
	class  [2]class
}

// moved is a square that went from one set to another.
type moved struct {
	square   square
	color    color
	from, to kind
}

// past is what undo needs of a move.
type past struct {
	square  square
	changes int // there were before the move
	moved   int
	summed  bool // the sums of the network are known after it
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
		changes: make([]change, size.Points()*2*directions*t.sight),
		moved:   make([]moved, 0, size.Points()*2*2*directions*t.sight),
		history: make([]past, 0, size.Points()+8),
		sums:    make([]sum, size.Points()+9),
	}
	if t.rule == rules.Renju {
		p.judge = rules.NewBoard(size)
	}
	for at := range size.All() {
		s := squareOf(at)
		p.points[s].stone = blank
		p.free.add(s)
		p.empty++
		p.flip(s, bothMay)
	}
	for at := range size.All() {
		p.setUp(squareOf(at))
	}
	return p
}

// setUp gives a square of an empty board its codes.
func (p *position) setUp(s square) {
	at := &p.points[s]
	for d := range directions {
		number, place := s.strip(d)
		pair := p.tables.lines.pair(p.strips[d][number], place)
		at.code[black] |= code(pair&15) << (4 * d)
		at.code[white] |= code(pair>>4) << (4 * d)
	}
	for c := range 2 {
		at.class[c] = p.tables.class[c][at.code[c]]
	}
	p.offer(s, at)
}

// flip changes who may have a stone on a square.
func (p *position) flip(s square, who strip) {
	for d := range directions {
		number, place := s.strip(d)
		p.strips[d][number] ^= who << place
	}
}

// load sets stones up on the empty board.
func (p *position) load(from ai.Position) {
	for _, s := range from.Stones {
		p.turn = colorOf(s.Color)
		p.play(squareOf(s.Point))
	}
	p.turn = colorOf(from.ToMove)
	p.hash = p.hashOf()
	p.value()
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
	p.hash = p.hashAfter(s)
	p.turn = me ^ 1
	if p.judge != nil {
		p.judge.Place(s.point(), me.stone())
	}
	p.flip(s, whiteMay>>me) // the other colour may not any more
	p.lookAround(s)
}

// hashAfter returns the hash that the position will have after a move.
func (p *position) hashAfter(s square) uint64 {
	return p.hash ^ p.tables.keys[p.turn][s] ^ p.tables.turn
}

// lookAround takes in what a new stone on s makes of the patterns about it. Nearly
// all of them are others than before, so that it is faster not to ask; and what is
// written in parts is not read as a whole soon, which the processor would wait for.
func (p *position) lookAround(s square) {
	lines, classes, n := p.tables.lines, &p.tables.class, p.changed
	for d, step := range steps {
		number, place := s.strip(d)
		strip := p.strips[d][number]
		shift := 4 * d & 15
		for near := lines.near(strip, place); near != 0; near &= near - 1 {
			there := bits.TrailingZeros64(uint64(near))
			pair := lines.pair(strip, there)
			q := square(int(s) + (there-place)>>1*step)
			at, was := &p.points[q], &p.changes[n]
			n++
			was.square = q
			was.code = at.code
			was.class = at.class
			b := at.code[black]&^(15<<shift) | code(pair&15)<<shift
			w := at.code[white]&^(15<<shift) | code(pair>>4)<<shift
			bs, ws := classes[black][b], classes[white][w]
			at.code[black], at.code[white] = b, w
			at.class[black], at.class[white] = bs, ws
			was.to[black], was.to[white] = b, w
			if from, to := was.class[black].counted(), bs.counted(); from != to {
				p.recount(q, black, from, to)
			}
			if from, to := was.class[white].counted(), ws.counted(); from != to {
				p.recount(q, white, from, to)
			}
		}
	}
	p.changed = n
}

// recount takes a square from what counts as one class to what counts as another.
func (p *position) recount(s square, c color, was, is class) {
	p.count[c][was]--
	p.count[c][is]++
	if from, to := kindOf[was], kindOf[is]; from != to {
		p.at[c][from].remove(s)
		p.at[c][to].add(s)
		p.moved = append(p.moved, moved{s, c, from, to})
	}
}

// value brings the worth up to date. A search for fours never asks for it.
func (p *position) value() {
	for ; p.valued < len(p.history); p.valued++ {
		from, to := p.history[p.valued].changes, p.changed
		if p.valued+1 < len(p.history) {
			to = p.history[p.valued+1].changes
		}
		taken := &p.points[p.history[p.valued].square]
		for c := range color(2) {
			worth := &p.tables.weights.point[c]
			sum := -int32(worth[taken.code[c]])
			changes := p.changes[from:to]
			for i := range changes {
				sum += int32(worth[changes[i].to[c]]) - int32(worth[changes[i].code[c]])
			}
			p.worth[c] += sum
		}
	}
}

// take and offer count an empty square out and in; its worth is left to value when
// it is taken.
func (p *position) take(s square, at *point) {
	for c := range 2 {
		p.count[c][at.class[c].counted()]--
		p.at[c][kindOf[at.class[c]]].remove(s)
	}
}

func (p *position) offer(s square, at *point) {
	for c := range 2 {
		p.worth[c] += int32(p.tables.weights.point[c][at.code[c]])
		p.count[c][at.class[c].counted()]++
		p.at[c][kindOf[at.class[c]]].add(s)
	}
}

// remember keeps what undo needs, and marks the squares near a new stone.
func (p *position) remember(s square) {
	p.history = p.history[:len(p.history)+1]
	last := &p.history[len(p.history)-1]
	last.square, last.changes, last.moved, last.summed = s, p.changed, len(p.moved), false
	last.state = p.state
	row, column := int(s/stride)-nearRows, int(s%stride)-nearRows
	for i, shape := range nearShape {
		last.near[i] = p.near[row+i]
		p.near[row+i] |= shape << column
	}
}

// undo takes the last stone back.
func (p *position) undo() {
	last := &p.history[len(p.history)-1]
	s := last.square
	at := &p.points[s]
	me := p.turn ^ 1
	p.flip(s, whiteMay>>me)
	changes := p.changes[last.changes:p.changed]
	for i := range changes {
		was := &changes[i]
		o := &p.points[was.square]
		o.code = was.code
		o.class = was.class
	}
	p.changed = last.changes
	for _, m := range p.moved[last.moved:] {
		p.at[m.color][m.to].remove(m.square)
		p.at[m.color][m.from].add(m.square)
	}
	p.moved = p.moved[:last.moved]
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
