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

// wide openings are three stones, black, white and black, as on 15x15; White is
// to move and about as well off as Black. They are moved to the middle of other
// boards.
const wide = `
	h8 j11 m12 / g8 f11 k12 / h9 c8 m5 / d12 e10 l4 / c8 d6 i13 / h4 f3 l11 /
	l12 k10 d9 / h8 l9 l13 / f8 g12 l10 / e8 h13 h4 / i3 h5 n11 / g3 k4 g11 /
	b8 d9 f13 / d4 f5 k13 / g13 h11 c6 / m8 k7 j2 / h8 d11 c5 / i7 f12 c9
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
		if limit < shortest || i == choices {
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
