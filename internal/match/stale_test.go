package match_test

import (
	"errors"
	"testing"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// TestACommandRestsOnWhatItsSenderSaw: with the version it had seen a command
// is refused if what it rests on has changed since, and only then.
func TestACommandRestsOnWhatItsSenderSaw(t *testing.T) {
	ann, bob := match.Player{ID: "ann"}, match.Player{ID: "bob"}
	game := match.Game{Size: rules.Size{Width: 15, Height: 15}}
	at := func(x, y int8) rules.Point { return rules.Point{X: x, Y: y} }
	s := new(match.State)
	events, err := match.Create(match.Command{By: ann}, game, match.DefaultLimits(), rules.Black, &bob, 1000)
	if err != nil {
		t.Fatal(err)
	}
	do := func(by match.Player, act match.Action, version int) error {
		events, err := match.Decide(s, match.Command{By: by, Act: act, Version: version}, 2000)
		for _, e := range events {
			if err := s.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		return err
	}
	for _, e := range events {
		if err := s.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	begun := s.Version
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	stale := func(err error) {
		t.Helper()
		if !errors.Is(err, match.ErrStale) {
			t.Errorf("%v, want ErrStale", err)
		}
	}
	must(do(ann, match.Place{Ply: 0, Point: at(7, 7)}, begun))
	must(do(bob, match.Place{Ply: 1, Point: at(8, 8)}, s.Version))
	seen := s.Version
	must(do(ann, match.Offer{What: match.Takeback}, seen))
	must(do(bob, match.Accept{What: match.Takeback}, s.Version))
	must(do(ann, match.Place{Ply: 0, Point: at(3, 3)}, s.Version))
	// Bob's move was meant for the position before the takeback.
	stale(do(bob, match.Place{Ply: 1, Point: at(8, 8)}, begun+1))
	// What does not rest on the board may be older.
	must(do(ann, match.Offer{What: match.Draw}, begun))
	first := s.Version
	must(do(bob, match.Decline{What: match.Draw}, s.Version))
	must(do(bob, match.Place{Ply: 1, Point: at(8, 8)}, s.Version))
	must(do(ann, match.Offer{What: match.Draw}, s.Version))
	stale(do(bob, match.Accept{What: match.Draw}, first)) // an earlier offer
	must(do(bob, match.Resign{}, s.Version))
	must(do(bob, match.Offer{What: match.Rematch}, s.Version))
	must(do(ann, match.Accept{What: match.Rematch}, s.Version))
	stale(do(bob, match.Resign{}, seen)) // of the game before
	must(do(bob, match.Resign{}, 0))
}
