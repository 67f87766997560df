package chaos

import (
	"time"

	"gomokud/internal/match"
)

// The stated bounds of time.
const (
	// clockError is how far a node's clock may be from the store's: half of the
	// longest way there and back that it takes for a measurement, and what the
	// machine takes between reading a clock and acting on it.
	clockError = 1500 * time.Millisecond
	// botSilence is how long a bot may be silent in an undisturbed service: it
	// may think for 5 s; whoever asked waits for 10 s until asking again; the rest
	// is for a machine that is busy.
	botSilence = 5*time.Second + 10*time.Second + 20*time.Second
	// recovery is how long after a fault the service may still be disturbed.
	recovery = 10 * time.Second
)

// times: an event that a command led to happened between its call and its
// answer, and no event after somebody was told of it.
func (h *history) times(wrong func(string, ...any)) {
	versions := h.versions()
	for _, c := range h.commands {
		version := versions[stamp{c.by, c.id}]
		if version == 0 {
			continue
		}
		at := time.UnixMilli(int64(h.log[version-1].At))
		if at.Before(c.call.Add(-clockError)) {
			wrong("done %s before it was asked for: %s", c.call.Sub(at), c)
		}
		if c.outcome == done && at.After(c.end.Add(clockError)) {
			wrong("done %s after it was answered: %s", at.Sub(c.end), c)
		}
	}
	for _, c := range h.tellings {
		if c.version == 0 || c.version > len(h.log) {
			continue
		}
		if at := time.UnixMilli(int64(h.log[c.version-1].At)); at.After(c.at.Add(clockError)) {
			wrong("told of an event %s before it happened: %s", at.Sub(c.at), c)
		}
	}
}

// clocks: a move costs its side the time since the turn began, less what was
// credited for downtime and at most the cap for its way; a flag falls when the
// time is used up, not before; and both sides together pay for the whole game.
func (h *history) clocks(wrong func(string, ...any)) {
	var used, lasted, credited, lags time.Duration
	number := 0
	h.turns(func(t turn) {
		s := t.before
		if s.Number != number {
			used, lasted, credited, lags, number = 0, 0, 0, 0, s.Number
		}
		if !s.ClockRuns() {
			return
		}
		clock := s.Seats.Of(s.Turn()).Clock
		budget := time.Duration(s.Game.Clock.Until(clock)) * time.Millisecond
		most := span(s.Since, t.event.At) - t.credited
		least := most - time.Duration(s.Limits.LagCap)*time.Millisecond
		var after match.Clock
		switch f := t.event.Fact.(type) {
		case match.Ended:
			if f.Reason == match.ByTime && most < budget {
				wrong("a flag fell after %s of %s, at version %d", most, budget, t.version)
			}
			return
		case match.Placed:
			after = f.Clock
		case match.Passed:
			after = f.Clock
		default:
			return
		}
		if s.Game.Clock.Periods > 0 {
			if least > budget {
				wrong("a move after %s of %s, at version %d", least, budget, t.version)
			}
			return
		}
		cost := time.Duration(clock.Main+s.Game.Clock.Increment-after.Main) * time.Millisecond
		if cost < max(0, least) || cost > max(0, most) {
			wrong("a turn of %s, credited %s, cost %s, at version %d", span(s.Since, t.event.At), t.credited, cost, t.version)
		}
		used, lasted, credited, lags = used+cost, lasted+span(s.Since, t.event.At), credited+t.credited, lags+most-least
		if sum := used + credited; sum > lasted+credited || sum+lags < lasted {
			wrong("turns of %s together cost %s and were credited %s, by version %d", lasted, used, credited, t.version)
		}
	})
}

// bots: as long as nothing is disturbed, no bot is silent for too long.
func (h *history) bots(wrong func(string, ...any)) {
	h.turns(func(t turn) {
		if _, is := t.before.BotToMove(); !is {
			return
		}
		// The position is as old as the last event that changed it.
		since := time.UnixMilli(int64(h.log[t.before.Position-1].At))
		if silent := h.undisturbed(since, time.UnixMilli(int64(t.event.At))); silent > botSilence {
			wrong("a bot was silent for %s, until version %d", silent, t.version)
		}
	})
}

// undisturbed is how much of a span lies outside the faults and what it takes
// to recover from them.
func (h *history) undisturbed(from, to time.Time) time.Duration {
	calm := max(0, to.Sub(from))
	for _, w := range h.windows { // in order, one after the other
		begin, end := w.from, w.to.Add(recovery)
		if begin.Before(from) {
			begin = from
		}
		if end.After(to) {
			end = to
		}
		if end.After(begin) {
			calm -= end.Sub(begin)
			from = end
		}
	}
	return max(0, calm)
}
