package match_test

import (
	"errors"
	"fmt"
	"testing"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// What a stamp says of an action is stored: a server of another version must
// recognise a command that is sent again. These sums must never change. (New's may,
// as games come to have more to choose: it matters while one creation is retried.)
func TestStampsAreStable(t *testing.T) {
	for _, c := range []struct {
		act match.Action
		sum uint32
	}{
		{match.Sit{}, 2843990531},
		{match.Place{Ply: 4, Point: rules.Point{X: 7, Y: 7}}, 3192783636},
		{match.Place{Ply: 5, Point: rules.Point{X: 7, Y: 7}}, 738727671},
		{match.Place{Ply: 4, Point: rules.Point{X: 7, Y: 8}}, 3259747017},
		{match.Pass{Ply: 4}, 3149011422},
		{match.Resign{}, 2580142633},
		{match.Offer{What: match.Draw}, 1891847251},
		{match.Offer{What: match.Rematch}, 2168802255},
		{match.Accept{What: match.Draw}, 1871397927},
		{match.Decline{What: match.Draw}, 3132930071},
		{match.Abort{}, 3011270337},
		{match.Claim{}, 2647645843},
	} {
		cmd := match.Command{ID: "c1", By: ann, Act: c.act}
		if !cmd.Made(match.Stamp{ID: "c1", By: "ann", Sum: c.sum}) {
			t.Errorf("%T%+v has not the sum %d any more", c.act, c.act, c.sum)
		}
		for _, other := range []match.Stamp{
			{ID: "c2", By: "ann", Sum: c.sum}, {ID: "c1", By: "bob", Sum: c.sum}, {ID: "c1", By: "ann", Sum: c.sum + 1},
		} {
			if cmd.Made(other) {
				t.Errorf("%T of ann's c1 claims the stamp %+v", c.act, other)
			}
		}
	}
	if (match.Command{By: ann, Act: match.Sit{}}).Made(match.Stamp{}) {
		t.Error("a command without an id claims a stamp")
	}
}

// Each player's last 64 commands are known again, however busy the other is.
func TestRemembersTheLast64(t *testing.T) {
	s := new(match.State)
	apply := func(events []match.Event, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if err := s.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	size := rules.Size{Width: 25, Height: 25}
	g := match.Game{Rule: rules.Renju, Size: size}
	apply(match.Create(match.Command{By: ann}, g, match.DefaultLimits(), rules.Black, &bob, dawn))
	apply(match.Decide(s, match.Command{ID: "first", By: bob, Act: match.Offer{What: match.Draw}}, dawn))
	var moves []match.Command
	for ply := range 2 * 65 { // Black passes, White puts stones far from each other
		c := match.Command{ID: fmt.Sprintf("m%d", ply), By: ann, Act: match.Pass{Ply: ply}}
		if ply%2 == 1 {
			p := rules.Point{X: int8(ply / 2 % 5 * 5), Y: int8(ply / 10 * 2)}
			c.By, c.Act = bob, match.Place{Ply: ply, Point: p}
		}
		apply(match.Decide(s, c, dawn))
		moves = append(moves, c)
	}
	for ply, c := range moves {
		_, err := match.Decide(s, c, dawn)
		var again match.Repeated
		if want := ply >= 2; errors.As(err, &again) != want {
			t.Errorf("move %d again: %v, want it remembered: %t", ply, err, want)
		}
	}
}

func TestForbiddenErrorNamesTheFoul(t *testing.T) {
	var got match.ForbiddenError
	err := fmt.Errorf("refused: %w", match.ForbiddenError{Foul: rules.DoubleFour})
	if !errors.As(err, &got) || got.Foul != rules.DoubleFour {
		t.Errorf("the foul in %q is %v, want %v", err, got.Foul, rules.DoubleFour)
	}
}
