package tengen

import (
	"math/rand/v2"
	"testing"

	"gomokud/internal/ai"
	"gomokud/internal/rules"

	"pgregory.net/rapid"
)

// fourWin looks for a victory by fours and checks what it finds.
func fourWin(t testing.TB, f *fourSearch, from ai.Position, fours int, nodes int64) bool {
	t.Helper()
	f.p = loaded(from)
	plies, won := f.win(fours, nodes, false)
	if won {
		if err := replay(from, f.line[:f.length], plies); err != nil {
			t.Errorf("%v\n%s", err, text(from))
		}
		if from.Rule == rules.Caro && !newSolver(from, 20_000).wins(colorOf(from.ToMove), (plies+1)/2) {
			t.Errorf("another answer stops it\n%s", text(from)) // some fours have two
		}
	}
	if err := differ(f.p, loaded(from)); err != "" {
		t.Errorf("the position has changed: %s", err)
	}
	return won
}

func TestDrawnVictoriesByFours(t *testing.T) {
	always := map[string]bool{"freestyle": true, "standard": true, "caro": true, "renju black": true, "renju white": true}
	only := func(names ...string) map[string]bool {
		some := map[string]bool{}
		for _, name := range names {
			some[name] = true
		}
		return some
	}
	for _, c := range []struct {
		name    string
		drawing string // O is the attacker, X the defender
		wins    map[string]bool
		fours   int
	}{
		{"a five", `
			. . . . . . . . .
			. . . . . . . . .
			. . X O O O O . .
			. . . . . . . . .
			. . . . . . . . .`, always, 0},
		{"an open four", `
			. . . . . . . . .
			. . . . . . . . .
			. . . O O O . . .
			. . . . . . . . .
			. . . . . . . . .`, always, 0},
		{"an open four that a stone beyond its end makes a four", `
			. . . . . . . . .
			. . . . . . . . .
			X . O O O . . . .
			. . . . . . . . .
			. . . . . . . . .`, only("freestyle", "standard", "renju black", "renju white"), 0},
		{"two fours at once", `
			. . . . . . . . .
			. . . X . . . . .
			. . . O . . . . .
			. . . O . . . . .
			. . . O . . . . .
			. X O . O O . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .`, only("freestyle", "standard", "caro", "renju white"), 0},
		{"a four, then an open four", `
			. . . O . . . . .
			. . . O . . . . .
			. . . O . . . . .
			. . . . O O . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .`, always, 1},
		{"nothing", `
			. . . . . . . . .
			. . . . . . . . .
			. . X O O . . . .
			. . . . . . . . .
			. . . . . . . . .`, nil, 20},
		{"an overline", `
			. . . . . . . . . .
			. . . . . . . . . .
			X O O . O O O X . .
			. . . . . . . . . .
			. . . . . . . . . .`, only("freestyle", "renju white"), 0},
		{"a five between two stones", `
			. . . . . . . . .
			. . . . . . . . .
			. X O O . O O X .
			. . . . . . . . .
			. . . . . . . . .`, only("freestyle", "standard", "renju black", "renju white"), 0},
		{"the defender's four comes first", `
			. . . . . . . . .
			. . . . . . . . .
			. . . O O O . . .
			. . . . . . . . .
			. . . . . . . . .
			. O X X X X . . .
			. . . . . . . . .`, nil, 20},
		{"a four that stops the defender's", `
			. . . . . . . . .
			. . . . . . . . .
			. . . O O O . . .
			. . . . . . . . .
			. . . . . . . . .
			. O X X X X . O O
			. . . . . . O . .
			. . . . . . O . .
			. . . . . . O . .
			. . . . . . O . .
			. . . . . . X . .`, always, 0},
	} {
		for _, s := range sides {
			letters := map[color]*map[rune]rune{black: {'X': 'O', 'O': 'X'}, white: {}}[s.color]
			drawing := []rune(c.drawing)
			for i, r := range drawing {
				if to, ok := (*letters)[r]; ok {
					drawing[i] = to
				}
			}
			from := drawn(t, s.rule, s.color.stone(), string(drawing))
			f := newFourSearch(nil, 64)
			if got := fourWin(t, f, from, c.fours, 1000); got != c.wins[s.name] {
				t.Errorf("%s, %s: won %v, want %v\n%s", c.name, s.name, got, c.wins[s.name], text(from))
			}
			if c.fours > 0 && c.wins[s.name] && fourWin(t, f, from, c.fours-1, 1000) {
				t.Errorf("%s, %s: it takes less than %d fours", c.name, s.name, c.fours)
			}
		}
	}
}

