package lab_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"gomokud/internal/lab"
)

func tournament(t *testing.T, players ...lab.Player) lab.RoundRobin {
	return lab.RoundRobin{Terms: lab.Terms{Size: square(9)}, Players: players, Games: 6, Openings: drawn(t, 3), Jobs: 2}
}

func TestARoundRobinIsAllAgainstAll(t *testing.T) {
	r := tournament(t, random("r"), greedy("g"), greedy("h"), random("s"))
	r.Anchor, r.Elo, r.Games = "r", 1000, 5
	met := map[string]int{}
	r.Watch = func(g lab.Record) { met[g.Black+g.White]++ }
	table, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, two := range []string{"rg", "gr", "rh", "hr", "rs", "sr", "gh", "hg", "gs", "sg", "hs", "sh"} {
		if met[two] != 3 {
			t.Errorf("%s played %d times, want 3", two, met[two])
		}
	}
	if table.Games != 36 || len(table.Standings) != 4 {
		t.Fatalf("%+v", table)
	}
	for i, s := range table.Standings {
		if (i < 2) != strings.Contains("gh", s.Name) {
			t.Errorf("place %d: %s with %.0f", i+1, s.Name, s.Elo)
		}
		if s.Name == "r" && (s.Elo != 1000 || s.Error != 0) {
			t.Errorf("the anchor has %+v", s.Rating)
		}
		var sum lab.Score
		for _, a := range s.Against {
			sum.Wins, sum.Draws, sum.Losses = sum.Wins+a.Wins, sum.Draws+a.Draws, sum.Losses+a.Losses
		}
		if sum != s.Score || sum.Games() != 18 || s.Work.Moves == 0 {
			t.Errorf("%s: %+v, against all %+v", s.Name, s.Score, sum)
		}
	}
}

func TestAGauntletIsOneAgainstAll(t *testing.T) {
	r := tournament(t, greedy("g"), random("r"), random("s"))
	r.Gauntlet = true
	r.Watch = func(g lab.Record) {
		if g.Black != "g" && g.White != "g" {
			t.Errorf("%v", g)
		}
	}
	table, err := r.Run(t.Context())
	if err != nil || table.Games != 12 || table.Standings[0].Name != "g" || table.Anchor != "s" {
		t.Errorf("%+v, %v", table, err)
	}
}

func TestTheTableIsTextAndJSON(t *testing.T) {
	table, err := tournament(t, greedy("greedy"), random("random")).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := table.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"player", "1 greedy", "2 random", "the rating of random was given"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	encoded, err := json.Marshal(table)
	var back struct {
		Standings []struct {
			Name  string
			Elo   float64
			Score lab.Score
		}
	}
	if err != nil || json.Unmarshal(encoded, &back) != nil || len(back.Standings) != 2 {
		t.Fatalf("%s, %v", encoded, err)
	}
	if first := back.Standings[0]; first.Name != "greedy" || first.Elo != table.Standings[0].Elo || first.Score != table.Standings[0].Score {
		t.Errorf("%+v, want %+v", first, table.Standings[0])
	}
}

func TestABrokenOffRoundRobinTellsWhatItHas(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r := tournament(t, random("r"), random("s"), random("t"))
	r.Games, r.Jobs = 1000, 1
	played := 0
	r.Watch = func(lab.Record) {
		if played++; played == 5 {
			stop()
		}
	}
	table, err := r.Run(ctx)
	if !errors.Is(err, context.Canceled) || table == nil || table.Games != 5 {
		t.Errorf("%+v, %v", table, err)
	}
}

func TestARoundRobinNeedsPlayersOfDifferentNames(t *testing.T) {
	for name, r := range map[string]lab.RoundRobin{
		"twins":             tournament(t, random("r"), random("r")),
		"one":               tournament(t, random("r")),
		"none":              tournament(t),
		"a stranger anchor": {Players: []lab.Player{random("r"), random("s")}, Openings: drawn(t, 1), Anchor: "x"},
	} {
		if _, err := r.Run(t.Context()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
