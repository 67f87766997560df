package tengen

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gomokud/internal/ai"
	"gomokud/internal/rules"

	"pgregory.net/rapid"
)

// A stone that does not stop an open four, by what the position says, leaves one
// to the opponent, unless it makes a four.
func TestWhatIsNoDefenceLeavesAnOpenFour(t *testing.T) {
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			tried := 0
			rapid.Check(t, func(t *rapid.T) {
				random := source(t)
				from := dense(random, rule, someSize(random))
				p := loaded(from)
				me, you := p.turn, p.turn^1
				if p.count[you][openFourClass] == 0 || p.count[you][fiveClass]+p.count[me][fiveClass] > 0 {
					return
				}
				stop := p.defences()
				for at := range p.size.All() {
					s := squareOf(at)
					if p.points[s].stone != blank || stop.has(s) || p.makesFour(s) || !p.allowed(s) {
						continue
					}
					p.play(s)
					if p.count[you][openFourClass] == 0 {
						t.Fatalf("%v stops every open four\n%s", at, text(from))
					}
					p.undo()
					tried++
				}
			})
			if tried < 1000 {
				t.Errorf("only %d stones were tried", tried)
			}
		})
	}
}

// refuter plays for the defender against what a search for threats says: where
// it claims a victory, it has to claim one after each of the defender's answers.
// It is shown only with package rules who has won.
type refuter struct {
	threats *threatSearch
	nodes   int64
}

// refute returns what is wrong with the claim that the side to move wins.
func (r *refuter) refute(from ai.Position, random *rand.Rand, depth int) error {
	me := colorOf(from.ToMove)
	b := from.Board()
	if len(fivePoints(b, from.Rule, me, b.Size().All())) > 0 {
		return nil
	}
	if depth == 0 {
		return nil // the line was long enough
	}
	r.threats.p = loaded(from)
	r.threats.fours.p = r.threats.p
	first, plies, won := r.threats.win(8, r.nodes)
	if must := fivePoints(b, from.Rule, me^1, b.Size().All()); !won && len(must) == 1 {
		first, plies = squareOf(must[0]), 3 // what he threatens may still be there
	} else if !won {
		return fmt.Errorf("no victory is claimed any more\n%s", text(from))
	}
	at := first.point()
	if !ai.MayPlay(b, from.Rule, from.ToMove, at) {
		return fmt.Errorf("%v may not be played\n%s", at, text(from))
	}
	next := from
	next.Stones = append(from.Stones[:len(from.Stones):len(from.Stones)], ai.Stone{Point: at, Color: from.ToMove})
	b.Place(at, from.ToMove)
	answers := r.answers(b, from.Rule, me)
	if len(answers) == 0 {
		return nil
	}
	if plies <= 1 {
		return fmt.Errorf("%v was to win at once\n%s", at, text(from))
	}
	for _, i := range random.Perm(len(answers))[:min(len(answers), 2)] {
		reply := answers[i]
		b.Place(reply, from.ToMove.Opponent())
		lost := from.Rule.Wins(b, reply)
		b.Remove(reply)
		after := next
		after.Stones = append(next.Stones[:len(next.Stones):len(next.Stones)], ai.Stone{Point: reply, Color: from.ToMove.Opponent()})
		if lost {
			return fmt.Errorf("the defender makes five on %v\n%s", reply, text(after))
		}
		if err := r.refute(after, random, depth-1); err != nil {
			return err
		}
	}
	return nil
}

