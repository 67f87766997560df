package match

import "gomokud/internal/rules"

// Wake is the next time at which a Tick has something to do, or 0 if time
// alone changes nothing.
func (s *State) Wake() Instant {
	switch s.Phase {
	case Open:
		return s.opened + Instant(s.Limits.OpenFor)
	case Playing:
		if at, ok := s.flagAt(); ok {
			return at
		}
		return s.abandonedAt()
	}
	return 0
}

// flagAt is when the side to move runs out of time, the most that a move could
// still be credited included; before the first move it is when a game with a
// clock is given up. False without a clock.
func (s *State) flagAt() (Instant, bool) {
	if s.Game.Clock.Unlimited() {
		return 0, false
	}
	limit := s.Limits.FirstMove
	if s.ClockRuns() {
		limit = s.Game.Clock.Until(s.Seats.Of(s.Turn()).Clock) + s.Limits.LagCap + 1
	}
	return s.Since + Instant(limit+s.credited), true
}

// abandonedAt is when the side to move has lost for being away; while it is
// there, it is when somebody should look whether that is still true.
func (s *State) abandonedAt() Instant {
	since := s.At
	if gone, away := s.goneSince(s.Turn()); away {
		since = gone
	}
	return since + Instant(s.Limits.AbandonAfter)
}

// goneSince is since when a side on turn keeps the other waiting by being away:
// time before its turn is not counted.
func (s *State) goneSince(c rules.Color) (Instant, bool) {
	away := s.Seats.Of(c).Away
	return max(away, s.Since+Instant(s.credited)), away > 0
}

// tick lets happen what is due.
func (s *State) tick(at Instant) []Fact {
	due := s.Wake()
	if due == 0 || at < due {
		return nil
	}
	switch {
	case s.Phase == Open:
		return []Fact{Ended{Reason: Expired}}
	case s.ClockRuns():
		return []Fact{Ended{Winner: s.Turn().Opponent(), Reason: ByTime}}
	case !s.Game.Clock.Unlimited():
		return []Fact{Ended{Reason: Aborted}}
	}
	if _, away := s.goneSince(s.Turn()); away {
		return []Fact{Ended{Winner: s.Turn().Opponent(), Reason: ByAbandonment}}
	}
	return nil
}

// outage credits downtime to the running turn: that part of it which lies in
// the turn and was not credited before.
func (s *State) outage(o Credit, at Instant) []Fact {
	if s.Phase != Playing {
		return nil
	}
	to := min(o.To, at)
	span := Millis(to - max(o.From, s.Since, s.settled))
	if span <= 0 {
		return nil
	}
	return []Fact{Credited{Color: s.Turn(), Span: span, Until: to}}
}
