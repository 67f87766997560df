package match

import "gomokud/internal/rules"

// propose makes an offer, or grants the same one if the other side has made it.
func (s *State) propose(me rules.Color, w What) ([]Fact, error) {
	slot := s.Offers.of(w)
	if slot == nil {
		return nil, ErrNoOffer
	}
	if *slot == me.Opponent() {
		if w == Takeback {
			return nil, ErrTooSoon // each wants its own move back: that is no agreement
		}
		return s.grant(me.Opponent(), w)
	}
	if err := s.mayOffer(me, w); err != nil {
		return nil, err
	}
	if bot := s.Seats.Of(me.Opponent()); bot.Bot != "" {
		if w == Draw { // bots play on
			return []Fact{Offered{What: w, Color: me}, Declined{What: w, Color: me.Opponent()}}, nil
		}
		return s.grant(me, w)
	}
	return []Fact{Offered{What: w, Color: me}}, nil
}

func (s *State) mayOffer(me rules.Color, w What) error {
	switch {
	case w == Rematch && (s.Phase != Over || s.Number == 0), w != Rematch && s.Phase != Playing:
		return ErrNotPlaying
	case w == Rematch && s.Number >= MaxGames:
		return ErrTooManyGames
	case w == Takeback && (s.takebackPlies(me) == 0 || s.takebacks >= maxTakebacks):
		return ErrTooLate
	}
	asked := s.asked.Of(me).of(w)
	if w == Rematch && asked.times < maxRematchOffers {
		return nil
	}
	if asked.times > 0 && asked.ply == len(s.Moves) {
		return ErrTooSoon // once in a position is a question, twice is nagging
	}
	return nil
}

// Bounds that keep a log from growing without end.
const (
	maxTakebacks     = 100 // in one game
	maxRematchOffers = 5   // of one side after one game
)

// grant is what follows when an offer is accepted; by is who made it.
func (s *State) grant(by rules.Color, w What) ([]Fact, error) {
	switch w {
	case Draw:
		return []Fact{Ended{Reason: ByAgreement}}, nil
	case Takeback:
		plies := s.takebackPlies(by)
		if plies == 0 {
			return nil, ErrTooLate
		}
		return []Fact{TakenBack{Plies: plies}}, nil
	}
	if s.Number >= MaxGames {
		return nil, ErrTooManyGames
	}
	return []Fact{Started{Number: s.Number + 1, Black: s.Seats.White.ID, White: s.Seats.Black.ID}}, nil
}

// takebackPlies is how many plies vanish so that the side's own last move is
// undone and it is on turn: one if the other side has not answered yet, else
// two; none if it has not moved.
func (s *State) takebackPlies(me rules.Color) int {
	plies := 1
	if s.Turn() == me {
		plies = 2
	}
	if s.Phase != Playing || plies > len(s.Moves) {
		return 0
	}
	return plies
}
