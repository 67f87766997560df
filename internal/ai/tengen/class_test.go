package tengen

import (
	"testing"

	"gomokud/internal/rules"

	"pgregory.net/rapid"
)

// What a class promises is what package rules sees when the stone is played.
func TestClassesKeepTheirPromise(t *testing.T) {
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			seen := [classes]int{}
			rapid.Check(t, func(t *rapid.T) {
				random := source(t)
				for range 5 { // so that the rarest class is met, too
					from := dense(random, rule, rules.Size{Width: 5 + random.IntN(6), Height: 5 + random.IntN(6)})
					p, b := loaded(from), from.Board()
					for at := range b.Size().All() {
						if b.At(at) != rules.Empty {
							continue
						}
						for c := range color(2) {
							cl := p.points[squareOf(at)].class[c]
							if why := broken(b, rule, c, at, cl); why != "" {
								t.Fatalf("%v for %v is of class %d: %s\n%s", at, c.stone(), cl, why, text(from))
							}
							seen[cl]++
						}
					}
				}
			})
			for cl, n := range seen {
				if n == 0 && (class(cl) != foulClass || rule == rules.Renju) {
					t.Errorf("no point was of class %d", cl)
				}
			}
		})
	}
}

// broken says what is wrong with a class, if anything is.
func broken(b *rules.Board, rule rules.Rule, c color, at rules.Point, cl class) string {
	if rule == rules.Renju && c == black {
		foul := rules.Forbidden(b, at)
		if foul != rules.NoFoul && cl != foulClass {
			return "it is a " + foul.String()
		}
		if foul != rules.NoFoul {
			return ""
		}
	}
	before := len(fivePoints(b, rule, c, b.Size().All()))
	b.Place(at, c.stone())
	defer b.Remove(at)
	if rule.Wins(b, at) != (cl == fiveClass) {
		return "the stone wins, or it was said to"
	}
	if cl == fiveClass || before > 0 { // what it makes is not easily told from what there was
		return ""
	}
	fives := fivePoints(b, rule, c, around(at, 4))
	stops := 0
	if len(fives) > 0 {
		stops = len(stopsOf(b, rule, c, fives))
	}
	switch {
	case cl < fourClass && cl != foulClass && len(fives) > 0:
		return "it is a four"
	case cl >= fourClass && cl < openFourClass && (len(fives) == 0 || stops == 0):
		return "it is no simple four"
	case cl >= fourClass && cl < openFourClass && rule != rules.Caro && len(fives) > 1:
		return "more than one point makes five"
	case cl == openFourClass && (len(fives) < 2 || stops > 0):
		return "one stone stops it"
	}
	return ""
}

func TestPositionsDoNotDependOnTheWayThere(t *testing.T) {
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				random := source(t)
				size := someSize(random)
				from := dense(random, rule, size)
				p := loaded(from)
				floor := len(p.history)
				for range 1 + random.IntN(60) {
					if p.empty == 0 || len(p.history) > floor && random.IntN(5) < 2 {
						p.undo()
						continue
					}
					s := someFree(p, random.IntN(p.empty))
					p.play(s)
				}
				if err := differ(p, loaded(p.drawn())); err != "" {
					t.Fatalf("%s\n%s", err, text(p.drawn()))
				}
				for len(p.history) > floor {
					p.undo()
				}
				if err := differ(p, loaded(from)); err != "" {
					t.Fatalf("after all was undone: %s\n%s", err, text(from))
				}
			})
		})
	}
}
