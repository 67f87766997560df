package match_test

import (
	"slices"
	"testing"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// TestWhoMovedForABotIsOnRecord: until the move is taken back or a new game
// begins, and no longer.
func TestWhoMovedForABotIsOnRecord(t *testing.T) {
	ann, bot := match.Player{ID: "ann"}, match.Player{ID: "bot:b", Bot: "b"}
	s := new(match.State)
	apply := func(events []match.Event, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			data, err := match.Encode(e)
			if err != nil {
				t.Fatal(err)
			}
			if e, err = match.Decode(data); err != nil {
				t.Fatal(err)
			}
			if err := s.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	game := match.Game{Size: rules.Size{Width: 15, Height: 15}}
	apply(match.Create(match.Command{By: ann}, game, match.DefaultLimits(), rules.Black, &bot, 1000))
	do := func(by match.Player, act match.Action, failure string) {
		t.Helper()
		apply(match.Decide(s, match.Command{By: by, Act: act, Failure: failure}, 2000))
	}
	record := func(want ...match.StandIn) {
		t.Helper()
		if !slices.Equal(s.StandIns, want) {
			t.Errorf("on record: %+v, want %+v", s.StandIns, want)
		}
	}
	place := func(by match.Player, x int8, failure string) {
		t.Helper()
		do(by, match.Place{Ply: len(s.Moves), Point: rules.Point{X: x, Y: x % 3}}, failure)
	}
	late, refused := match.StandIn{Ply: 1, Failure: "late"}, match.StandIn{Ply: 5, Failure: "refused"}
	place(ann, 0, "")
	record()
	place(bot, 1, "late")
	record(late)
	place(ann, 2, "")
	place(bot, 3, "")
	place(ann, 4, "")
	place(bot, 5, "refused")
	record(late, refused)
	do(ann, match.Offer{What: match.Takeback}, "")
	record(late)
	place(ann, 6, "")
	do(ann, match.Resign{}, "")
	record(late)
	do(ann, match.Offer{What: match.Rematch}, "")
	record()
}
