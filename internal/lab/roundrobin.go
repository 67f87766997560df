package lab

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// RoundRobin is a tournament of all against all, or of one against all others.
type RoundRobin struct {
	Terms
	Players  []Player
	Gauntlet bool // only games of the first player
	Games    int  // of each two; an odd number is made even
	Jobs     int  // games at a time; 0 is one
	Openings []Opening
	Seed     uint64
	Anchor   string  // the player whose rating is known; "" is the last one
	Elo      float64 // the anchor's
	// Watch, if it is not nil, is called after every game, one at a time.
	Watch func(Record)
}

// Standing is how a player did.
type Standing struct {
	Name string `json:"name"`
	Rating
	Score   Score            `json:"score"`
	Against map[string]Score `json:"against"`
	Work    Work             `json:"work"`
	Faults  map[string]int   `json:"faults"` // by reason
}

// Table is how a tournament ended, the strongest first.
type Table struct {
	Anchor    string     `json:"anchor"`
	Standings []Standing `json:"standings"`
	Games     int        `json:"games"`
	Seconds   float64    `json:"seconds"`
}

// Run plays the tournament. Every pair of players plays its first two games
// before any plays its third. When ctx ends, its error comes with the table so
// far.
func (t RoundRobin) Run(ctx context.Context) (*Table, error) {
	index, err := t.index()
	if err != nil {
		return nil, err
	}
	anchor := len(t.Players) - 1
	if t.Anchor != "" {
		i, plays := index[t.Anchor]
		if !plays {
			return nil, fmt.Errorf("the anchor %s does not play", t.Anchor)
		}
		anchor = i
	}
	began := time.Now()
	s := newStandings(t.Players)
	pairings := t.pairings()
	game := func(number int) Game {
		round, within := number/(2*len(pairings)), number%(2*len(pairings))
		two := pairings[within/2]
		m := Match{Terms: t.Terms, A: t.Players[two[0]], B: t.Players[two[1]], Openings: t.Openings, Seed: t.Seed}
		g := m.game(2*round + within%2)
		g.Number = number
		return g
	}
	err = play(ctx, t.Jobs, len(pairings)*(t.Games+t.Games%2), game, func(r Record) bool {
		s.add(r, index[r.Black], index[r.White])
		if t.Watch != nil {
			t.Watch(r)
		}
		return true
	})
	table, failed := s.table(anchor, t.Elo)
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	table.Seconds = time.Since(began).Seconds()
	return table, err
}

// index returns the players' numbers by name.
func (t RoundRobin) index() (map[string]int, error) {
	index := map[string]int{}
	for i, p := range t.Players {
		index[p.Name] = i
	}
	if len(index) < 2 || len(index) < len(t.Players) || len(t.Openings) == 0 {
		return nil, errMatch
	}
	return index, nil
}

// pairings returns who plays whom.
func (t RoundRobin) pairings() [][2]int {
	var all [][2]int
	for i := range t.Players {
		for j := i + 1; j < len(t.Players) && (i == 0 || !t.Gauntlet); j++ {
			all = append(all, [2]int{i, j})
		}
	}
	return all
}
