package match

import (
	"errors"
	"fmt"
)

// Instant is a time in milliseconds since the Unix epoch.
type Instant int64

// Millis is a span in milliseconds.
type Millis int64

// Spans in milliseconds, to write others with.
const (
	Second Millis = 1000
	Minute        = 60 * Second
	Hour          = 60 * Minute
	Day           = 24 * Hour
)

// TimeControl is how much time each side has. The zero value is a game without
// a clock. Main alone is sudden death; with Increment, which is added after
// every move, it is Fischer's clock; with Periods it is byo-yomi: once Main is
// used up a move may take up to Period for free, and every further Period that
// a move begins costs one of the Periods. One period and no main time is a
// fixed time per move.
type TimeControl struct {
	Main      Millis `json:"main,omitempty"`
	Increment Millis `json:"increment,omitempty"`
	Period    Millis `json:"period,omitempty"`
	Periods   int    `json:"periods,omitempty"`
}

// Bounds of a time control.
const (
	maxMain      = 30 * Day
	maxIncrement = Day
	maxPeriod    = 7 * Day
	maxPeriods   = 100
)

// Unlimited reports whether there is no clock at all.
func (tc TimeControl) Unlimited() bool { return tc == TimeControl{} }

// Validate says in words what is wrong with a time control, if anything.
func (tc TimeControl) Validate() error {
	switch {
	case tc.Unlimited():
		return nil
	case tc.Main < 0 || tc.Main > maxMain:
		return fmt.Errorf("main time must be from 0 to %d ms", maxMain)
	case tc.Increment < 0 || tc.Increment > maxIncrement:
		return fmt.Errorf("increment must be from 0 to %d ms", maxIncrement)
	case tc.Periods < 0 || tc.Periods > maxPeriods:
		return fmt.Errorf("there may be 0 to %d byo-yomi periods", maxPeriods)
	case tc.Periods > 0 && (tc.Period < Second || tc.Period > maxPeriod):
		return fmt.Errorf("a byo-yomi period must be from %d to %d ms", Second, maxPeriod)
	case tc.Periods == 0 && tc.Period != 0:
		return errors.New("a byo-yomi period needs a number of periods")
	case tc.Periods > 0 && tc.Increment > 0:
		return errors.New("a clock has an increment or byo-yomi, not both")
	case tc.Periods == 0 && tc.Main < Second:
		return fmt.Errorf("main time must be at least %d ms", Second)
	}
	return nil
}

// Clock is what one side has left.
type Clock struct {
	Main    Millis `json:"main"`
	Periods int    `json:"periods,omitempty"`
}

// Start is each side's clock before the first move.
func (tc TimeControl) Start() Clock { return Clock{Main: tc.Main, Periods: tc.Periods} }

// Until is how long a turn may last before the flag falls.
func (tc TimeControl) Until(c Clock) Millis { return c.Main + tc.Period*Millis(c.Periods) }

// Running is the clock as it stands when the turn has lasted for `spent`:
// nothing below zero, no increment yet.
func (tc TimeControl) Running(c Clock, spent Millis) Clock {
	if spent <= c.Main {
		return Clock{Main: c.Main - spent, Periods: c.Periods}
	}
	if tc.Period == 0 {
		return Clock{}
	}
	// The period in which the move falls comes back whole; those before it are gone.
	gone := int((spent - c.Main - 1) / tc.Period)
	return Clock{Periods: max(0, c.Periods-gone)}
}

// Spend is the clock after a move that took `spent`. It reports false when the
// flag had fallen before.
func (tc TimeControl) Spend(c Clock, spent Millis) (Clock, bool) {
	if spent > tc.Until(c) {
		return Clock{}, false
	}
	c = tc.Running(c, spent)
	c.Main += tc.Increment
	return c, true
}
