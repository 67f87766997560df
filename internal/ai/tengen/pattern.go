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

// liner finds the patterns of all windows between the same two edges. They are
// defined by each other: a three is what one stone makes a four, so that each is
// looked up after it was first worked out. A window's key has a digit to the
// base of three for each place but the middle: 0 empty, 1 own, 2 the opponent's.
type liner struct {
	custom
	left, right int // places between the point and the edge, at most reach
	known       []pattern
}

const unknown = patterns

func newLiner(c custom, left, right int) *liner {
	l := &liner{custom: c, left: left, right: right, known: make([]pattern, pow3[left+right])}
	for i := range l.known {
		l.known[i] = unknown
	}
	return l
}

// digit returns the worth of a 1 on a place.
func (l *liner) digit(place int) int {
	if place < middle {
		return int(pow3[middle-place-1])
	}
	return int(pow3[l.left+place-middle-1])
}

// window is what a key stands for.
func (l *liner) window(key int) window {
	w := window{own: 1 << middle}
	for place := middle - l.left; place <= middle+l.right; place++ {
		if place == middle {
			continue
		}
		switch key / l.digit(place) % 3 {
		case 0:
			w.empty |= 1 << place
		case 1:
			w.own |= 1 << place
		case 2:
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
		made := l.pattern(key+l.digit(place), w.with(place))
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
		if l.pattern(key+2*l.digit(place), w.without(place)) < four {
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
// the lower four bits, White's in the upper. Its keys have 1 for Black and 2 for
// White; those of the windows between the same edges begin at from.
type lines struct {
	from  [reach + 1][reach + 1]uint32 // by the places to the left and to the right
	pairs []uint8
}

func newLines(rule rules.Rule) *lines {
	t := &lines{}
	far := sight(rule)
	for left := range far + 1 {
		for right := range far + 1 {
			t.from[left][right] = uint32(len(t.pairs))
			t.add(rule, left, right)
		}
	}
	return t
}

func (t *lines) add(rule rules.Rule, left, right int) {
	blacks := newLiner(customOf(rule, black), left, right)
	whites := newLiner(customOf(rule, white), left, right)
	for key := range blacks.known {
		swapped := 0 // 1 and 2 change places
		for i, rest := 0, key; rest > 0; i, rest = i+1, rest/3 {
			swapped += (3 - rest%3) % 3 * int(pow3[i])
		}
		b := blacks.pattern(key, blacks.window(key))
		w := whites.pattern(swapped, whites.window(swapped))
		t.pairs = append(t.pairs, uint8(b)|uint8(w)<<4)
	}
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

var pow3 = [...]uint32{1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683, 59049}
