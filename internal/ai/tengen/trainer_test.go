package tengen

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"gomokud/internal/rules"
)

// someGames makes games of random moves, won by White if it had more points that
// threaten something, summed over the game.
func someGames(rule rules.Rule, n int) (games []Game) {
	random := rand.New(rand.NewPCG(9, 9))
	for range n {
		p := newPosition(common.of(rule), side(15))
		p.play(squareOf(p.size.Center()))
		g := Game{Size: side(15), Moves: []rules.Point{p.size.Center()}, Given: 1}
		quiet := 0
		for len(g.Moves) < 20 {
			list := p.appendNear(nil)
			m := list[random.IntN(len(list))].square
			p.play(m)
			g.Moves = append(g.Moves, m.point())
			quiet += int(p.count[black][nothing.counted()]) - int(p.count[white][nothing.counted()])
			g.Scores = append(g.Scores, random.IntN(21)-10)
		}
		if quiet <= 0 {
			g.Result = 1
		}
		games = append(games, g)
	}
	return games
}

// A trainer learns what the weights do not say, and what it writes foretells as
// what it learned does.
func TestTrainer(t *testing.T) {
	for _, rule := range []rules.Rule{rules.Freestyle, rules.Renju} {
		trainer := NewTrainer(&common, rule)
		games := someGames(rule, 400)
		for _, g := range games {
			trainer.Add(g)
		}
		var losses []float64
		trainer.Fit(3, 0.005, 1, func(_ int, loss float64) { losses = append(losses, loss) })
		if first, last := losses[0], losses[len(losses)-1]; !(last < first-0.01) {
			t.Errorf("%v: the loss was %.4f bits and is %.4f", rule, first, last)
		}
		var file bytes.Buffer
		if err := trainer.Write(&file); err != nil {
			t.Fatal(err)
		}
		var library Library
		if err := library.Teach(rule, &file); err != nil {
			t.Fatal(err)
		}
		tables := library.of(rule)
		pupil, i := newPupil(trainer), 0
		for _, g := range games[:20] {
			g.eachQuiet(tables, func(p *position, _ square, _ float64) {
				want := pupil.expect(trainer.lessons[i])
				i++
				if got := 1 / (1 + math.Exp(-float64(p.evaluate())/scale)); math.Abs(got-want) > 0.02 {
					t.Errorf("%v: %.3f, in whole numbers %.3f\n%s", rule, want, got, text(p.drawn()))
				}
			})
		}
	}
}

func TestANetworkThatIsCutShortOrOfAnotherRule(t *testing.T) {
	for _, size := range []int{0, 10, 3000, 1 << 20} {
		if _, err := readNetwork(bytes.NewReader(make([]byte, size)), true); err == nil {
			t.Errorf("%d bytes were taken for a network", size)
		}
	}
}
