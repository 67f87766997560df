package bots

import (
	"cmp"
	"context"
	"slices"
	"sync"

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
//  4. it has the largest own sum and forces the opponent to defend;
//  5. the opponent threatens to make a straight four: of the points by the
//     opponent's sum after the move, the smallest first, the first at which the
//     own sum is the larger;
//  6. the opponent's stone there would make crossing threats that cannot be
//     parried;
//  7. the largest own sum.
//
// Chosen where the text is silent (its table of scores is a lost picture):
//   - the shapes and scores of sevenStepShapes; the edge counts as 'x'. Five
//     stones have no score: the rules say in steps 1 and 2 whether they win, and
//     where they do not (an overline) they are worth nothing;
//   - sums differ between points only in the shapes through the point, so that
//     only those are counted anew (gain);
//   - only the point with the largest own sum is asked whether it forces (step
//     4), as the text has it: a player that plays every four that it can make
//     has none left when one would win. It forces if it makes a four, or an open
//     three while the opponent has no threat of a straight four: three against
//     three forces nobody;
//   - the sum that asks for a defence (step 5) is that of a straight four, which
//     the opponent's next stone would make;
//   - only points that do defend are looked at in step 5: those that leave the
//     opponent less than half an open three above the least. Else a large own
//     sum far from the danger would do. If none of them passes, the first is
//     taken: who does not defend there loses;
//   - crossing threats (step 6) are two or more fours or open threes, none of
//     which the rules forbid the opponent to make;
//   - of points that are equal the one nearest to the centre is taken, and an
//     empty board is opened there;
//   - fives, and the fours that lead to them, count only if they win under the
//     rules of the game; a forbidden point is not taken while another is left.
type SevenStep struct{}

// What shapes are worth. A four is worth less than an open three, since one
// stone parries it for good. Of 240 games against the shape dictionary, 60 under
// each rule from the same 30 random openings with both colours, 151 were won so,
// and 119 with fours at 2,500.
const (
	worthStraightFour = 10_000
	worthFour         = 1_200
	worthOpenThree    = 2_000 // as two shapes, each with one side's two points
	worthJumpThree    = 1_900
)

// sevenStepShapes are the shapes that are counted, mirrored ones beside each
// other.
func sevenStepShapes() []shape {
	return []shape{
		{"_oooo_", worthStraightFour},
		{"xoooo_", worthFour}, {"_oooox", worthFour}, {"oo_oo", worthFour}, {"o_ooo", worthFour}, {"ooo_o", worthFour},
		{"_ooo__", worthOpenThree / 2}, {"__ooo_", worthOpenThree / 2}, {"x_ooo__", worthOpenThree / 2}, {"__ooo_x", worthOpenThree / 2},
		{"_oo_o_", worthJumpThree}, {"_o_oo_", worthJumpThree},
		{"xooo__", 300}, {"__ooox", 300}, {"xoo_o_", 300}, {"_o_oox", 300}, {"xo_oo_", 300}, {"_oo_ox", 300},
		{"oo__o", 250}, {"o__oo", 250}, {"o_o_o", 250}, {"x_ooo_x", 300},
		{"__oo__", 200}, {"_o_o_", 150}, {"_o__o_", 120}, {"x_oo__", 150}, {"__oo_x", 150},
		{"xoo___", 30}, {"___oox", 30}, {"xo_o__", 25}, {"__o_ox", 25},
		{"__o__", 10}, {"_o_", 5},
	}
}

// sevenStepTable is made once, as it is always the same.
var sevenStepTable = sync.OnceValue(func() *shapeTable { return newShapeTable(sevenStepShapes()) })

// candidate is an empty point and what it means to both sides.
type candidate struct {
	at     rules.Point
	far    int  // from the centre, doubled and squared
	own    gain // of a stone of ours
	theirs gain // of a stone of theirs
	left   int  // the opponent's sum on the whole board when we take the point
	total  int  // and ours
}

// Think implements ai.Engine. Its nodes are the points that it looked at.
func (SevenStep) Think(ctx context.Context, p ai.Position, _ ai.Budget) (ai.Thought, error) {
	center := p.Size.Center()
	if len(p.Stones) == 0 {
		return ai.Thought{Move: center, Line: []rules.Point{center}}, nil
	}
	list, err := candidates(ctx, p)
	if err != nil {
		return inHaste(p)
	}
	if len(list) == 0 {
		return ai.Thought{}, ai.ErrNoMove
	}
	c, _ := decideInSeven(list)
	return ai.Thought{Move: c.at, Score: c.total - c.left, Depth: 1, Nodes: int64(len(list)), Line: []rules.Point{c.at}}, nil
}

// decideInSeven takes the steps in their order and also returns which one
// decided, from 1.
func decideInSeven(list []candidate) (c candidate, step int) {
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.own.sum, a.own.sum), cmp.Compare(a.far, b.far))
	})
	threatened := slices.ContainsFunc(list, func(c candidate) bool { return c.theirs.straight })
	for i, passes := range []func(candidate) bool{
		func(c candidate) bool { return c.own.five },
		func(c candidate) bool { return c.theirs.five },
		func(c candidate) bool { return c.own.straight },
	} {
		if at := slices.IndexFunc(list, passes); at >= 0 {
			return list[at], i + 1
		}
	}
	if best := list[0]; best.own.fours > 0 || best.own.threes > 0 && !threatened {
		return best, 4
	}
	if threatened {
		return defence(list), 5
	}
	if at := slices.IndexFunc(list, func(c candidate) bool { return c.theirs.crossing() }); at >= 0 {
		return list[at], 6
	}
	return list[0], 7
}

// defence is step 5.
func defence(list []candidate) candidate {
	byTheirs := slices.Clone(list)
	slices.SortStableFunc(byTheirs, func(a, b candidate) int { return cmp.Compare(a.left, b.left) })
	least := byTheirs[0]
	for _, c := range byTheirs {
		if c.left >= least.left+worthOpenThree/2 {
			break
		}
		if c.total > c.left {
			return c
		}
	}
	return least
}

// candidates weighs every point that may be taken.
func candidates(ctx context.Context, p ai.Position) ([]candidate, error) {
	board, table := p.Board(), sevenStepTable()
	me, them := p.ToMove, p.ToMove.Opponent()
	ours, theirs := wholeSum(board, me, table), wholeSum(board, them, table)
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
			at: at, far: dx*dx + dy*dy,
			own:    gainAt(board, p.Rule, at, me, table),
			theirs: gainAt(board, p.Rule, at, them, table),
			left:   theirs + lossAt(board, at, them, table),
		}
		c.total = ours + c.own.sum
		list = append(list, c)
	}
	return list, nil
}
