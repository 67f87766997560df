package match

import (
	"fmt"

	"gomokud/internal/rules"
)

// Apply folds one event into the state. An error means that the log does not
// come from Decide; the state is then of no more use.
func (s *State) Apply(e Event) error {
	if _, first := e.Fact.(Created); first != (s.Version == 0) {
		return fmt.Errorf("apply event %d: a log begins with %q, and only it does", s.Version, Created{}.kind())
	}
	s.Version++
	s.At = max(s.At, e.At)
	if err := s.apply(e); err != nil {
		return fmt.Errorf("apply event %d (%s): %w", s.Version, e.Fact.kind(), err)
	}
	if e.Cmd != nil {
		s.remember(*e.Cmd)
	}
	return nil
}

func (s *State) apply(e Event) error {
	switch f := e.Fact.(type) {
	case Created:
		s.Host, s.Game, s.Limits, s.Phase, s.opened = f.Host, f.Game, f.Limits, Open, e.At
		return s.Game.Normalize()
	case Seated:
		return s.seat(f)
	case Started:
		return s.start(f, e.At)
	case Placed:
		return s.place(f, e.At)
	case Passed:
		return s.turn(Move{Pass: true}, f.Clock, e.At)
	case Offered:
		return s.offer(f.What, f.Color, f.Color)
	case Declined:
		return s.offer(f.What, f.Color, rules.Empty)
	case TakenBack:
		return s.takeBack(f.Plies, e.At)
	case Away:
		return s.connected(f.Color, e.At)
	case Back:
		return s.connected(f.Color, 0)
	case Credited:
		s.credit(f)
	case Ended:
		return s.end(f, e.At)
	default:
		return fmt.Errorf("unknown fact %T", f)
	}
	return nil
}

// side guards against colours that are none, which a damaged log may hold.
func (s *State) side(c rules.Color) (*Seat, error) {
	if c != rules.Black && c != rules.White {
		return nil, fmt.Errorf("%q is no side", c)
	}
	return s.Seats.Of(c), nil
}

func (s *State) seat(f Seated) error {
	seat, err := s.side(f.Color)
	if err != nil {
		return err
	}
	if s.Phase != Open || seat.ID != "" || f.Player.ID == "" {
		return fmt.Errorf("the %s seat is not to be taken by %q", f.Color, f.Player.ID)
	}
	seat.Player = f.Player
	return nil
}

func (s *State) start(f Started, at Instant) error {
	if s.Phase == Playing || f.Number != s.Number+1 {
		return fmt.Errorf("game %d does not follow game %d, %s", f.Number, s.Number, s.Phase)
	}
	if s.Seats.Black.ID != f.Black {
		s.Seats.Swap()
	}
	black, white := s.Seats.Black.ID, s.Seats.White.ID
	if black != f.Black || white != f.White || black == "" || white == "" || black == white {
		return fmt.Errorf("%q and %q do not sit here", f.Black, f.White)
	}
	if s.Number > 0 {
		s.Past = append(s.Past, s.Record)
	}
	s.Record = Record{Number: f.Number, Black: s.Seats.Black.Player, White: s.Seats.White.Player, Started: at}
	s.board = nil
	s.Phase, s.Offers = Playing, Offers{}
	s.asked, s.begun, s.takebacks = ByColor[ByWhat[asked]]{}, s.Version, 0
	for _, c := range []rules.Color{rules.Black, rules.White} {
		seat := s.Seats.Of(c)
		seat.Clock, seat.Away = s.Game.Clock.Start(), 0
	}
	s.newTurn(at)
	return nil
}

func (s *State) place(f Placed, at Instant) error {
	if s.Phase != Playing {
		return ErrNotPlaying
	}
	if !s.Game.Size.Contains(f.Point) || s.Board().At(f.Point) != rules.Empty {
		return fmt.Errorf("no stone fits on %s", f.Point)
	}
	s.Board().Place(f.Point, s.Turn())
	if f.Failure != "" {
		s.StandIns = append(s.StandIns, StandIn{Ply: len(s.Moves), Failure: f.Failure})
	}
	return s.turn(Move{Point: f.Point}, f.Clock, at)
}

