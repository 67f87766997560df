package brain

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/gomocup"
	"gomokud/internal/rules"
)

// even is a score that does not say who is better: the worth of half an open
// two, as our own engine counts.
const even = 50

// How an opening is chosen.
const (
	choices  = 5                      // that are looked at
	choosing = 5 * time.Second        // for all of them, at the most
	shortest = 100 * time.Millisecond // in less nothing is looked at
)

// wide openings are three stones, black, white and black, as on 15x15; they are
// moved to the middle of other boards. With White to move our own engine thinks
// each level within about half an open two, after half a second: freestyle on
// 15x15 and 20x20, and standard on 15x15.
const wide = `
	h9 f5 g12 / f7 i10 j11 / k12 j11 e10 / e6 f7 k7 / k8 i10 m12 / h7 f7 f12 /
	d8 g7 g3 / j4 f7 e5 / f7 e9 d3 / m10 i6 j7 / d10 k9 e8 / e12 i8 h7 /
	j13 k5 m10 / c8 f11 g11 / g6 h10 j8 / m8 g9 g8 / m9 h3 h4 / c9 d5 f5 /
	k8 f11 j6 / g13 f13 d9 / d10 d12 i13 / i9 l7 l11
`

// tight openings are for boards on which few of the others fit.
const tight = `
	h8 i9 f7 / h8 h9 j6 / g7 h8 i10 / f8 h8 j9 / h8 g8 j10 / f6 g8 j9 /
	g9 h8 f7 / h8 g7 f9 / h6 h8 g10 / f10 h8 j7 / h8 i8 f6 / g8 i7 h10
`

var errCount = errors.New("there must be 0, 3 or 5 stones")

// swap2 takes part in the choice of colours by the rule of that name. The game
// stays as it is: the manager sends the position when the choice is made.
func (s *session) swap2(l line) {
	opening := game{size: s.size, toMove: rules.Black}
	done, ok := s.body(l, func(text string) error {
		p, err := opening.free(text)
		if err == nil {
			opening.place(p, opening.toMove)
		}
		return err
	})
	if !ok {
		return
	}
	switch len(opening.stones) {
	case 0:
		s.answer(done, s.propose(done))
	case 3:
		s.answer(done, s.choose(done, opening, true))
	case 5:
		s.answer(done, s.choose(done, opening, false))
	default:
		s.out.sorry(fmt.Errorf("SWAP2BOARD: %w", errCount))
	}
}

// propose puts the first three stones. If there is time, the engine looks at
// some of the openings and the one that it thinks most level is taken.
func (s *session) propose(l line) string {
	var best []rules.Point
	bias := math.MaxInt
	limit := min(s.limit(), choosing)
	for i, stones := range openings(s.size) {
		if best == nil {
			best = stones
		}
		if limit < shortest || i == choices || !s.spare(l, limit) {
			break
		}
		next := game{size: s.size, toMove: rules.Black}
		for _, p := range stones {
			next.place(p, next.toMove)
		}
		thought, err := s.think(l, next.position(s.told.rule), limit*time.Duration(i+1)/choices, 0)
		if err == nil && thought.Mate == 0 && abs(thought.Score) < bias {
			best, bias = stones, abs(thought.Score)
		}
	}
	return s.points(best...)
}

// choose decides with White to move: to swap if Black is better off, to stay and
// move if White is; if neither is and two stones may be put, to put those that
// are expected and leave the decision to the opponent.
func (s *session) choose(l line, opening game, mayPutTwo bool) string {
	limit := s.limit()
	first := limit
	if mayPutTwo {
		first /= 2
	}
	thought, err := s.think(l, opening.position(s.told.rule), first, 0)
	level := thought.Mate == 0 && abs(thought.Score) <= even
	behind := thought.Mate < 0 || thought.Mate == 0 && thought.Score < 0
	switch {
	case err == nil && mayPutTwo && level:
		return s.putTwo(l, opening, thought, limit)
	case err != nil || behind:
		return "SWAP"
	default:
		return s.points(thought.Move)
	}
}

// putTwo puts White's move and the answer to it.
func (s *session) putTwo(l line, opening game, thought ai.Thought, limit time.Duration) string {
	opening.place(thought.Move, rules.White)
	pos := opening.position(s.told.rule)
	if len(thought.Line) > 1 && ai.MayPlay(pos.Board(), pos.Rule, pos.ToMove, thought.Line[1]) {
		return s.points(thought.Move, thought.Line[1])
	}
	if !s.spare(l, limit) {
		return s.points(thought.Move) // which is to stay: nearly as good where neither is better off
	}
	reply, err := s.think(l, pos, limit, 0)
	if err != nil {
		return s.points(thought.Move)
	}
	return s.points(thought.Move, reply.Move)
}

// points writes points on one line.
func (s *session) points(list ...rules.Point) string {
	text := make([]string, len(list))
	for i, p := range list {
		text[i] = gomocup.FormatPoint(s.size, p)
	}
	return strings.Join(text, " ")
}

func abs(n int) int { return max(n, -n) }

// openings are those that fit on a board, in a random order, each turned
// somehow.
func openings(size rules.Size) [][]rules.Point {
	var fitting [][]rules.Point
	for _, table := range []string{wide, tight} {
		for opening := range strings.SplitSeq(table, "/") {
			if stones, ok := onto(size, strings.Fields(opening), rand.IntN(8)); ok {
				fitting = append(fitting, stones)
			}
		}
		if len(fitting) >= choices {
			break
		}
	}
	rand.Shuffle(len(fitting), func(i, j int) { fitting[i], fitting[j] = fitting[j], fitting[i] })
	return fitting
}

// onto moves stones from the middle of 15x15 to that of another board, turned
// in one of eight ways. They may not fit.
func onto(size rules.Size, names []string, turn int) (stones []rules.Point, ok bool) {
	centre := size.Center()
	for _, name := range names {
		p, err := rules.ParsePoint(name)
		x, y := p.X-7, p.Y-7
		if turn&1 != 0 {
			x = -x
		}
		if turn&2 != 0 {
			y = -y
		}
		if turn&4 != 0 {
			x, y = y, x
		}
		p = rules.Point{X: centre.X + x, Y: centre.Y + y}
		if err != nil || !size.Contains(p) {
			return nil, false
		}
		stones = append(stones, p)
	}
	return stones, true
}