// White's four stands when the point that stops it is forbidden to Black.
func TestBlackCannotStopAFourOnAForbiddenPoint(t *testing.T) {
	from := drawn(t, rules.Renju, rules.White, `
		. . . . . . . . . . .
		. . . . . . X . . . .
		. . . . . . X . . . .
		. . . . . . . . . . .
		X . O O O . . X X . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .`)
	if fourWin(t, newFourSearch(nil, 64), from, 1, 100); rules.Forbidden(from.Board(), at(t, "g4")) == rules.NoFoul {
		t.Fatal("the point is not forbidden")
	}
	f := newFourSearch(nil, 64)
	if !fourWin(t, f, from, 1, 100) {
		t.Errorf("no victory is seen\n%s", text(from))
	}
	from.Rule = rules.Freestyle
	if fourWin(t, newFourSearch(nil, 64), from, 1, 100) != true { // an open four on the other side
		t.Errorf("no victory is seen\n%s", text(from))
	}
}

// The search and the slow solver agree on small boards. An open four at the end
// is none of the search's fours, but one of the solver's.
func TestFourSearchAgreesWithAllFours(t *testing.T) {
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			wins, none := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				random := source(t)
				from := dense(random, rule, rules.Size{Width: 5 + random.IntN(4), Height: 5 + random.IntN(4)})
				f, c := newFourSearch(nil, 256), colorOf(from.ToMove)
				f.p = loaded(from)
				for fours := range 6 {
					v := newSolver(from, 3000)
					slow := v.wins(c, fours)
					plies, fast := f.win(fours, 100_000, false)
					if v.nodes <= 0 {
						break
					}
					if slow && !fast {
						t.Fatalf("a victory of %d fours is missed\n%s", fours, text(from))
					}
					if fast && !slow && !v.wins(c, fours+1) {
						t.Fatalf("no victory of %d fours, but one is claimed: %v\n%s", fours, f.line[:f.length], text(from))
					}
					if fast {
						if err := replay(from, f.line[:f.length], plies); err != nil {
							t.Fatalf("%v\n%s", err, text(from))
						}
					}
					if slow {
						wins++
						break
					}
					none++
				}
			})
			if wins == 0 || none == 0 {
				t.Errorf("%d victories and %d times none: nothing is compared", wins, none)
			}
		})
	}
}

func TestPublishedVictoriesByFours(t *testing.T) {
	t.Parallel()
	all, solved, short := published(t, "puzzles_vcf.jsonl"), 0, 0
	f := newFourSearch(nil, 1<<16)
	for _, r := range all {
		switch won := fourWin(t, f, r.position(), 60, publishedNodes); {
		case won:
			solved++
		case r.AttackerMoves <= 10:
			short++
			t.Logf("%s of %d fours is not solved", r.ID, r.AttackerMoves)
		}
	}
	if solved < 300 || short > 0 {
		t.Errorf("%d of %d are solved, %d short ones are not", solved, len(all), short)
	}
}

func TestPublishedPositionsWithoutVictoriesByFours(t *testing.T) {
	t.Parallel()
	f := newFourSearch(nil, 1<<16)
	for _, r := range published(t, "puzzles_no_vcf.jsonl") {
		if fourWin(t, f, r.position(), 60, publishedNodes) {
			t.Errorf("%s: one is claimed", r.ID)
		}
	}
}

// publishedNodes is enough for what is published, but for a handful.
const publishedNodes = 50_000

// The positions in the suite were met by the engine in its own games.
func TestOwnVictoriesByFours(t *testing.T) {
	t.Parallel()
	f := newFourSearch(nil, 1<<16)
	perRule := map[rules.Rule]int{}
	for _, r := range records(t, "testdata/vcf.jsonl") {
		perRule[r.Rule]++
		from, c := r.position(), colorOf(r.ToMove)
		if !fourWin(t, f, from, r.AttackerMoves, 20_000) {
			t.Errorf("%s: no victory of %d fours is found\n%s", r.ID, r.AttackerMoves, text(from))
		}
		v := newSolver(from, 20_000)
		if v.wins(c, r.AttackerMoves-1) || !v.wins(c, r.AttackerMoves) || v.nodes <= 0 {
			t.Errorf("%s: the solver does not say that it takes %d fours\n%s", r.ID, r.AttackerMoves, text(from))
		}
		if fourWin(t, f, from, r.AttackerMoves-2, 20_000) {
			t.Errorf("%s: there is one of less than %d fours\n%s", r.ID, r.AttackerMoves-1, text(from))
		}
	}
	for _, rule := range allRules {
		if perRule[rule] < 5 {
			t.Errorf("%d positions under %v", perRule[rule], rule)
		}
	}
}

// A narrow search leaves victories out, but never claims one that there is not.
func TestNarrowVictoriesAreVictories(t *testing.T) {
	for _, rule := range allRules {
		random := rand.New(rand.NewPCG(1, uint64(rule)))
		won := 0
		for range 800 {
			from := dense(random, rule, side(15))
			f := newFourSearch(loaded(from), 64)
			if plies, is := f.win(quietFours, quietNodes, true); is {
				won++
				if err := replay(from, f.line[:f.length], plies); err != nil {
					t.Fatalf("%v\n%s", err, text(from))
				}
			}
		}
		if won < 25 {
			t.Errorf("%v: only %d were found", rule, won)
		}
	}
}
