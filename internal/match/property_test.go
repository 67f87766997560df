package match_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// drawn are dice that a property throws, and shrinks when it fails.
type drawn struct{ t *rapid.T }

func (d drawn) n(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "n") }

// No sequence of commands, whoever sends them and whenever, breaks a law of the
// house: the laws are in trial_test.go and invariant_test.go.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawn{t}
		tr := newTrial(t, d)
		for serial := range rapid.IntRange(1, 120).Draw(t, "commands") {
			tr.step(randomCommand(d, tr.state, serial), randomTime(d, tr.state))
			tr.tickLaw()
		}
		if n := len(tr.granted); n > 0 && n <= 64 {
			tr.repeat(d.n(n)) // however long ago it was
		}
		tr.refold()
	})
}

// The events of no real game come back as they were, too.
func TestCodecLaw(t *testing.T) {
	text := rapid.String()
	side := rapid.SampledFrom([]rules.Color{rules.Black, rules.White})
	what := rapid.SampledFrom([]match.What{match.Draw, match.Takeback, match.Rematch})
	point := rapid.Custom(func(t *rapid.T) rules.Point {
		axis := rapid.Int8Range(0, rules.MaxSide-1)
		return rules.Point{X: axis.Draw(t, "x"), Y: axis.Draw(t, "y")}
	})
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string) int { return rapid.Int().Draw(t, name) }
		left := match.Clock{Main: match.Millis(number("main")), Periods: number("periods")}
		facts := []match.Fact{
			match.Seated{Color: side.Draw(t, "side"), Player: match.Player{
				ID: text.Draw(t, "id"), Name: text.Draw(t, "name"), Bot: text.Draw(t, "bot")}},
			match.Started{Number: number("number"), Black: text.Draw(t, "black"), White: text.Draw(t, "white")},
			match.Placed{Point: point.Draw(t, "point"), Clock: left},
			match.Passed{Clock: left},
			match.Offered{What: what.Draw(t, "what"), Color: side.Draw(t, "side")},
			match.Declined{What: what.Draw(t, "what"), Color: side.Draw(t, "side")},
			match.TakenBack{Plies: number("plies")},
			match.Away{Color: side.Draw(t, "side")},
			match.Back{Color: side.Draw(t, "side")},
			match.Credited{Color: side.Draw(t, "side"), Span: left.Main, Until: match.Instant(number("until"))},
			match.Ended{Winner: side.Draw(t, "side"), Reason: match.ByFive, Row: rapid.SliceOfN(point, 1, 9).Draw(t, "row")},
		}
		want := match.Event{At: match.Instant(number("at")), Fact: rapid.SampledFrom(facts).Draw(t, "fact")}
		if rapid.Bool().Draw(t, "stamped") {
			want.Cmd = &match.Stamp{ID: text.Draw(t, "cmd"), By: text.Draw(t, "by"), Sum: rapid.Uint32().Draw(t, "sum")}
		}
		data, err := match.Encode(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := match.Decode(data)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\n got %+v, error %v\nwant %+v", data, got, err, want)
		}
	})
}
