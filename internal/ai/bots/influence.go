package bots

import (
	"cmp"
	"context"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// Influence is the player of seed 004. It keeps a number for every point, which
// each stone changes when it is played: own stones add, the opponent's take
// away, so that the largest numbers are points for attack and the smallest ones
// for defence. Of the two extremes it takes the one that is further from zero.
//
// A stone has influence along its four lines to both sides: as much as the depth
// on the next point, one less on each further one, to 1; stones do not stop it.
// Then the row that the stone completes earns the empty points at its ends a
// bonus (endBonus). If it stops an open three of the other side, the three's far
// end loses the bonus again, as it is not worth stopping twice. Only exact fives
// count: a point where the row would have six stones gets nothing.
//
// Chosen where the text is ambiguous or breaks off:
//   - its list of bonuses counts where its code differs, which does not tell own
//     threes from the opponent's and gives the end of a four 400 on one side and
//     500 on the other;
//   - its code does not start anew for the second side of a line; here both
//     sides are influenced alike. It reaches as many points as the depth, the
//     stone's own not counted;
//   - a three whose ends are both empty may be stopped one point further: the
//     bonus is less at the end where that is so. The edge stops like a stone;
//   - how it decides is lost but for "the largest, the smallest"; of points that
//     are equal the attack is taken, then the one nearest to the centre. An
//     empty board is opened there;
//   - attack and defence are one sum, in which they cancel where both sides want
//     the point. So that it never overlooks the end of a game, what wins under
//     the rules of the game comes first, then what stops the opponent from it;
//   - the text's board has 16x14 points; others are weighed alike. A forbidden
//     point is not taken while another is left.
type Influence struct {
	// Depth is how far influence goes, from 1 to 5: the player's level. It is 5
	// if it is not set.
	Depth int
}

const (
	deepestInfluence = 5
	careful          = 100 // the text's Callfull, the unit of a bonus
)

// Think implements ai.Engine. Its nodes are the points that it looked at.
func (i Influence) Think(ctx context.Context, p ai.Position, _ ai.Budget) (ai.Thought, error) {
	center := p.Size.Center()
	if len(p.Stones) == 0 {
		return ai.Thought{Move: center, Line: []rules.Point{center}}, nil
	}
	f := newField(p.Size, p.ToMove, cmp.Or(i.Depth, deepestInfluence))
	for _, s := range p.Stones {
		if ai.Breathe(ctx) != nil {
			return inHaste(p)
		}
		f.play(s)
	}
	var best prospect
	nodes := int64(0)
	for at := range p.Size.All() {
		if at.X == 0 {
			if ai.Breathe(ctx) != nil {
				return inHaste(p)
			}
		}
		if !ai.MayPlay(f.board, p.Rule, p.ToMove, at) {
			continue
		}
		nodes++
		if c := f.prospect(p.Rule, at); nodes == 1 || c.compare(best) > 0 {
			best = c
		}
	}
	if nodes == 0 {
		return ai.Thought{}, ai.ErrNoMove
	}
	return ai.Thought{Move: best.at, Score: best.weight, Depth: 1, Nodes: nodes, Line: []rules.Point{best.at}}, nil
}

// prospect is an empty point and what it promises.
type prospect struct {
	at     rules.Point
	end    int // 2: it wins, 1: the opponent would win there
	weight int
	far    int // from the centre, doubled and squared
}

func (f *field) prospect(rule rules.Rule, at rules.Point) prospect {
	size := f.board.Size()
	dx, dy := 2*int(at.X)-size.Width+1, 2*int(at.Y)-size.Height+1
	c := prospect{at: at, weight: *f.weight(at), far: dx*dx + dy*dy}
	switch {
	case completes(f.board, rule, at, f.me):
		c.end = 2
	case completes(f.board, rule, at, f.me.Opponent()):
		c.end = 1
	}
	return c
}

// compare is positive if c is the better one.
func (c prospect) compare(d prospect) int {
	return cmp.Or(
		cmp.Compare(c.end, d.end),
		cmp.Compare(max(c.weight, -c.weight), max(d.weight, -d.weight)),
		cmp.Compare(c.weight, d.weight),
		cmp.Compare(d.far, c.far),
	)
}

// field is the stones on the board and what they made its points worth.
type field struct {
	board   *rules.Board
	me      rules.Color
	depth   int
	weights []int // row by row from a1
}

func newField(size rules.Size, me rules.Color, depth int) *field {
	return &field{board: rules.NewBoard(size), me: me, depth: depth, weights: make([]int, size.Points())}
}

func (f *field) weight(at rules.Point) *int {
	return &f.weights[int(at.Y)*f.board.Size().Width+int(at.X)]
}

// sign is 1 for the player's own stones and -1 for the opponent's.
func (f *field) sign(side rules.Color) int {
	if side == f.me {
		return 1
	}
	return -1
}

// play puts a stone on the board and weighs the points on its lines anew.
func (f *field) play(s ai.Stone) {
	f.board.Place(s.Point, s.Color)
	for _, d := range directions {
		for _, way := range [2]int{-1, 1} {
			f.radiate(s, d, way)
			f.reward(s, d, way)
			f.stop(s, d, way)
		}
	}
}

// radiate adds the stone's influence on one side of a line.
func (f *field) radiate(s ai.Stone, d rules.Point, way int) {
	for steps := 1; steps <= f.depth; steps++ {
		if at, inside := stepFrom(f.board.Size(), s.Point, d, way*steps); inside {
			*f.weight(at) += f.sign(s.Color) * (f.depth + 1 - steps)
		}
	}
}

// reward adds the bonus for the end of the stone's row on one side of a line.
func (f *field) reward(s ai.Stone, d rules.Point, way int) {
	cell := func(steps int) byte { return seen(f.board, s.Point, d, way*steps, s.Color) }
	end, back := 1, -1
	for cell(end) == own {
		end++
	}
	for cell(back) == own {
		back--
	}
	if cell(end) != vacant {
		return
	}
	var beyond [4]byte
	for i := range beyond {
		beyond[i] = cell(end + 1 + i)
	}
	bonus := endBonus(end-back-1, s.Color == f.me, cell(back) == vacant, beyond)
	at, _ := stepFrom(f.board.Size(), s.Point, d, way*end)
	*f.weight(at) += f.sign(s.Color) * bonus
}

// stop takes the bonus for an open three back from its far end if the stone
// stands at the near one.
func (f *field) stop(s ai.Stone, d rules.Point, way int) {
	them := s.Color.Opponent()
	cell := func(steps int) byte { return seen(f.board, s.Point, d, way*steps, them) }
	if cell(1) == own && cell(2) == own && cell(3) == own && cell(4) == vacant {
		at, _ := stepFrom(f.board.Size(), s.Point, d, 4*way)
		*f.weight(at) -= f.sign(them) * openThreeBonus(them == f.me)
	}
}

func openThreeBonus(mine bool) int {
	if mine {
		return 3 * careful
	}
	return 2 * careful
}

// endBonus is what an empty point at the end of a row of stones is worth to
// their side. Its arguments are the length of the row, whether it is the
// player's own, whether its other end is empty too, and the cells beyond the
// point as the side sees them.
func endBonus(row int, mine, open bool, beyond [4]byte) int {
	filled, next := row+1, byte(other)
	for _, c := range beyond {
		if next = c; c != own {
			break
		}
		filled++
	}
	switch {
	case filled > 5:
		return 0
	case row == 4 && mine:
		return 4 * careful
	case row == 4:
		return 3 * careful
	case row == 3 && open && filled == 5:
		return openThreeBonus(mine) + careful
	case row == 3 && open && next == other:
		return openThreeBonus(mine) - careful
	case row == 3 && open:
		return openThreeBonus(mine)
	case row == 3 && filled == 5:
		return 3 * careful
	case row == 3 && next == vacant:
		return 2 * careful
	case row == 2 && open && filled == 5:
		return 2 * careful
	case row == 2 && open:
		return careful
	case row == 1 && filled == 5:
		return 3 * careful
	case row == 1 && open && filled == 4 && next == vacant:
		return careful
	}
	return 0
}
