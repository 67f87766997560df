package tengen

import (
	"math/rand/v2"
	"testing"

	"gomokud/internal/rules"
)

// randomNetwork has numbers as large as a file can hold.
func randomNetwork() *network {
	random := rand.New(rand.NewPCG(3, 4))
	number := func(most int) int32 { return int32(random.IntN(2*most+1) - most) }
	n := newNetwork()
	for i := 1; i < len(n.windows.other); i++ {
		for c := range n.rows[i] {
			for j := range n.rows[i][c] {
				n.rows[i][c][j] = int16(number(1<<11 - 1))
			}
		}
	}
	for c := range n.heads {
		for i := range n.heads[c] {
			h := &n.heads[c][i]
			for j := range hidden {
				h.bias[j], h.second[j] = number(1<<16), number(1000)
				for i := range h.first {
					h.first[i][j] = [2]int16{int16(number(500)), int16(number(500))}
				}
			}
			for i := range h.past {
				h.past[i] = int16(number(500))
			}
			h.base = number(10000)
		}
	}
	return n
}

// wander plays and takes back stones and calls look now and then, with a network
// of random numbers.
func wander(rule rules.Rule, look func(p *position)) {
	tables := *common.of(rule)
	tables.network = randomNetwork()
	random := rand.New(rand.NewPCG(1, 2))
	p := newPosition(&tables, side(15))
	for range 1500 {
		list := p.appendNear(nil)
		switch n := len(p.history); {
		case n > 0 && (n > 60 || random.IntN(3) == 0):
			p.undo()
		case len(list) > 0:
			p.play(list[random.IntN(len(list))].square)
		default:
			p.play(squareOf(p.size.Center()))
		}
		if random.IntN(3) == 0 {
			look(p)
		}
	}
}

// However a position came about, its sums are those of all its points.
func TestTheSumsAreThoseOfAllPoints(t *testing.T) {
	for _, rule := range allRules {
		wander(rule, func(p *position) {
			n := p.tables.network
			var want sum
			for at := range p.size.All() {
				s := squareOf(at)
				if p.points[s].stone != blank {
					continue
				}
				var around rowChange
				n.windows.around(p, s, &around)
				for c := range want {
					for j := range want[c] {
						x := int32(0)
						for _, w := range around[:directions] {
							x += int32(n.rows[w][c][j])
						}
						want[c][j] += min(max(x, 0), topWidth)
					}
				}
			}
			if got := *p.summed(); got != want {
				t.Fatalf("%v\ngot  %v\nwant %v\n%s", rule, got, want, text(p.drawn()))
			}
		})
	}
}

// The loops in assembly and those in Go make the same numbers.
func TestTheLoopsAgree(t *testing.T) {
	wander(rules.Freestyle, func(p *position) {
		n, sums := p.tables.network, p.summed()
		h := &n.heads[p.turn][p.situation()]
		if a, b := h.out(&sums[0], &sums[1]), h.outPlain(&sums[0], &sums[1]); a != b {
			t.Fatalf("a head: %d and %d", a, b)
		}
		if len(p.history) == 0 {
			return
		}
		var room [changesMost]rowChange
		list := p.disturbed(p.history[len(p.history)-1].square, &room)
		a, b := *sums, *sums
		n.apply(&a, list)
		n.applyPlain(&b, list)
		if a != b {
			t.Fatalf("changes: %v and %v", a, b)
		}
	})
}

// Sums too large for a head's input are cut off, in both loops alike.
func TestAHeadCutsOff(t *testing.T) {
	h := &randomNetwork().heads[0][0]
	mine, yours := new([width]int32), new([width]int32)
	for i := range width {
		mine[i], yours[i] = int32(i)<<20, 1<<19+int32(i)
	}
	if a, b := h.out(mine, yours), h.outPlain(mine, yours); a != b {
		t.Errorf("%d and %d", a, b)
	}
}

// The threats that there are say which head is asked.
func TestSituations(t *testing.T) {
	const opensFour, own4, own3, four, three = 1, 2, 4, 8, 16
	for _, tt := range []struct {
		name    string
		drawing string // Black is to move
		want    uint8
	}{
		{"nothing", `
			. . . . . . . . .
			. . . . . . . . .
			. . . X . . . . .
			. . . . . O . . .
			. . . . . . . . .
			. . . . . . . . .`, 0},
		{"two of White in a row", `
			. . . . . . . . .
			. . . . . . . . .
			. . . O O . . . .
			. . . . . . . . .
			X . . . . . . . .
			. . . . . . . . X`, three},
		{"two of Black in a row", `
			. . . . . . . . .
			. . . . . . . . .
			. . . X X . . . .
			. . . . . . . . .
			O . . . . . . . .
			. . . . . . . . O`, own3},
		{"a blocked three of Black", `
			. . . . . . . . .
			. . . . . . . . .
			O X X X . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . O`, own4},
		{"a blocked three of White", `
			. . . . . . . . .
			. . . . . . . . .
			X O O O . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . X`, four},
		{"an open three of White", `
			. . . . . . . . .
			. . . . . . . . .
			. . . O O O . . .
			. . . . . . . . .
			X . . . . . . . .
			. X . . . . . . X`, opensFour | four},
	} {
		from := drawn(t, rules.Freestyle, rules.Black, tt.drawing)
		if got := loaded(from).situation(); got != tt.want {
			t.Errorf("%s: situation %05b, want %05b", tt.name, got, tt.want)
		}
	}
}

func TestEveryRuleHasItsWeights(t *testing.T) {
	for _, rule := range allRules {
		if _, err := loadParameters(rule); err != nil {
			t.Error(err)
		}
		if _, err := loadNetwork(rule); err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkInsight(b *testing.B) {
	p := loaded(middlegame(rules.Freestyle))
	list := p.appendNear(nil)
	p.insight()
	for i := 0; b.Loop(); i++ {
		p.play(list[i%len(list)].square)
		p.insight()
		p.undo()
	}
}
