package tengen

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"gomokud/internal/rules"
)

// The network adds to the evaluation what sums of patterns cannot say. Every
// window is a row of numbers for each colour. An empty point adds up the rows of
// its four windows and takes what is above zero, at most topWidth; the sums of
// that over all points are what a head sees, with the side to move first: one
// hidden layer, and a way past it. Which head it is, is for the threats to say.
// Everything is whole numbers, so that every machine thinks the same.
// docs/engine.md tells how it is trained.
type network struct {
	windows *windows
	rows    []row               // by window; then one that makes any sum less than zero
	heads   [2][situations]head // by the side to move
}

const (
	width  = 32 // numbers that a point has for a colour
	hidden = 32

	rowScale  = 256            // a row's 1
	topWidth  = 3*rowScale - 1 // times changesMost, it still fits into 16 bits
	poolShift = 4              // a 1 of a head's input is rowScale of pooled sixteenths
	headScale = 512            // a weight's 1 in the first layer
	lastScale = 1024           // in the last
)

// newNetwork returns a network whose numbers are zero.
func newNetwork() *network {
	w := newWindows()
	n := &network{windows: w, rows: make([]row, len(w.other)+1)}
	none := &n.rows[n.none()]
	for c := range none {
		for i := range none[c] {
			none[c][i] = -1 << 14
		}
	}
	return n
}

// row is what a window adds to its point, for Black and then for White.
type row [2][width]int16

// sum is what the points of a board make together, for Black and then for White.
type sum [2][width]int32

// head makes a score out of sums. Its layout is known to kernel_amd64.s.
type head struct {
	first  [width][hidden][2]int16 // by pairs of inputs
	bias   [hidden]int32
	second [hidden]int32
	past   [2 * width]int16 // the way past the hidden layer
	base   int32
}

// rowChange is a point of which one window changes: the numbers of the others, of
// what that was, and of what it is.
type rowChange [5]uint16

// changesMost is how many points one stone may change: those that see it, and its
// own.
const changesMost = 2*directions*networkSight + 1

// none is the number of the row that a point has which does not count.
func (n *network) none() uint16 { return uint16(len(n.rows) - 1) }

// disturbed lists what the stone on s has changed; it is the last one on the
// strips.
func (p *position) disturbed(s square, list *[changesMost]rowChange) []rowChange {
	n := p.tables.network
	w := n.windows
	length := 0
	for d, step := range steps {
		number, place := s.strip(d)
		is := p.strips[d][number]
		was := is | bothMay<<place
		for near := w.sees(is, place); near != 0; near &= near - 1 {
			there := bits.TrailingZeros64(uint64(near))
			c := &list[length]
			w.around(p, square(int(s)+(there-place)>>1*step), c)
			c[4] = c[d]
			c[d] = c[3]
			c[3] = w.of(was, there)
			length++
		}
	}
	c := &list[length]
	w.around(p, s, c)
	c[4] = n.none()
	return list[:length+1]
}

// summed returns the sums of the position. They follow from those of the latest
// position for which they are known, stone by stone.
func (p *position) summed() *sum {
	n := len(p.history)
	from := n
	for from > 0 && !p.history[from-1].summed {
		from--
	}
	if from == n && n > 0 {
		return &p.sums[n]
	}
	if from == 0 {
		p.sumUp(&p.sums[n])
		if n > 0 {
			p.history[n-1].summed = true
		}
		return &p.sums[n]
	}
	for i := n; i > from+1; i-- {
		p.flip(p.history[i-1].square, p.gone(i-1))
	}
	var room [changesMost]rowChange
	for i := from; i < n; i++ {
		s := p.history[i].square
		if i > from {
			p.flip(s, p.gone(i))
		}
		p.sums[i+1] = p.sums[i]
		p.tables.network.apply(&p.sums[i+1], p.disturbed(s, &room))
		p.history[i].summed = true
	}
	return &p.sums[n]
}

// gone is who may no longer have a stone where the i-th of the history lies.
func (p *position) gone(i int) strip {
	return whiteMay >> (p.points[p.history[i].square].stone - blackStone)
}

// sumUp adds up all points.
func (p *position) sumUp(to *sum) {
	n := p.tables.network
	*to = sum{}
	var room [changesMost]rowChange
	length := 0
	for r, row := range p.free {
		for ; row != 0; row &= row - 1 {
			c := &room[length]
			n.windows.around(p, square(r*stride+bits.TrailingZeros32(row)), c)
			if c[0]|c[1]|c[2]|c[3] == 0 {
				continue
			}
			c[3], c[4] = n.none(), c[3]
			if length++; length == len(room) {
				n.apply(to, room[:])
				length = 0
			}
		}
	}
	n.apply(to, room[:length])
}

// insight returns the network's part of the score for the side to move.
func (p *position) insight() int {
	s := p.summed()
	h := &p.tables.network.heads[p.turn][p.situation()]
	return int(int64(h.out(&s[p.turn], &s[p.turn^1])) * scale / (rowScale * lastScale))
}

// loadNetwork returns the network of a rule.
func loadNetwork(rule rules.Rule) (*network, error) {
	f, err := open(rule, ".net")
	if err != nil {
		return nil, fmt.Errorf("network of %v: %w", rule, err)
	}
	defer f.Close()
	return readNetwork(bufio.NewReader(f), rule != rules.Renju)
}

// readNetwork reads what a trainer wrote: the rows of one colour or of both, by
// window, and the heads.
func readNetwork(r io.Reader, alike bool) (*network, error) {
	n := newNetwork()
	w := n.windows
	tables, heads := make([][][width]int16, 1, 2), make([][situations]storedHead, 1, 2)
	if !alike {
		tables, heads = tables[:2], heads[:2]
	}
	for c := range tables {
		tables[c] = make([][width]int16, len(w.other))
		if err := binary.Read(r, binary.LittleEndian, tables[c]); err != nil {
			return nil, fmt.Errorf("read network: %w", err)
		}
	}
	if err := binary.Read(r, binary.LittleEndian, heads); err != nil {
		return nil, fmt.Errorf("read network: %w", err)
	}
	if _, err := io.CopyN(io.Discard, r, 1); !errors.Is(err, io.EOF) {
		return nil, errors.Join(errors.New("read network: it does not end where it should, as one for another rule"), err)
	}
	for i := range w.other {
		n.rows[i][black] = tables[0][i]
		if alike {
			n.rows[i][white] = tables[0][w.other[i]]
		} else {
			n.rows[i][white] = tables[1][i]
		}
	}
	for c := range n.heads {
		for i := range n.heads[c] {
			n.heads[c][i] = heads[c%len(heads)][i].head()
		}
	}
	return n, nil
}

// storedHead is a head as it is in a file.
type storedHead struct {
	First  [hidden][2 * width]int16
	Bias   [hidden]int32
	Second [hidden]int32
	Past   [2 * width]int16
	Base   int32
}

func (s *storedHead) head() head {
	h := head{bias: s.Bias, second: s.Second, past: s.Past, base: s.Base}
	for i := range 2 * width {
		for j := range hidden {
			h.first[i/2][j][i%2] = s.First[j][i]
		}
	}
	return h
}
