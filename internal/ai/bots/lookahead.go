package bots

import (
	"context"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// LookAhead is the player of seed 001. For every empty point, each of the four
// directions and both sides it keeps the number of the shape that a stone there
// would make (shapeTables): from the point it walks left over the side's own
// stones to the first that is none, then right, and both halves together are
// the shape. An open three is 15 and a simple four 20; two numbers of a point
// show a compound: two 15 are a double three, 15 and 20 a four-three, two 20 a
// double four. Those are winning points, but under renju double three and double
// four are none for Black.
//
// It looks ahead over stones that the opponent must answer, fours and open
// threes: the opponent is taken to answer as the tables say, they are filled in
// again, and if now there is a winning point the attack succeeds; if not, it
// goes on in the same way to five plies. Without an attack it changes sides,
// looks for the opponent's, and takes it away. If there is none either it takes
// the point with the largest number in either table.
//
// Chosen where the text is ambiguous or silent:
//   - its five steps may be plies or stones with their answers; here they are
//     plies, so that an attack ends with a winning point as the first, third or
//     fifth stone. The shortest attack is taken;
//   - the numbers of the other shapes (lookaheadtables.go). As the walk ends at an
//     empty cell, no shape has gaps; an empty cell between own stones is one that
//     fills in the gap. A four counts only if a five would win under the rules of
//     the game, an open three only if it may become an open four, other rows only
//     if there is room for a five;
//   - an open four wins like a compound. A winning point is none where the
//     opponent then makes a five, and a double three none, nor must an open three
//     be answered, where the opponent has a winning point with a four;
//   - the predicted answer is where the opponent's largest number is: for both
//     sides numbers are compared alike. It is the only one that is looked at;
//   - an attack is taken away on one of its points, of either side, beside the
//     row that would win, or where the largest number is: of these, by their
//     numbers, at the first that leaves no attack, else at the one that leaves
//     the longest;
//   - of equal numbers the own one is taken, then the larger sum of all eight,
//     then the point nearest to the centre. An empty board is opened there;
//   - looking ahead stops for either attack after mostTried stones;
//   - a forbidden point is not taken while another is left, and neither side is
//     expected to take one.
type LookAhead struct{}

const (
	lookAheadPlies = 5
	// mostTried bounds how long a move may take on a board full of threes.
	mostTried = 2_000
)

// Think implements ai.Engine. Its nodes are the stones that it tried.
func (LookAhead) Think(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
	center := p.Size.Center()
	if len(p.Stones) == 0 {
		return ai.Thought{Move: center, Line: []rules.Point{center}}, nil
	}
	if b.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.Time)
		defer cancel()
	}
	if ai.Breathe(ctx) != nil {
		return inHaste(p)
	}
	l := lookingAhead{shapeTables: newShapeTables(p), nodes: b.Nodes, plies: lookAheadPlies}
	if b.Depth > 0 {
		l.plies = min(l.plies, (b.Depth-1)|1) // an attack has an odd number
	}
	best, found := l.largest(p.ToMove)
	if !found {
		return ai.Thought{}, ai.ErrNoMove
	}
	t := ai.Thought{Move: best.at, Depth: l.plies, Line: []rules.Point{best.at}}
	if attack := l.attack(ctx, p.ToMove); attack != nil {
		t.Move, t.Depth, t.Line = attack[0], len(attack), attack
	} else if threat := l.attack(ctx, p.ToMove.Opponent()); threat != nil {
		t.Move = l.takeAway(ctx, threat, p.ToMove, best)
		t.Line[0] = t.Move
	}
	if at, is := urgent(p); l.cut && is { // which the tables alone may not tell
		t.Move, t.Line = at, []rules.Point{at}
	}
	t.Score, t.Nodes = int(l.choice(t.Move, p.ToMove).number), l.tried
	if l.cut {
		t.Depth = 1 // the tables
	}
	return t, nil
}