// turn records a move and hands the turn over.
func (s *State) turn(m Move, left Clock, at Instant) error {
	mover := s.Turn()
	if mover == rules.Empty {
		return ErrNotPlaying
	}
	s.Seats.Of(mover).Clock = left
	s.Moves = append(s.Moves, m)
	s.Times = append(s.Times, at)
	// An offer stands until its receiver moves on; a wish to take back is
	// forgotten as soon as anybody does.
	s.Offers.Takeback = rules.Empty
	if s.Offers.Draw == mover.Opponent() {
		s.Offers.Draw = rules.Empty
	}
	s.newTurn(at)
	return nil
}

// charged takes what the running turn has cost off the clock, when it ends
// without a move.
func (s *State) charged(at Instant) {
	if s.ClockRuns() {
		turn := s.Turn()
		s.Seats.Of(turn).Clock = s.ClockOf(turn, at)
	}
}

func (s *State) newTurn(at Instant) {
	s.Since, s.credited = at, 0
	s.Position = s.Version
}

func (s *State) offer(w What, by, open rules.Color) error {
	slot := s.Offers.of(w)
	if slot == nil {
		return fmt.Errorf("nobody can offer %q", w)
	}
	if _, err := s.side(by); err != nil {
		return err
	}
	*slot = open
	if open != rules.Empty && s.Number > 0 {
		asked := s.asked.Of(by).of(w)
		asked.times++
		asked.ply = len(s.Moves)
		*s.offered.of(w) = s.Version
	}
	return nil
}

func (s *State) takeBack(plies int, at Instant) error {
	if s.Phase != Playing || plies < 1 || plies > len(s.Moves) {
		return fmt.Errorf("%d of %d plies cannot be taken back", plies, len(s.Moves))
	}
	s.charged(at) // or a bot, which grants everything, would be a source of time
	keep := len(s.Moves) - plies
	s.Moves, s.Times, s.board = s.Moves[:keep], s.Times[:keep], nil
	for n := len(s.StandIns); n > 0 && s.StandIns[n-1].Ply >= keep; n-- {
		s.StandIns = s.StandIns[:n-1]
	}
	s.Offers.Takeback, s.Offers.Draw = rules.Empty, rules.Empty
	s.asked = ByColor[ByWhat[asked]]{}
	s.takebacks++
	s.newTurn(at)
	return nil
}

func (s *State) connected(c rules.Color, away Instant) error {
	seat, err := s.side(c)
	if err != nil {
		return err
	}
	seat.Away = away
	return nil
}

func (s *State) credit(f Credited) {
	s.credited += f.Span
	s.settled = f.Until
	for _, c := range []rules.Color{rules.Black, rules.White} {
		if seat := s.Seats.Of(c); seat.Away > 0 && seat.Away < f.Until {
			seat.Away = min(seat.Away+Instant(f.Span), f.Until) // nobody could have come back meanwhile
		}
	}
}

func (s *State) end(f Ended, at Instant) error {
	if s.Phase == Over {
		return fmt.Errorf("the game is over already")
	}
	s.charged(at)
	s.Phase, s.Ended, s.Result, s.Offers = Over, at, f, Offers{}
	s.Seats.Black.Away, s.Seats.White.Away = 0, 0 // nobody is waited for any more
	switch {
	case f.Winner != rules.Empty:
		winner, err := s.side(f.Winner)
		if err != nil {
			return err
		}
		winner.Points += 2
	case f.Reason == ByAgreement || f.Reason == ByPasses || f.Reason == ByFullBoard:
		s.Seats.Black.Points++
		s.Seats.White.Points++
	}
	return nil
}

// remember keeps the latest commands of whoever has a seat.
func (s *State) remember(cmd Stamp) {
	color := s.SeatOf(cmd.By)
	if color == rules.Empty {
		return
	}
	seat := s.Seats.Of(color)
	now := seen{id: cmd.ID, key: fnv1a(cmd.ID), sum: cmd.Sum, version: s.Version}
	if len(seat.seen) < remembered {
		seat.seen = append(seat.seen, now)
		return
	}
	seat.seen[seat.reused] = now
	seat.reused = (seat.reused + 1) % remembered
}
