package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// Torture is many quick games of players with each other, and with themselves,
// on boards of every size under every rule, from wild openings. Who wins does
// not matter; whether anybody breaks a rule does.
type Torture struct {
	Players []Player
	Games   int
	Jobs    int           // games at a time; 0 is one
	Time    time.Duration // of a move; 0 is 20 ms
	Grace   time.Duration // see Terms
	Seed    uint64
	// Watch, if it is not nil, is called after every game, one at a time.
	Watch func(Record)
}

// Torment is what came of it.
type Torment struct {
	Games   int        `json:"games"`
	Seconds float64    `json:"seconds"`
	Players []Standing `json:"players"` // without ratings
	Faulty  []Record   `json:"faulty"`  // the games lost by a fault, or with an overrun
}

// Faults returns how many games were lost by a fault.
func (t *Torment) Faults() int {
	return len(slices.DeleteFunc(slices.Clone(t.Faulty), func(r Record) bool { return !r.Reason.Fault() }))
}

// Overruns returns how many answers came too late.
func (t *Torment) Overruns() int {
	n := 0
	for _, p := range t.Players {
		n += p.Work.Overruns
	}
	return n
}

// HeldUp returns how many of them the processor was to blame for; see Work.
func (t *Torment) HeldUp() int {
	n := 0
	for _, p := range t.Players {
		n += p.Work.HeldUp
	}
	return n
}

// Run plays. When ctx ends, its error comes with what there is so far.
func (t Torture) Run(ctx context.Context) (*Torment, error) {
	if len(t.Players) == 0 {
		return nil, errors.New("a torture needs players")
	}
	if t.Time == 0 {
		t.Time = 20 * time.Millisecond
	}
	began := time.Now()
	index := map[string]int{}
	for i, p := range t.Players {
		index[p.Name] = i
	}
	s, torment := newStandings(t.Players), &Torment{}
	err := play(ctx, t.Jobs, t.Games, t.game, func(r Record) bool {
		s.add(r, index[r.Black], index[r.White])
		if r.Reason.Fault() || r.Work[0].Overruns+r.Work[1].Overruns > 0 {
			torment.Faulty = append(torment.Faulty, r)
		}
		if t.Watch != nil {
			t.Watch(r)
		}
		return true
	})
	torment.Games, torment.Players, torment.Seconds = s.games, s.all, time.Since(began).Seconds()
	return torment, err
}

// game returns the game of a number, which depends on the seed alone.
func (t Torture) game(number int) Game {
	seed := gameSeed(t.Seed, number)
	random := rand.New(rand.NewPCG(seed, 1))
	side := func() int { return rules.MinSide + random.IntN(rules.MaxSide-rules.MinSide+1) }
	size := rules.Size{Width: side()}
	size.Height = size.Width
	if random.IntN(4) == 0 {
		size.Height = side()
	}
	rule := rules.Rule(random.IntN(int(rules.Renju) + 1))
	return Game{
		Terms:  Terms{Rule: rule, Size: size, Budget: ai.Budget{Time: t.Time}, Grace: t.Grace},
		Number: number, Seed: seed, Opening: scatter(random, rule, size),
		// Everybody has his turn, with everybody in time.
		Black: t.Players[number%len(t.Players)], White: t.Players[random.IntN(len(t.Players))],
	}
}

// scatter returns a legal opening of up to a third of the board, but mostly few
// stones, anywhere.
func scatter(random *rand.Rand, rule rules.Rule, size rules.Size) Opening {
	most := size.Points() / 3
	if random.IntN(4) > 0 {
		most = min(most, 8)
	}
	var o Opening
	b, c := rules.NewBoard(size), rules.Black
	stones := random.IntN(most + 1)
	for range 10 * stones {
		if len(o) == stones {
			break
		}
		p := rules.Point{X: int8(random.IntN(size.Width)), Y: int8(random.IntN(size.Height))}
		if !ai.MayPlay(b, rule, c, p) {
			continue
		}
		b.Place(p, c)
		if rule.Wins(b, p) {
			b.Remove(p)
			continue
		}
		o, c = append(o, p), c.Opponent()
	}
	return o
}

// WriteText writes who did what.
func (t *Torment) WriteText(w io.Writer) error {
	text := &strings.Builder{}
	columns := tabwriter.NewWriter(text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "player\tgames\tmoves\ta move\tlongest\tlate\tby\theld up\tfaults\t")
	for _, p := range t.Players {
		faults := 0
		for _, n := range p.Faults {
			faults += n
		}
		fmt.Fprintf(columns, "%s\t%d\t%d\t%v\t%v\t%d\t%v\t%d\t%d\t\n", p.Name, p.Score.Games(), p.Work.Moves,
			p.Work.Mean().Round(10*time.Microsecond), p.Work.Longest.Round(10*time.Microsecond),
			p.Work.Overruns, p.Work.Latest.Round(10*time.Microsecond), p.Work.HeldUp, faults)
	}
	columns.Flush() // to a builder, which never fails
	fmt.Fprintf(text, "%d games in %.0f s: %d faults, %d late answers, %d of them for want of a processor\n",
		t.Games, t.Seconds, t.Faults(), t.Overruns(), t.HeldUp())
	for _, r := range t.Faulty {
		fmt.Fprintf(text, "game %d, %v on %v: %v\n", r.Number, r.Rule, r.Size, r)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