// answers returns the defender's moves that are worth trying: his fives, else
// what stops a five, else his fours and what takes an open four from the attacker.
func (r *refuter) answers(b *rules.Board, rule rules.Rule, attacker color) (list []rules.Point) {
	me := attacker ^ 1
	if list = fivePoints(b, rule, me, b.Size().All()); len(list) > 0 {
		return list
	}
	may := func(among []rules.Point) (list []rules.Point) {
		for _, at := range among {
			if ai.MayPlay(b, rule, me.stone(), at) {
				list = append(list, at)
			}
		}
		return list
	}
	if fives := fivePoints(b, rule, attacker, b.Size().All()); len(fives) > 0 {
		return may(stopsOf(b, rule, attacker, fives))
	}
	for at := range b.Size().All() {
		if !ai.MayPlay(b, rule, me.stone(), at) {
			continue
		}
		b.Place(at, me.stone())
		if len(fivePoints(b, rule, me, around(at, 4))) > 0 || !wins4(b, rule, attacker) {
			list = append(list, at)
		}
		b.Remove(at)
	}
	return list
}

// wins4 reports whether a colour to move makes a four that no stone stops.
func wins4(b *rules.Board, rule rules.Rule, c color) bool {
	for at := range b.Size().All() {
		if !near4(b, c, at) || !ai.MayPlay(b, rule, c.stone(), at) {
			continue
		}
		b.Place(at, c.stone())
		fives := fivePoints(b, rule, c, around(at, 4))
		open := len(fives) > 1 && len(stopsOf(b, rule, c, fives)) == 0
		b.Remove(at)
		if open {
			return true
		}
	}
	return false
}

// near4 reports whether three stones of a colour are in one line around a point.
func near4(b *rules.Board, c color, at rules.Point) bool {
	n := 0
	for q := range around(at, 4) {
		if b.At(q) == c.stone() {
			n++
		}
	}
	return n >= 3
}

func TestPublishedVictoriesByThreats(t *testing.T) {
	t.Parallel()
	all := published(t, "puzzles_vct.jsonl")
	solved, short, shortSolved := 0, 0, 0
	fours := newFourSearch(nil, 1<<15)
	threats := newThreatSearch(nil, fours, 1<<16)
	r := &refuter{threats: threats, nodes: 60_000}
	random := rand.New(rand.NewPCG(1, 1))
	for i, problem := range all {
		from := problem.position()
		fours.p = loaded(from)
		threats.p = fours.p
		_, _, won := threats.win(8, 8000)
		if err := differ(threats.p, loaded(from)); err != "" {
			t.Errorf("%s: the position has changed: %s", problem.ID, err)
		}
		if won {
			solved++
		}
		if problem.ThreatMoves <= 4 {
			short++
			if won {
				shortSolved++
			}
		}
		if won && i%16 == 0 {
			if err := r.refute(from, random, 12); err != nil {
				t.Errorf("%s: %v", problem.ID, err)
			}
		}
	}
	t.Logf("%d of %d, of the short ones %d of %d", solved, len(all), shortSolved, short)
	if shortSolved*100 < short*80 || solved*100 < len(all)*70 {
		t.Errorf("solved %d of %d, of the short ones %d of %d", solved, len(all), shortSolved, short)
	}
}

// What is claimed on any board holds against any answer.
func TestVictoriesByThreatsAreVictories(t *testing.T) {
	// Under caro, where a four may have two answers, nobody asks for them.
	for _, rule := range []rules.Rule{rules.Freestyle, rules.Standard, rules.Renju} {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(3, uint64(rule)))
			fours := newFourSearch(nil, 1<<10)
			threats := newThreatSearch(nil, fours, 1<<12)
			r := &refuter{threats: threats, nodes: 40_000}
			won := 0
			for range 100 {
				from := dense(random, rule, someSize(random))
				fours.p = loaded(from)
				threats.p = fours.p
				if fours.p.count[fours.p.turn][fiveClass] > 0 {
					continue
				}
				if _, is := fours.win(24, 2000, false); is {
					continue // nothing new
				}
				if _, _, is := threats.win(6, 10_000); !is {
					continue
				}
				won++
				if err := r.refute(from, random, 12); err != nil {
					t.Fatalf("%v\nfrom\n%s", err, text(from))
				}
			}
			t.Logf("%d were claimed", won)
			if won < 2 {
				t.Errorf("only %d were claimed", won)
			}
		})
	}
}
