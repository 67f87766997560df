package bots

import (
	"context"
	"math"
	"strings"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// ShapeDictionary is the player of seed 003: it takes the point whose lines,
// read as short strings, match the entries that are worth most in a dictionary
// of shapes, its own and its opponent's added up.
//
// For each side and each of four directions the line through the point is
// scanned to at most seven cells, the point itself counting as the side's own
// stone ('a', an empty cell is '_'): to the left as long as own stones last and
// one empty cell further, then likewise to the right, and so in turn; an
// opponent's stone or the edge ends that side. Of all entries that the string
// contains the dearest counts. The eight values are added; of equal sums the
// point that is scanned last wins, columns from the left, each from below. An
// empty board is opened in its centre.
//
// Chosen where the text is silent or cannot be meant:
//   - a five of one's own and one to be stopped are worth the same (the largest
//     number there is), so that the text's player may stop instead of winning:
//     here its own five comes first;
//   - a five counts only if it wins under the rules of the game; if not (an
//     overline, or a five stopped at both ends under caro) its line is worth
//     nothing, whatever fours could be read in it; a forbidden point is not taken
//     while another is left;
//   - "a_aaaa" is listed among the fours, but has five stones and says nothing
//     that "_aaaa" does not; "a_aaa", which must have been meant, is added to it
//     (the other lopsided entries, "aa__a" and the "__aaa" that the author struck
//     out, stay as they are);
//   - boards of every size are scanned alike.
type ShapeDictionary struct{}

// worth is the seed's dictionary with its scores, in its order.
func worth() []entry {
	return []entry{
		{"aa__", 100}, {"__aa", 100}, {"__a_a", 100}, {"_a__a", 100}, {"a__a", 100}, {"a__a_", 100}, {"a_a__", 100}, // closed two
		{"__aa__", 500}, {"__aa_", 500}, {"_a_a_", 500}, {"_a__a_", 500}, {"_aa__", 500}, // open two
		{"a_a_a", 1000}, {"_aa_a", 1000}, {"a_aa_", 1000}, {"_a_aa", 1000}, {"aa_a_", 1000}, {"aa__a", 1000}, {"aaa__", 1000}, // closed three
		{"_aa_a_", 9000}, {"_a_aa_", 9000}, // jump three
		{"_aaa_", 10000},                                                                          // open three
		{"a_aaaa", 15000}, {"aa_aa", 15000}, {"_aaaa", 15000}, {"aaa_a", 15000}, {"aaaa_", 15000}, // four
		{"a_aaa", 15000},   // the four that "a_aaaa" was meant for
		{"_aaaa_", 100000}, // open four
		{five, math.MaxFloat32},
	}
}

type entry struct {
	shape string
	score float32
}

const five = "aaaaa"

// directions are the four lines through a point, in the seed's order.
var directions = [...]rules.Point{{X: 1, Y: 0}, {X: 1, Y: 1}, {X: 1, Y: -1}, {X: 0, Y: 1}}

// Think implements ai.Engine. Its nodes are the points that it looked at.
func (ShapeDictionary) Think(ctx context.Context, p ai.Position, _ ai.Budget) (ai.Thought, error) {
	if len(p.Stones) == 0 {
		return ai.Thought{Move: p.Size.Center(), Line: []rules.Point{p.Size.Center()}}, nil
	}
	board, dictionary := p.Board(), worth()
	var best rules.Point
	var bestScore float32
	found, wins := false, false
	nodes := int64(0)
	for x := range p.Size.Width {
		if ai.Breathe(ctx) != nil {
			return inHaste(p)
		}
		for y := range p.Size.Height {
			at := rules.Point{X: int8(x), Y: int8(y)}
			if !ai.MayPlay(board, p.Rule, p.ToMove, at) {
				continue
			}
			nodes++
			own := completes(board, p.Rule, at, p.ToMove)
			score := pointScore(board, p.Rule, at, dictionary)
			if !found || (own && !wins) || (own == wins && score >= bestScore) {
				best, bestScore, found, wins = at, score, true, own
			}
		}
	}
	if !found {
		return ai.Thought{}, ai.ErrNoMove
	}
	score := int(min(bestScore, math.MaxInt32/2))
	return ai.Thought{Move: best, Score: score, Depth: 1, Nodes: nodes, Line: []rules.Point{best}}, nil
}

// pointScore adds up what the lines through a point are worth to both sides.
func pointScore(b *rules.Board, rule rules.Rule, at rules.Point, dictionary []entry) (sum float32) {
	for _, side := range []rules.Color{rules.Black, rules.White} {
		wins := completes(b, rule, at, side)
		for _, d := range directions {
			sum += lookUp(dictionary, scanLine(b, at, d, side), wins)
		}
	}
	return sum
}

// completes reports whether a stone of the side on the point wins.
func completes(b *rules.Board, rule rules.Rule, at rules.Point, side rules.Color) bool {
	b.Place(at, side)
	defer b.Remove(at)
	return rule.Wins(b, at)
}

// lookUp is the score of the dearest entry that the line contains. A five that
// does not win is a line in which nothing can be won any more.
func lookUp(dictionary []entry, line string, wins bool) (score float32) {
	if !wins && strings.Contains(line, five) {
		return 0
	}
	for _, e := range dictionary {
		if e.score > score && strings.Contains(line, e.shape) {
			score = e.score
		}
	}
	return score
}

// scanLine reads the line through a point as the seed's CheckOneLine does.
func scanLine(b *rules.Board, at, d rules.Point, side rules.Color) string {
	const most = 7
	var cells [2*most - 1]byte
	lo, hi := most-1, most // the string is cells[lo:hi]
	cells[lo] = 'a'
	left, right := 1, 1
	leftOver, rightOver := false, false
	for onLeft := true; hi-lo < most && !(leftOver && rightOver); {
		step := right
		if onLeft {
			step = -left
		}
		cell, ok := cellAt(b, at, d, step, side)
		switch {
		case onLeft && ok && !leftOver:
			left++
			lo--
			cells[lo] = cell
		case onLeft:
			leftOver = true
		case ok:
			right++
			cells[hi] = cell
			hi++
		default:
			rightOver = true
		}
		// An own stone is read on from; anything else hands over to the other
		// side, if that goes on.
		if !ok || cell == '_' {
			if onLeft && !rightOver {
				onLeft = false
			} else if !onLeft && !leftOver {
				onLeft = true
			}
		}
	}
	return string(cells[lo:hi])
}

// cellAt is 'a' or '_', or false for an opponent's stone or the edge.
func cellAt(b *rules.Board, at, d rules.Point, step int, side rules.Color) (byte, bool) {
	next, inside := stepFrom(b.Size(), at, d, step)
	if !inside {
		return 0, false
	}
	switch b.At(next) {
	case side:
		return 'a', true
	case rules.Empty:
		return '_', true
	}
	return 0, false
}
