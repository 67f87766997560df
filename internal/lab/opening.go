package lab

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// Opening is the beginning of a game that the players do not choose: stones in
// turns, Black's first.
type Opening []rules.Point

// String writes an opening as ReadOpenings reads it.
func (o Opening) String() string {
	names := make([]string, len(o))
	for i, p := range o {
		names[i] = p.String()
	}
	return strings.Join(names, " ")
}

// ReadOpenings reads openings such as "h8 i9 g10", one a line. What follows a #
// means nothing. An opening that could not be played is an error.
func ReadOpenings(r io.Reader, rule rules.Rule, size rules.Size) ([]Opening, error) {
	var all []Opening
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		var o Opening
		for name := range strings.FieldsSeq(text) {
			p, err := rules.ParsePoint(name)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			o = append(o, p)
		}
		if len(o) == 0 {
			continue
		}
		if err := o.Validate(rule, size); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		all = append(all, o)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read openings: %w", err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no openings")
	}
	return all, nil
}

// Validate returns an error unless the opening can be played and leaves a game
// to play.
func (o Opening) Validate(rule rules.Rule, size rules.Size) error {
	if err := size.Validate(); err != nil {
		return err
	}
	b := rules.NewBoard(size)
	for i, p := range o {
		c := rules.Black
		if i%2 == 1 {
			c = rules.White
		}
		if !ai.MayPlay(b, rule, c, p) {
			return fmt.Errorf("opening %v: %v may not play on %v", o, c, p)
		}
		b.Place(p, c)
		if rule.Wins(b, p) {
			return fmt.Errorf("opening %v: %v wins on %v", o, c, p)
		}
	}
	if b.Full() {
		return fmt.Errorf("opening %v: the board is full", o)
	}
	return nil
}

// Position returns what the opening leads to.
func (o Opening) Position(rule rules.Rule, size rules.Size) ai.Position {
	p := ai.Position{Rule: rule, Size: size, ToMove: rules.Black}
	for _, at := range o {
		p.Stones = append(p.Stones, ai.Stone{Point: at, Color: p.ToMove})
		p.ToMove = p.ToMove.Opponent()
	}
	return p
}

// symmetries returns how many ways there are to lay a board onto itself.
func symmetries(size rules.Size) int {
	if size.Width == size.Height {
		return 8
	}
	return 4
}

// Turned returns the opening under the k-th symmetry of the board; the 0th
// changes nothing.
func (o Opening) Turned(k int, size rules.Size) Opening {
	turned := make(Opening, len(o))
	for i, p := range o {
		if k&4 != 0 {
			p.X, p.Y = p.Y, p.X
		}
		if k&1 != 0 {
			p.X = int8(size.Width-1) - p.X
		}
		if k&2 != 0 {
			p.Y = int8(size.Height-1) - p.Y
		}
		turned[i] = p
	}
	return turned
}

// key is equal for openings that lead to the same position up to symmetry.
func (o Opening) key(size rules.Size) string {
	var least string
	for k := range symmetries(size) {
		var sides [2][]string
		for i, p := range o.Turned(k, size) {
			sides[i%2] = append(sides[i%2], p.String())
		}
		slices.Sort(sides[0])
		slices.Sort(sides[1])
		if key := fmt.Sprint(sides); least == "" || key < least {
			least = key
		}
	}
	return least
}

// Judge says whether the sides have about equal chances in a position.
type Judge func(context.Context, ai.Position) (balanced bool, err error)

// ScoreJudge is a judge that asks a new engine: balanced is what it scores at
// most limit, in its own measure, for either side, and finds no forced win in.
func ScoreJudge(engine func() ai.Engine, budget ai.Budget, limit int) Judge {
	return func(ctx context.Context, p ai.Position) (bool, error) {
		answers := make(chan answer, 1)
		go think(ctx, engine(), p, budget, answers)
		a := <-answers
		if a.err != nil {
			return false, fmt.Errorf("judge an opening: %w", a.err)
		}
		return a.thought.Mate == 0 && -limit <= a.thought.Score && a.thought.Score <= limit, nil
	}
}

// The shape of openings that are drawn.
const (
	leastStones = 3
	mostStones  = 6
	fromCenter  = 4  // no stone is farther from the centre, in points along a line
	fromOthers  = 2  // and none farther from another stone
	triesEach   = 40 // how often an opening is drawn until one has to do without
)

// DrawOpenings draws at most n openings near the centre, all different even if
// the board is turned, that the judge calls balanced; a nil judge takes them
// all. Under renju the first stone is on the centre. The same seed gives the
// same openings, and more of them begin with the fewer. There may be fewer than
// n on a small board or with a strict judge, but never none.
func DrawOpenings(ctx context.Context, rule rules.Rule, size rules.Size, n int, seed uint64, judge Judge) ([]Opening, error) {
	if err := size.Validate(); err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	seen := map[string]bool{}
	var all []Opening
	for range n * triesEach {
		if len(all) == n {
			break
		}
		o := draw(random, rule, size)
		key := o.key(size)
		if seen[key] || o.Validate(rule, size) != nil {
			continue
		}
		seen[key] = true
		if judge != nil {
			balanced, err := judge(ctx, o.Position(rule, size))
			if err != nil {
				return nil, err
			}
			if !balanced {
				continue
			}
		}
		all = append(all, o)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no balanced opening on a board of %v", size)
	}
	return all, nil
}

// draw draws an opening that may be none.
func draw(random *rand.Rand, rule rules.Rule, size rules.Size) Opening {
	around := func(p rules.Point, far int) rules.Point {
		return rules.Point{X: p.X + int8(random.IntN(2*far+1)-far), Y: p.Y + int8(random.IntN(2*far+1)-far)}
	}
	center := size.Center()
	o := Opening{center}
	if rule != rules.Renju {
		o[0] = around(center, fromOthers)
	}
	stones := leastStones + random.IntN(mostStones-leastStones+1)
	for len(o) < stones {
		p := around(o[random.IntN(len(o))], fromOthers)
		near := abs(p.X-center.X) <= fromCenter && abs(p.Y-center.Y) <= fromCenter
		if near && size.Contains(p) && !slices.Contains(o, p) {
			o = append(o, p)
		}
	}
	return o
}

func abs(n int8) int8 { return max(n, -n) }
