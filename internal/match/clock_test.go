package match_test

import (
	"testing"

	"pgregory.net/rapid"

	"gomokud/internal/match"
)

const sec = match.Second

var (
	suddenDeath = match.TimeControl{Main: 60 * sec}
	fischer     = match.TimeControl{Main: 60 * sec, Increment: 3 * sec}
	byoYomi     = match.TimeControl{Main: 10 * sec, Period: 5 * sec, Periods: 3}
	perMove     = match.TimeControl{Period: 30 * sec, Periods: 1}
)

func TestClock(t *testing.T) {
	full := func(tc match.TimeControl) match.Clock { return tc.Start() }
	for _, c := range []struct {
		name    string
		control match.TimeControl
		clock   match.Clock
		spent   match.Millis
		until   match.Millis // how long the turn may last
		running match.Clock  // after spent, still thinking
		after   match.Clock  // after spent, with a move
		inTime  bool
	}{
		{"sudden death, at once", suddenDeath, full(suddenDeath), 0, 60 * sec, match.Clock{Main: 60 * sec}, match.Clock{Main: 60 * sec}, true},
		{"sudden death, some", suddenDeath, full(suddenDeath), 9 * sec, 60 * sec, match.Clock{Main: 51 * sec}, match.Clock{Main: 51 * sec}, true},
		{"sudden death, to the last", suddenDeath, full(suddenDeath), 60 * sec, 60 * sec, match.Clock{}, match.Clock{}, true},
		{"sudden death, flag", suddenDeath, full(suddenDeath), 60*sec + 1, 60 * sec, match.Clock{}, match.Clock{}, false},
		{"nothing left, at once", suddenDeath, match.Clock{}, 0, 0, match.Clock{}, match.Clock{}, true},
		{"nothing left, late", suddenDeath, match.Clock{}, 1, 0, match.Clock{}, match.Clock{}, false},

		{"increment after the move only", fischer, full(fischer), 9 * sec, 60 * sec, match.Clock{Main: 51 * sec}, match.Clock{Main: 54 * sec}, true},
		{"increment to more than at first", fischer, full(fischer), 0, 60 * sec, match.Clock{Main: 60 * sec}, match.Clock{Main: 63 * sec}, true},
		{"increment after the last millisecond", fischer, full(fischer), 60 * sec, 60 * sec, match.Clock{}, match.Clock{Main: 3 * sec}, true},
		{"no increment after the flag", fischer, full(fischer), 60*sec + 1, 60 * sec, match.Clock{}, match.Clock{}, false},

		{"main time before the periods", byoYomi, full(byoYomi), 9 * sec, 25 * sec, match.Clock{Main: sec, Periods: 3}, match.Clock{Main: sec, Periods: 3}, true},
		{"main time to the last", byoYomi, full(byoYomi), 10 * sec, 25 * sec, match.Clock{Periods: 3}, match.Clock{Periods: 3}, true},
		{"into the first period", byoYomi, full(byoYomi), 10*sec + 1, 25 * sec, match.Clock{Periods: 3}, match.Clock{Periods: 3}, true},
		{"the first period to the last", byoYomi, full(byoYomi), 15 * sec, 25 * sec, match.Clock{Periods: 3}, match.Clock{Periods: 3}, true},
		{"into the second period", byoYomi, full(byoYomi), 15*sec + 1, 25 * sec, match.Clock{Periods: 2}, match.Clock{Periods: 2}, true},
		{"into the last period", byoYomi, full(byoYomi), 20*sec + 1, 25 * sec, match.Clock{Periods: 1}, match.Clock{Periods: 1}, true},
		{"the last period to the last", byoYomi, full(byoYomi), 25 * sec, 25 * sec, match.Clock{Periods: 1}, match.Clock{Periods: 1}, true},
		{"the periods are over", byoYomi, full(byoYomi), 25*sec + 1, 25 * sec, match.Clock{}, match.Clock{}, false},
		{"long over", byoYomi, full(byoYomi), match.Day, 25 * sec, match.Clock{}, match.Clock{}, false},
		{"a period comes back whole", byoYomi, match.Clock{Periods: 1}, 5 * sec, 5 * sec, match.Clock{Periods: 1}, match.Clock{Periods: 1}, true},

		{"time per move, some", perMove, full(perMove), 29 * sec, 30 * sec, match.Clock{Periods: 1}, match.Clock{Periods: 1}, true},
		{"time per move, flag", perMove, full(perMove), 30*sec + 1, 30 * sec, match.Clock{}, match.Clock{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.control.Until(c.clock); got != c.until {
				t.Errorf("Until is %d, want %d", got, c.until)
			}
			if got := c.control.Running(c.clock, c.spent); got != c.running {
				t.Errorf("Running is %+v, want %+v", got, c.running)
			}
			got, inTime := c.control.Spend(c.clock, c.spent)
			if got != c.after || inTime != c.inTime {
				t.Errorf("Spend is %+v, %t, want %+v, %t", got, inTime, c.after, c.inTime)
			}
		})
	}
}

