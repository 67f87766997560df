package rules_test

import (
	"slices"
	"testing"

	"gomokud/internal/rules"
)

func TestForbiddenPoints(t *testing.T) {
	b := parse(t, `
		. . . . . . . . . . .
		. . . . . . . . . . .
		. X X X . X X X . . .
		. . . . . . . . . . .
		. . . . . O . . . . .
		. . . . X O . . . . .
		. . . . X . . . . . .
		. . X X . . . . . . .
		. . . . . . . . . . .
		X X X . . . X X X . .
	`)
	want := []rules.ForbiddenPoint{
		{Point: point(t, "e1"), Foul: rules.DoubleFour},
		{Point: point(t, "e3"), Foul: rules.DoubleThree},
		{Point: point(t, "e8"), Foul: rules.Overline},
	}
	kept := rules.ForbiddenPoint{Point: point(t, "a1"), Foul: rules.Overline}
	got := rules.AppendForbidden([]rules.ForbiddenPoint{kept}, b)
	if got[0] != kept || !slices.Equal(got[1:], want) {
		t.Errorf("got %v, want %v and %v\n%v", got, kept, want, b)
	}
}

func TestForbiddenWhereNoStoneCanBe(t *testing.T) {
	b := parse(t, `
		. . . . . .
		. X . . . .
		X X X X X X
		. X . . . .
		. X . . . .
	`)
	for _, p := range []rules.Point{point(t, "b3"), point(t, "g3"), {X: -1, Y: 2}, {X: 2, Y: -1}} {
		if got := rules.Forbidden(b, p); got != rules.NoFoul {
			t.Errorf("%v: got %q, want none", p, got)
		}
	}
}
