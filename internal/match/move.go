package match

import "gomokud/internal/rules"

// stone decides a move to a point.
func (s *State) stone(me rules.Color, act Place, at Instant, c Command) ([]Fact, error) {
	if err := s.mayMove(me, act.Ply); err != nil {
		return nil, err
	}
	switch {
	case !s.Game.Size.Contains(act.Point):
		return nil, ErrOffBoard
	case s.Board().At(act.Point) != rules.Empty:
		return nil, ErrOccupied
	}
	var foul rules.Foul
	if s.Game.Rule == rules.Renju && me == rules.Black {
		foul = rules.Forbidden(s.Board(), act.Point)
	}
	if foul != rules.NoFoul && s.Game.Forbidden == Refused {
		return nil, ForbiddenError{Foul: foul}
	}
	clock, ok := s.charge(me, at, c.Lag)
	if !ok {
		return nil, ErrTimeOver
	}
	facts := []Fact{Placed{Point: act.Point, Clock: clock, Failure: c.Failure}}
	if foul != rules.NoFoul {
		return append(facts, Ended{Winner: me.Opponent(), Reason: ByFoul, Foul: foul}), nil
	}
	if end, over := s.outcome(me, act.Point); over {
		facts = append(facts, end)
	}
	return facts, nil
}

// outcome is how the game ends with a stone on the point, if it does. The
// stone is off the board again when it returns.
func (s *State) outcome(me rules.Color, p rules.Point) (Ended, bool) {
	b := s.Board()
	b.Place(p, me)
	defer b.Remove(p)
	switch {
	case s.Game.Rule.Wins(b, p):
		return Ended{Winner: me, Reason: ByFive, Row: s.Game.Rule.AppendRow(nil, b, p)}, true
	case b.Full():
		return Ended{Reason: ByFullBoard}, true
	}
	return Ended{}, false
}

// pass decides a pass.
func (s *State) pass(me rules.Color, act Pass, at Instant, lag Millis) ([]Fact, error) {
	if s.Game.Rule != rules.Renju {
		return nil, ErrNoPass
	}
	if err := s.mayMove(me, act.Ply); err != nil {
		return nil, err
	}
	clock, ok := s.charge(me, at, lag)
	if !ok {
		return nil, ErrTimeOver
	}
	facts := []Fact{Passed{Clock: clock}}
	if n := len(s.Moves); n > 0 && s.Moves[n-1].Pass {
		facts = append(facts, Ended{Reason: ByPasses})
	}
	return facts, nil
}

func (s *State) mayMove(me rules.Color, ply int) error {
	switch {
	case me != s.Turn():
		return ErrNotYourTurn
	case ply != len(s.Moves):
		return ErrStale
	}
	return nil
}

// charge is the mover's clock after the move, or false if its flag has fallen.
func (s *State) charge(me rules.Color, at Instant, lag Millis) (Clock, bool) {
	clock := s.Seats.Of(me).Clock
	if !s.ClockRuns() {
		return clock, true
	}
	return s.Game.Clock.Spend(clock, s.spent(at, lag))
}