func TestTimeControlValidate(t *testing.T) {
	for _, c := range []struct {
		name    string
		control match.TimeControl
		ok      bool
	}{
		{"no clock", match.TimeControl{}, true},
		{"sudden death", suddenDeath, true},
		{"Fischer", fischer, true},
		{"byo-yomi", byoYomi, true},
		{"time per move", perMove, true},
		{"a day a move", match.TimeControl{Period: match.Day, Periods: 1}, true},
		{"the most", match.TimeControl{Main: 30 * match.Day, Increment: match.Day}, true},
		{"too much", match.TimeControl{Main: 30*match.Day + 1}, false},
		{"less than nothing", match.TimeControl{Main: -sec}, false},
		{"nothing but an increment", match.TimeControl{Increment: sec}, false},
		{"too great an increment", match.TimeControl{Main: sec, Increment: match.Day + 1}, false},
		{"a negative increment", match.TimeControl{Main: sec, Increment: -1}, false},
		{"no time to move", match.TimeControl{Main: sec - 1}, false},
		{"a period without a number", match.TimeControl{Main: sec, Period: sec}, false},
		{"a number without a period", match.TimeControl{Main: sec, Periods: 1}, false},
		{"too short a period", match.TimeControl{Main: sec, Period: sec - 1, Periods: 1}, false},
		{"too long a period", match.TimeControl{Period: 7*match.Day + 1, Periods: 1}, false},
		{"too many periods", match.TimeControl{Period: sec, Periods: 101}, false},
		{"a negative number", match.TimeControl{Main: sec, Periods: -1}, false},
		{"both", match.TimeControl{Main: sec, Increment: sec, Period: sec, Periods: 1}, false},
	} {
		if err := c.control.Validate(); (err == nil) != c.ok {
			t.Errorf("%s: error %v, want ok %t", c.name, err, c.ok)
		}
	}
}

// A flag has fallen exactly when the turn has lasted longer than Until said,
// and a move gives nothing back but its increment.
func TestClockLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tc := rapid.SampledFrom([]match.TimeControl{suddenDeath, fischer, byoYomi, perMove}).Draw(t, "control")
		c := tc.Start()
		for _, spent := range rapid.SliceOf(rapid.Int64Range(0, int64(70*sec))).Draw(t, "spent") {
			spent := match.Millis(spent)
			running := tc.Running(c, spent)
			after, inTime := tc.Spend(c, spent)
			if inTime != (spent <= tc.Until(c)) {
				t.Fatalf("%+v after %d: in time is %t, but Until is %d", c, spent, inTime, tc.Until(c))
			}
			if running.Main < 0 || running.Periods < 0 || running.Main > c.Main || running.Periods > c.Periods {
				t.Fatalf("%+v after %d: Running is %+v", c, spent, running)
			}
			if !inTime {
				return
			}
			if want := (match.Clock{Main: running.Main + tc.Increment, Periods: running.Periods}); after != want {
				t.Fatalf("%+v after %d: Spend is %+v, want %+v", c, spent, after, want)
			}
			c = after
		}
	})
}
