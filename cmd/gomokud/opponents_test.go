package main

import (
	"testing"

	"gomokud/internal/ai/opponents"
)

// Whoever is offered can think and can take a seat.
func TestTheCatalogueIsTheSameForAll(t *testing.T) {
	r := catalogue(nil)
	engines, offered, players := r.own, r.offered, r.players
	all := opponents.All(nil)
	if len(engines) != len(all) || len(offered) != len(all) || len(players) != len(all) {
		t.Fatalf("%d engines, %d offered, %d players; want %d of each", len(engines), len(offered), len(players), len(all))
	}
	for i, o := range all {
		if offered[i].Name != o.Name || offered[i].Level != o.Level || offered[i].Elo != o.Elo || offered[i].External {
			t.Errorf("%s is offered as %+v", o.Name, offered[i])
		}
		if players[i].Name != o.Name || players[i].Title != offered[i].Title {
			t.Errorf("%s sits down as %+v", o.Name, players[i])
		}
		if engines[o.Name] == nil || engines[o.Name]() == nil {
			t.Errorf("%s has no engine", o.Name)
		}
	}
}
