package tengen

import (
	"fmt"
	"slices"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// solver looks for victories by fours and nothing else: slowly, with package
// rules only, and with every answer that the defender has.
type solver struct {
	b     *rules.Board
	rule  rules.Rule
	known map[string]bool
	nodes int // stones of the attacker that may still be tried
}

func newSolver(from ai.Position, nodes int) *solver {
	return &solver{b: from.Board(), rule: from.Rule, known: map[string]bool{}, nodes: nodes}
}

// wins reports whether colour c, to move, makes five after at most so many fours
// of which each but the last has to be answered. It is not to be trusted when no
// nodes are left.
func (v *solver) wins(c color, fours int) bool {
	if len(fivePoints(v.b, v.rule, c, v.b.Size().All())) > 0 {
		return true
	}
	threat := fivePoints(v.b, v.rule, c^1, v.b.Size().All())
	if fours == 0 || v.nodes <= 0 {
		return false
	}
	key := fmt.Sprint(v.b, c, fours)
	if won, ok := v.known[key]; ok {
		return won
	}
	won := false
	for at := range v.b.Size().All() {
		if len(threat) > 0 && !slices.Contains(threat, at) && v.rule != rules.Caro {
			continue
		}
		if near4(v.b, c, at) && ai.MayPlay(v.b, v.rule, c.stone(), at) && v.four(c, at, fours) {
			won = true
			break
		}
	}
	v.known[key] = won
	return won
}

// four reports whether a four on a point wins.
func (v *solver) four(c color, at rules.Point, fours int) bool {
	v.b.Place(at, c.stone())
	defer v.b.Remove(at)
	fives := fivePoints(v.b, v.rule, c, around(at, 4))
	if len(fives) == 0 || len(fivePoints(v.b, v.rule, c^1, v.b.Size().All())) > 0 {
		return false
	}
	v.nodes--
	for _, stop := range stopsOf(v.b, v.rule, c, fives) {
		if !ai.MayPlay(v.b, v.rule, (c ^ 1).stone(), stop) {
			continue
		}
		v.b.Place(stop, (c ^ 1).stone())
		won := v.wins(c, fours-1)
		v.b.Remove(stop)
		if !won {
			return false
		}
	}
	return true
}

// replay checks the line of a victory by fours with package rules, and that the
// five comes when it was said to.
func replay(from ai.Position, line []square, plies int) error {
	b, c := from.Board(), colorOf(from.ToMove)
	for i, s := range line {
		at := s.point()
		if !ai.MayPlay(b, from.Rule, c.stone(), at) {
			return fmt.Errorf("%v may not play %v", c.stone(), at)
		}
		b.Place(at, c.stone())
		wins := from.Rule.Wins(b, at)
		switch {
		case wins && i%2 == 0 && i == len(line)-1 && plies == len(line):
			return nil
		case wins:
			return fmt.Errorf("%v wins with %v at ply %d, not at %d", c.stone(), at, i+1, plies)
		case i%2 == 0:
			if len(fivePoints(b, from.Rule, c, around(at, 4))) == 0 {
				return fmt.Errorf("%v is no four", at)
			}
			if five := fivePoints(b, from.Rule, c^1, b.Size().All()); len(five) > 0 {
				return fmt.Errorf("after %v there is a five on %v", at, five)
			}
			var answers []rules.Point
			for _, stop := range stopsOf(b, from.Rule, c, fivePoints(b, from.Rule, c, around(at, 4))) {
				if ai.MayPlay(b, from.Rule, (c ^ 1).stone(), stop) {
					answers = append(answers, stop)
				}
			}
			last := i == len(line)-1
			if last && len(answers) == 0 && plies == len(line)+2 {
				return nil
			}
			if last || !slices.Contains(answers, line[i+1].point()) || len(answers) > 1 && from.Rule != rules.Caro {
				return fmt.Errorf("after %v (ply %d of %d) there are the answers %v", at, i+1, plies, answers)
			}
		}
		c ^= 1
	}
	return fmt.Errorf("the line of %d stones ends without a five", len(line))
}
