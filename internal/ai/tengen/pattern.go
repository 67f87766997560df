package tengen

import (
	"math/bits"

	"gomokud/internal/rules"
)

// pattern is what one line would be for a colour if it played on a point: the
// best that can still come of a row through that point. A better pattern is a
// greater number.
type pattern uint8

const (
	dead     pattern = iota // no five is left
	fouled                  // Black's under renju: an overline, or two fours in one line
	closed1                 // one more makes a closed two
	open1                   // one more makes an open two
	closed2                 // one more makes a closed three
	open2                   // one more makes an open three, in one or two ways
	open2a                  // in three or four ways
	open2b                  // in more
	closed3                 // one more makes a simple four
	open3s                  // one more makes an open four, on one point only
	open3                   // on two points
	four                    // one point makes five
	openFour                // two points do
	five
	patterns
)

// patternCodes is how many numbers fit where a pattern is packed.
const patternCodes = 16

// custom is how a colour may win, and what it may not do, under a rule.
type custom struct {
	exact bool // more than five does not win
	fouls bool // more than five and two fours in a line are forbidden
	caro  bool // a five between two stones of the opponent does not win
}

func customOf(rule rules.Rule, c color) custom {
	switch {
	case rule == rules.Standard:
		return custom{exact: true}
	case rule == rules.Caro:
		return custom{exact: true, caro: true}
	case rule == rules.Renju && c == black:
		return custom{exact: true, fouls: true}
	default:
		return custom{}
	}
}

// window is a line as one colour sees it from a point with a stone of its own:
// a bit for each place, the point itself in the middle.
type window struct {
	own, other, empty uint16 // what is in none of them is off the board
}

const middle = reach

// row returns the ends of the unbroken row through the middle.
func (w window) row() (lo, hi int) {
	lo = middle + 1 - bits.LeadingZeros16(^(w.own << (15 - middle)))
	hi = middle - 1 + bits.TrailingZeros16(^(w.own >> middle))
	return lo, hi
}

// with returns the window with another own stone on an empty place.
func (w window) with(place int) window {
	w.own |= 1 << place
	w.empty &^= 1 << place
	return w
}

// without returns the window with a stone of the opponent on an empty place.
func (w window) without(place int) window {
	w.other |= 1 << place
	w.empty &^= 1 << place
	return w
}

// liner finds the patterns of all windows. They are defined by each other: a
// three is what one stone makes a four, so that each is looked up after it was
// first worked out. A window's key has two bits for each place but the middle, as
// a strip has them; the lower is set where the colour has a stone or may put one.
type liner struct {
	custom
	sight int
	known []pattern // by key
}

const unknown = patterns

func newLiner(c custom, sight int) *liner {
	l := &liner{custom: c, sight: sight, known: make([]pattern, 1<<(4*sight))}
	for i := range l.known {
		l.known[i] = unknown
	}
	return l
}

// shift says where a place is in a key.
func (l *liner) shift(place int) int {
	if place > middle {
		place--
	}
	return 2 * (place - middle + l.sight)
}

// window is what a key stands for.
func (l *liner) window(key int) window {
	w := window{own: 1 << middle}
	for place := middle - l.sight; place <= middle+l.sight; place++ {
		if place == middle {
			continue
		}
		switch strip(key >> l.shift(place) & 3) {
		case bothMay:
			w.empty |= 1 << place
		case blackMay:
			w.own |= 1 << place
		case whiteMay:
			w.other |= 1 << place
		}
	}
	return w
}

// pattern returns the pattern of a key, whose window is w.
func (l *liner) pattern(key int, w window) pattern {
	if l.known[key] == unknown {
		l.known[key] = l.find(key, w)
	}
	return l.known[key]
}

