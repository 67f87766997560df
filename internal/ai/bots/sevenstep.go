package bots

import (
	"cmp"
	"context"
	"slices"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// SevenStep is the player of seed 000. It reads every row, column and diagonal
// of at least five points as a string ('o' own, 'x' the opponent's, '_' empty),
// adds up what the shapes in all strings are worth to either side, and for every
// empty point compares its own sum with a stone there, the opponent's sum then,
// and the opponent's sum if the opponent took the point. The first of seven
// steps that names a point decides; within a step points are taken by the own
// sum, the largest first, except in step 5:
//
//  1. it makes a five;
//  2. the opponent would make a five there;
//  3. it makes a straight four;
//  4. it forces the opponent to defend;
//  5. the opponent threatens to make a straight four: of the points by the
//     opponent's sum after the move, the smallest first, the first at which the
//     own sum is the larger;
//  6. the opponent's stone there would make crossing threats that cannot be
//     parried;
//  7. the largest own sum.
//
// Chosen where the text is silent (its table of scores is a lost picture):
//   - the shapes and scores of sevenStepShapes; the edge counts as 'x';
//   - sums differ between points only in the shapes through the point, so that
//     only those are counted anew ('gain');
//   - if no point passes step 5, the first in its order is taken: who does not
//     defend there loses;
//   - a point forces (step 4) if it makes a four, or an open three while the
//     opponent has no threat of a straight four or five: three against three
//     forces nobody;
//   - crossing threats (step 6) are two or more fours or open threes on
//     different lines;
//   - of points that are equal the one nearest to the centre is taken, and an
//     empty board is opened there;
//   - a five counts only if it wins under the rules of the game; a forbidden
//     point is not taken while another is left.
type SevenStep struct{}

// What shapes are worth.
const (
	worthFive         = 100_000
	worthStraightFour = 10_000
	worthFour         = 2_500
	worthOpenThree    = 2_000
)

// sevenStepShapes are the shapes that are counted, mirrored ones beside each
// other.
func sevenStepShapes() []shape {
	return []shape{
		{"ooooo", worthFive},
		{"_oooo_", worthStraightFour},
		{"xoooo_", worthFour}, {"_oooox", worthFour}, {"oo_oo", worthFour}, {"o_ooo", worthFour}, {"ooo_o", worthFour},
		{"_ooo__", worthOpenThree / 2}, {"__ooo_", worthOpenThree / 2}, {"x_ooo__", worthOpenThree / 2}, {"__ooo_x", worthOpenThree / 2},
		{"_oo_o_", worthOpenThree - 100}, {"_o_oo_", worthOpenThree - 100},
		{"xooo__", 300}, {"__ooox", 300}, {"xoo_o_", 300}, {"_o_oox", 300}, {"xo_oo_", 300}, {"_oo_ox", 300},
		{"oo__o", 250}, {"o__oo", 250}, {"o_o_o", 250}, {"x_ooo_x", 300},
		{"__oo__", 200}, {"_o_o_", 150}, {"_o__o_", 120}, {"x_oo__", 150}, {"__oo_x", 150},
		{"xoo___", 30}, {"___oox", 30}, {"xo_o__", 25}, {"__o_ox", 25},
		{"__o__", 10}, {"_o_", 5},
	}
}

type shape struct {
	cells string
	score int
}

// candidate is an empty point and what it means to both sides.
type candidate struct {
	at       rules.Point
	far      int  // from the centre, doubled and squared
	own      gain // with a stone of ours
	theirs   gain // with a stone of theirs
	left     int  // the opponent's sum on the whole board when we take the point
	total    int  // and ours
	ownFive  bool
	lossFive bool
}

// gain is what a stone adds to its side.
type gain struct {
	sum      int // of all shapes
	straight bool
	four     int // lines on which it makes a four
	three    int // lines on which it makes an open three
}

// Think implements ai.Engine. Its nodes are the points that it looked at.
func (SevenStep) Think(ctx context.Context, p ai.Position, _ ai.Budget) (ai.Thought, error) {
	center := p.Size.Center()
	if len(p.Stones) == 0 {
		return ai.Thought{Move: center, Line: []rules.Point{center}}, nil
	}
	list, err := candidates(ctx, p)
	if err != nil {
		return ai.Thought{}, err
	}
	if len(list) == 0 {
		return ai.Thought{}, ai.ErrNoMove
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.own.sum, a.own.sum), cmp.Compare(a.far, b.far))
	})
	c := decideInSeven(list)
	return ai.Thought{Move: c.at, Score: c.own.sum, Depth: 1, Nodes: int64(len(list)), Line: []rules.Point{c.at}}, nil
}

// decideInSeven takes the steps in their order. The list is sorted by the own
// sum, the largest first.
func decideInSeven(list []candidate) candidate {
	threatened := slices.ContainsFunc(list, func(c candidate) bool { return c.theirs.straight || c.lossFive })
	steps := []func(candidate) bool{
		func(c candidate) bool { return c.ownFive },
		func(c candidate) bool { return c.lossFive },
		func(c candidate) bool { return c.own.straight },
		func(c candidate) bool { return c.own.four > 0 || (c.own.three > 0 && !threatened) },
	}
	for _, step := range steps {
		if i := slices.IndexFunc(list, step); i >= 0 {
			return list[i]
		}
	}
	if threatened {
		byTheirs := slices.Clone(list)
		slices.SortStableFunc(byTheirs, func(a, b candidate) int { return cmp.Compare(a.left, b.left) })
		i := slices.IndexFunc(byTheirs, func(c candidate) bool { return c.total > c.left })
		return byTheirs[max(0, i)]
	}
	if i := slices.IndexFunc(list, func(c candidate) bool { return c.theirs.four+c.theirs.three > 1 }); i >= 0 {
		return list[i]
	}
	return list[0]
}

// candidates weighs every point that may be taken.
func candidates(ctx context.Context, p ai.Position) ([]candidate, error) {
	board, shapes := p.Board(), sevenStepShapes()
	me, them := p.ToMove, p.ToMove.Opponent()
	ours, theirs := wholeSum(board, me, shapes), wholeSum(board, them, shapes)
	var list []candidate
	for at := range p.Size.All() {
		if at.X == 0 {
			if err := ai.Breathe(ctx); err != nil {
				return nil, err
			}
		}
		if !ai.MayPlay(board, p.Rule, me, at) {
			continue
		}
		dx, dy := 2*int(at.X)-p.Size.Width+1, 2*int(at.Y)-p.Size.Height+1
		c := candidate{
			at: at, far: dx*dx + dy*dy, left: theirs,
			ownFive:  completes(board, p.Rule, at, me),
			lossFive: completes(board, p.Rule, at, them),
		}
		for _, d := range directions {
			c.own.add(weigh(board, at, d, me, shapes))
			c.theirs.add(weigh(board, at, d, them, shapes))
			c.left += lost(board, at, d, them, shapes)
		}
		c.total = ours + c.own.sum
		list = append(list, c)
	}
	return list, nil
}

func (g *gain) add(o gain) {
	g.sum += o.sum
	g.straight = g.straight || o.straight
	g.four += o.four
	g.three += o.three
}
