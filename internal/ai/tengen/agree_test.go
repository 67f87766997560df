package tengen

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// plain is a search without a table of scores, patterns, pruning or judgement: it
// knows who has made five, by package rules, and tries every move.
type plain struct {
	b    *rules.Board
	rule rules.Rule
	seen map[string]bool
}

// wins reports whether colour c, to move, can make five within so many plies
// whatever the other does.
func (s *plain) wins(c color, plies int) bool {
	if len(fivePoints(s.b, s.rule, c, s.b.Size().All())) > 0 {
		return plies >= 1
	}
	if plies < 3 {
		return false
	}
	key := fmt.Sprint(s.b, c, plies)
	if won, ok := s.seen[key]; ok {
		return won
	}
	won := false
	for at := range s.b.Size().All() {
		if !ai.MayPlay(s.b, s.rule, c.stone(), at) {
			continue
		}
		s.b.Place(at, c.stone())
		won = s.loses(c^1, plies-1)
		s.b.Remove(at)
		if won {
			break
		}
	}
	s.seen[key] = won
	return won
}

// loses reports whether the other colour can make five within so many plies
// whatever c, to move, does. Who has no move does not lose.
func (s *plain) loses(c color, plies int) bool {
	if plies < 2 || len(fivePoints(s.b, s.rule, c, s.b.Size().All())) > 0 {
		return false
	}
	if plies < 4 && len(fivePoints(s.b, s.rule, c^1, s.b.Size().All())) == 0 {
		return false
	}
	any := false
	for at := range s.b.Size().All() {
		if !ai.MayPlay(s.b, s.rule, c.stone(), at) {
			continue
		}
		any = true
		s.b.Place(at, c.stone())
		lost := s.wins(c^1, plies-1)
		s.b.Remove(at)
		if !lost {
			return false
		}
	}
	return any
}

// What the search has proven is so, with a table of any size, and a search with a
// table as small as can be never proves the opposite of one with a large table.
func TestProvenScoresAgreeWithAPlainSearch(t *testing.T) {
	const far = 5 // plies that the plain search is asked about
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(6, uint64(rule)))
			small := New(Config{Memory: 1, Library: &common})
			large := New(Config{Memory: 1 << 18, Library: &common})
			won, lost, agreed := 0, 0, 0
			for range 80 {
				from := scanty(random, rule)
				c := colorOf(from.ToMove)
				s := &plain{b: from.Board(), rule: rule, seen: map[string]bool{}}
				var mates [2]int
				for i, e := range []*Engine{small, large} {
					e.Forget()
					var thought ai.Line
					// Asked for a second line, it judges an only move as well.
					err := e.Analyse(t.Context(), from, ai.Budget{Depth: 6, Nodes: 20_000}, 2, func(a ai.Analysis) { thought = a.Lines[0] })
					if err != nil && !errors.Is(err, ai.ErrNoMove) {
						t.Fatalf("%v\n%s", err, text(from))
					}
					mates[i] = thought.Mate
					switch mate := thought.Mate; {
					case mate > 0 && mate <= far:
						won++
						if !s.wins(c, mate) {
							t.Fatalf("%v does not win in %d plies by %v\n%s", c.stone(), mate, thought.Moves, text(from))
						}
					case mate < 0 && -mate <= far:
						lost++
						if !s.loses(c, -mate) {
							t.Fatalf("%v does not lose in %d plies by %v\n%s", c.stone(), -mate, thought.Moves, text(from))
						}
					case mate == 0 && s.wins(c, 3):
						t.Fatalf("%v wins in 3 plies, which was not seen\n%s", c.stone(), text(from))
					}
				}
				if mates[0]*mates[1] < 0 {
					t.Fatalf("the small table wins in %d plies, the large one in %d\n%s", mates[0], mates[1], text(from))
				}
				if mates[0]*mates[1] > 0 {
					agreed++
				}
			}
			t.Logf("%d wins, %d losses, %d agreements", won, lost, agreed)
			if won < 15 || lost < 1 || agreed < 10 {
				t.Errorf("only %d wins, %d losses, %d agreements", won, lost, agreed)
			}
		})
	}
}

// scanty returns a small board with few points left, and no five on it.
func scanty(random *rand.Rand, rule rules.Rule) ai.Position {
	for {
		from := crowded(random, rule)
		keep := from.Size.Points() - 6 - random.IntN(9)
		from.Stones = from.Stones[:min(len(from.Stones), keep)]
		b := from.Board()
		five := func(c color) bool { return len(fivePoints(b, rule, c, b.Size().All())) > 0 }
		if five(colorOf(from.ToMove)) && !five(colorOf(from.ToMove.Opponent())) {
			from.ToMove = from.ToMove.Opponent() // it is known who wins otherwise
		}
		if len(from.Stones) < from.Size.Points() {
			return from
		}
	}
}