func (l *liner) find(key int, w window) pattern {
	lo, hi := w.row()
	if n := hi - lo + 1; n >= 5 {
		return l.long(w, lo, hi)
	}
	var next [patternCodes]int // what one more stone makes, and how often
	fives := uint16(0)
	for left := w.empty; left != 0; left &= left - 1 {
		place := bits.TrailingZeros16(left)
		made := l.pattern(key^int(whiteMay)<<l.shift(place), w.with(place))
		next[made]++
		if made == five {
			fives |= 1 << place
		}
	}
	threes, twos := next[open3s]+next[open3], next[open2]+next[open2a]+next[open2b]
	switch {
	case next[five] >= 2:
		straight := hi-lo+1 == 4 && fives == uint16(1<<lo>>1|1<<(hi+1))
		if l.fouls && !straight {
			return fouled
		}
		if l.caro && l.stoppable(key, w) {
			return four
		}
		return openFour
	case next[five] == 1:
		return four
	case next[openFour] >= 2:
		return open3
	case next[openFour] == 1:
		return open3s
	case next[four] > 0:
		return closed3
	case threes > 4:
		return open2b
	case threes > 2:
		return open2a
	case threes > 0:
		return open2
	case next[closed3] > 0:
		return closed2
	case twos > 0:
		return open1
	case next[closed2] > 0:
		return closed1
	default:
		return dead
	}
}

// stoppable reports whether one stone of the opponent keeps a window with two
// points that make five from any five: under caro it may lie beyond a five whose
// other end is blocked.
func (l *liner) stoppable(key int, w window) bool {
	for left := w.empty; left != 0; left &= left - 1 {
		place := bits.TrailingZeros16(left)
		if l.pattern(key^int(blackMay)<<l.shift(place), w.without(place)) < four {
			return true
		}
	}
	return false
}

// long judges a row of five or more.
func (l *liner) long(w window, lo, hi int) pattern {
	switch {
	case hi-lo+1 > 5 && l.fouls:
		return fouled
	case hi-lo+1 > 5 && l.exact:
		return dead
	case l.caro && lo > 0 && w.other>>(lo-1)&1 != 0 && w.other>>(hi+1)&1 != 0:
		return dead
	default:
		return five
	}
}

// lines has the patterns of both colours for every window on a board: Black's in
// the lower four bits, White's in the upper. Its keys are those that Black sees.
type lines struct {
	width         int   // of a half of a key, in bits
	before, after strip // the halves
	pairs         []uint8
}

func newLines(rule rules.Rule) *lines {
	far := sight(rule)
	blacks, whites := newLiner(customOf(rule, black), far), newLiner(customOf(rule, white), far)
	t := &lines{width: 2 * far, pairs: make([]uint8, len(blacks.known))}
	t.before = 1<<t.width - 1
	t.after = t.before << t.width
	for key := range t.pairs {
		if t.torn(strip(key)) {
			continue
		}
		swapped := int(strip(key).swapped())
		b := blacks.pattern(key, blacks.window(key))
		w := whites.pattern(swapped, whites.window(swapped))
		t.pairs[key] = uint8(b) | uint8(w)<<4
	}
	return t
}

// torn reports whether a key stands for no window on a board: beyond an edge there
// are no more places.
func (t *lines) torn(key strip) bool {
	on := (key | key>>1) & lowerBits
	on |= on << 1
	off, after := t.before&^on, on>>t.width
	return off&(off+1) != 0 || after&(after+1) != 0
}

// pair returns the patterns of an empty place of a strip.
func (t *lines) pair(s strip, place int) uint8 {
	around := s >> ((place - t.width) & 63)
	return t.pairs[around&t.before|around>>2&t.after]
}

// near returns the empty places of a strip that see another place of it.
func (t *lines) near(s strip, place int) strip {
	all := t.before | t.after<<2
	return s & (s >> 1) & lowerBits & (all << ((place - t.width) & 63))
}

// sight is how far from a point a stone can still matter to its patterns: four
// places, and one more where a sixth stone or a block at the end counts.
func sight(rule rules.Rule) int {
	if rule == rules.Freestyle {
		return 4
	}
	return 5
}

const reach = 5 // the longest sight
