package lab

import (
	"context"
	"errors"
	"time"

	"gomokud/internal/rules"
)

// Match is a number of games between two players.
type Match struct {
	Terms
	A, B     Player // whose names differ
	Games    int    // an odd number is made even
	Jobs     int    // games at a time; 0 is one
	Openings []Opening
	Seed     uint64 // varies what the players do by chance
	Test     SPRT   // ends the match when it is decided
	// Watch, if it is not nil, is called after every game, one at a time, with
	// the result so far.
	Watch func(Record, *MatchResult)
}

// MatchResult is how a match stands, from A's side.
type MatchResult struct {
	A       string         `json:"a"`
	B       string         `json:"b"`
	Score   Score          `json:"score"`
	Pairs   Pairs          `json:"pairs"` // by the half points that A won: 0 to 4
	Elo     Estimate       `json:"elo"`
	Test    SPRT           `json:"test"`
	Ratio   float64        `json:"ratio"` // of the test, its logarithm
	Verdict Verdict        `json:"verdict"`
	Black   Score          `json:"black"` // from Black's side, whoever that was
	Plies   int            `json:"plies"` // of all games together
	Work    [2]Work        `json:"work"`  // A's and B's
	Faults  map[string]int `json:"faults"`
	Seconds float64        `json:"seconds"`
}

// errMatch says what a match lacks.
var errMatch = errors.New("a match needs two players of different names and an opening")

// Run plays the match. When ctx ends, its error comes with the result so far.
func (m Match) Run(ctx context.Context) (*MatchResult, error) {
	if m.A.Name == m.B.Name || len(m.Openings) == 0 {
		return nil, errMatch
	}
	began := time.Now()
	result := newMatchResult(m.A.Name, m.B.Name, m.Test)
	halves := map[int]int{} // of A, by pair, of those half played
	err := play(ctx, m.Jobs, m.Games+m.Games%2, m.game, func(r Record) bool {
		result.add(r, halves)
		result.Seconds = time.Since(began).Seconds()
		if m.Watch != nil {
			m.Watch(r, result)
		}
		return result.Verdict == Undecided
	})
	return result, err
}

// game returns the game of a number: in even ones A is Black. Once through the
// openings they come again, turned.
func (m Match) game(number int) Game {
	lap, i := number/2/len(m.Openings), number/2%len(m.Openings)
	g := Game{
		Terms: m.Terms, Number: number, Seed: gameSeed(m.Seed, number),
		Opening: m.Openings[i].Turned(lap%symmetries(m.Size), m.Size), Black: m.A, White: m.B,
	}
	if number%2 == 1 {
		g.Black, g.White = m.B, m.A
	}
	return g
}

func newMatchResult(a, b string, test SPRT) *MatchResult {
	return &MatchResult{A: a, B: b, Test: test, Elo: Pairs{}.Estimate(), Faults: map[string]int{}}
}

// add counts a game; halves is what A won in pairs of which one game is played.
func (r *MatchResult) add(g Record, halves map[int]int) {
	side, c := 0, rules.Black // A's
	if g.Black != r.A {
		side, c = 1, rules.White
	}
	won := g.halves(c)
	r.Score.count(won)
	r.Black.count(g.halves(rules.Black))
	r.Plies += len(g.Moves)
	r.Work[0].Add(g.Work[side])
	r.Work[1].Add(g.Work[1-side])
	if g.Reason.Fault() {
		r.Faults[g.Loser()+": "+string(g.Reason)]++
	}
	first, half := halves[g.Number/2]
	if !half {
		halves[g.Number/2] = won
		return
	}
	delete(halves, g.Number/2)
	r.Pairs[first+won]++
	r.Elo = r.Pairs.Estimate()
	if r.Test != (SPRT{}) {
		r.Ratio, r.Verdict = r.Test.Ratio(r.Pairs), r.Test.Decide(r.Pairs)
	}
}
