package lab_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gomokud/internal/ai"
	"gomokud/internal/lab"
	"gomokud/internal/rules"
)

// drawn draws openings on a small board.
func drawn(t *testing.T, n int) []lab.Opening {
	t.Helper()
	all, err := lab.DrawOpenings(t.Context(), rules.Freestyle, square(9), n, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func small(t *testing.T, a, b lab.Player, games int) lab.Match {
	return lab.Match{Terms: lab.Terms{Size: square(9)}, A: a, B: b, Games: games, Openings: drawn(t, 3), Seed: 5}
}

func TestAMatchIsPlayedInPairs(t *testing.T) {
	m := small(t, random("a"), random("b"), 99)
	var games []lab.Record
	m.Watch = func(r lab.Record, _ *lab.MatchResult) { games = append(games, r) }
	result, err := m.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(games) != 100 || result.Score.Games() != 100 || result.Pairs.Pairs() != 50 {
		t.Fatalf("%d games, %v; want 100 in 50 pairs", len(games), result)
	}
	positions := map[string]int{}
	for i := 0; i < len(games); i += 2 {
		one, two := games[i], games[i+1]
		if one.Black != "a" || one.White != "b" || two.Black != "b" || two.White != "a" {
			t.Errorf("pair %d: %v; %v", i/2, one, two)
		}
		given := one.Moves[:one.Opening]
		if !slices.Equal(given, two.Moves[:two.Opening]) {
			t.Errorf("pair %d: two openings", i/2)
		}
		if one.Seed == two.Seed {
			t.Errorf("pair %d: one seed", i/2)
		}
		positions[lab.Opening(given).Position(rules.Freestyle, square(9)).Board().String()]++
	}
	// Three openings in eight positions each, unless one is its own image.
	if len(positions) < 16 || len(positions) > 24 {
		t.Errorf("%d positions from 3 openings", len(positions))
	}
}

func TestTheSumsOfAMatchAreRight(t *testing.T) {
	m := small(t, random("a"), greedy("b"), 40)
	var score, black lab.Score
	plies, halves := 0, map[int]int{}
	m.Watch = func(r lab.Record, _ *lab.MatchResult) {
		plies += len(r.Moves)
		won := map[lab.Result]int{lab.BlackWon: 2, lab.Draw: 1}[r.Result]
		*[]*int{&black.Losses, &black.Draws, &black.Wins}[won]++
		if r.Black == "b" {
			won = 2 - won
		}
		*[]*int{&score.Losses, &score.Draws, &score.Wins}[won]++
		halves[r.Number/2] += won
	}
	result, err := m.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var pairs lab.Pairs
	for _, won := range halves {
		pairs[won]++
	}
	if result.Score != score || result.Black != black || result.Pairs != pairs || result.Plies != plies {
		t.Errorf("%+v; want %+v, %+v, %v, %d plies", result, score, black, pairs, plies)
	}
	if score.Losses < 35 {
		t.Errorf("who never stops a five has %v", score)
	}
	if moves := result.Work[0].Moves + result.Work[1].Moves; int64(moves) != result.Work[0].Nodes+result.Work[1].Nodes || moves == 0 {
		t.Errorf("%d moves, and nodes %d and %d", moves, result.Work[0].Nodes, result.Work[1].Nodes)
	}
}

// TestTheSameMatchIsTheSameGames, whatever is played at a time.
func TestTheSameMatchIsTheSameGames(t *testing.T) {
	played := func(seed uint64, jobs int) []string {
		m := small(t, random("a"), greedy("b"), 20)
		m.Seed, m.Jobs = seed, jobs
		games := make([]string, 20)
		m.Watch = func(r lab.Record, _ *lab.MatchResult) { games[r.Number] = fmt.Sprint(r.Moves, r.Result, r.Seed) }
		if _, err := m.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return games
	}
	one := played(1, 1)
	if !slices.Equal(one, played(1, 1)) || !slices.Equal(one, played(1, 4)) {
		t.Error("one seed, other games")
	}
	if slices.Equal(one, played(2, 1)) {
		t.Error("another seed, the same games")
	}
}

func TestAMatchEndsWhenItsTestIsDecided(t *testing.T) {
	for _, tt := range []struct {
		a, b lab.Player
		want lab.Verdict
	}{
		{greedy("a"), random("b"), lab.AcceptH1},
		{random("a"), greedy("b"), lab.AcceptH0},
	} {
		m := small(t, tt.a, tt.b, 2000)
		m.Test = lab.SPRT{Elo0: 0, Elo1: 50}
		result, err := m.Run(t.Context())
		if err != nil || result.Verdict != tt.want || result.Score.Games() > 200 {
			t.Errorf("%v, verdict %q, %v; want %q", result, result.Verdict, err, tt.want)
		}
	}
}

func TestFaultsAreNamed(t *testing.T) {
	m := small(t, random("a"), thinking("b", func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) {
		panic("no")
	}), 6)
	result, err := m.Run(t.Context())
	if err != nil || result.Score.Wins != 6 || result.Faults["b: panic"] != 6 {
		t.Errorf("%v, %v, %v", result, result.Faults, err)
	}
	var text strings.Builder
	if err := result.WriteText(&text); err != nil || !strings.Contains(text.String(), "6 games lost by a fault of b: panic") {
		t.Errorf("%v:\n%s", err, &text)
	}
}

func TestSoManyGamesAtATime(t *testing.T) {
	var now, most atomic.Int32
	meet := make(chan struct{})
	a := thinking("a", func(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		select { // two meet, or they would wait for ever
		case meet <- struct{}{}:
		case <-meet:
		}
		return ai.Thought{Move: rules.Point{X: -1}}, nil // an early end
	})
	m := small(t, a, a, 10)
	m.B.Name, m.Jobs = "b", 2
	if _, err := m.Run(t.Context()); err != nil || most.Load() != 2 {
		t.Errorf("%d games at a time, %v", most.Load(), err)
	}
}

func TestABrokenOffMatchTellsWhatItHas(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	m := small(t, random("a"), random("b"), 1000)
	m.Watch = func(_ lab.Record, so *lab.MatchResult) {
		if so.Score.Games() == 7 {
			stop()
		}
	}
	result, err := m.Run(ctx)
	if !errors.Is(err, context.Canceled) || result.Score.Games() != 7 || result.Pairs.Pairs() != 3 {
		t.Errorf("%v, %v", result, err)
	}
}

func TestAMatchNeedsTwoPlayersAndAnOpening(t *testing.T) {
	if _, err := small(t, random("a"), greedy("a"), 2).Run(t.Context()); err == nil {
		t.Error("one name, two players")
	}
	m := small(t, random("a"), random("b"), 2)
	m.Openings = nil
	if _, err := m.Run(t.Context()); err == nil {
		t.Error("no openings")
	}
}
