package match

import "gomokud/internal/rules"

// Create opens a room with its host, the command's player, on the seat of the
// colour host and, where the opponent is known already, begins the game.
func Create(c Command, g Game, l Limits, host rules.Color, opponent *Player, at Instant) ([]Event, error) {
	if err := g.Normalize(); err != nil {
		return nil, err
	}
	facts := []Fact{
		Created{Game: g, Host: c.By.ID, Limits: l},
		Seated{Color: host, Player: c.By},
	}
	if opponent != nil {
		if opponent.ID == c.By.ID {
			return nil, ErrAlreadySeated
		}
		players := ByColor[Player]{}
		*players.Of(host), *players.Of(host.Opponent()) = c.By, *opponent
		facts = append(facts,
			Seated{Color: host.Opponent(), Player: *opponent},
			Started{Number: 1, Black: players.Black.ID, White: players.White.ID})
	}
	return events(at, c.stamp(), facts), nil
}

// Decide answers what follows from a command, without changing the state. It
// returns no events and no error when nothing is to be done (a Tick too early,
// say), Repeated when the command was granted before, and otherwise events or
// the reason for a refusal. Times never go backwards: an earlier one than the
// state's last counts as that.
func Decide(s *State, c Command, at Instant) ([]Event, error) {
	at = max(at, s.At)
	cmd := c.stamp()
	if cmd != nil {
		if err := s.again(*cmd); err != nil {
			return nil, err
		}
	}
	facts, err := decide(s, c, at)
	if err != nil {
		return nil, err
	}
	return events(at, cmd, facts), nil
}

// events dresses facts; the command's stamp goes on the last one, so that a
// command is only remembered with all that it led to.
func events(at Instant, cmd *Stamp, facts []Fact) []Event {
	list := make([]Event, len(facts))
	for i, f := range facts {
		list[i] = Event{At: at, Fact: f}
	}
	if len(list) > 0 {
		list[len(list)-1].Cmd = cmd
	}
	return list
}

// again recognises a command that was granted before.
func (s *State) again(cmd Stamp) error {
	color := s.SeatOf(cmd.By)
	if color == rules.Empty {
		return nil
	}
	seen, key := s.Seats.Of(color).seen, fnv1a(cmd.ID)
	for i := range seen {
		old := &seen[i]
		if old.key != key || old.id != cmd.ID {
			continue
		}
		if old.sum != cmd.Sum {
			return ErrReusedID
		}
		return Repeated{Version: old.version}
	}
	return nil
}

func decide(s *State, c Command, at Instant) ([]Fact, error) {
	switch act := c.Act.(type) {
	case Tick:
		return s.tick(at), nil
	case Depart:
		return s.presence(act.Color, Away(act)), nil
	case Return:
		return s.presence(act.Color, Back(act)), nil
	case Credit:
		return s.outage(act, at), nil
	case Sit:
		return s.sit(c.By)
	}

	me := s.SeatOf(c.By.ID)
	if me == rules.Empty {
		return nil, ErrNotSeated
	}
	if c.Version > 0 && c.Version < s.changed(c.Act) {
		return nil, ErrStale
	}
	switch act := c.Act.(type) {
	case Abort:
		return s.abort()
	case Offer:
		return s.propose(me, act.What)
	case Accept:
		if slot := s.Offers.of(act.What); slot == nil || *slot != me.Opponent() {
			return nil, ErrNoOffer
		}
		return s.grant(me.Opponent(), act.What)
	case Decline:
		if slot := s.Offers.of(act.What); slot == nil || *slot == rules.Empty {
			return nil, ErrNoOffer
		}
		return []Fact{Declined{What: act.What, Color: me}}, nil
	}

	if s.Phase != Playing {
		return nil, ErrNotPlaying
	}
	switch act := c.Act.(type) {
	case Place:
		return s.stone(me, act, at, c)
	case Pass:
		return s.pass(me, act, at, c.Lag)
	case Resign:
		return []Fact{Ended{Winner: me.Opponent(), Reason: ByResignation}}, nil
	case Claim:
		return s.claim(me, at)
	}
	panic("match: unknown action " + c.Act.name())
}

func (s *State) sit(p Player) ([]Fact, error) {
	switch {
	case p.ID == "":
		return nil, ErrNotSeated // nobody cannot sit
	case s.SeatOf(p.ID) != rules.Empty:
		return nil, ErrAlreadySeated
	case s.Phase != Open:
		return nil, ErrSeatTaken
	}
	free, players := rules.Black, ByColor[Player]{Black: p, White: s.Seats.White.Player}
	if s.Seats.Black.ID != "" {
		free, players = rules.White, ByColor[Player]{Black: s.Seats.Black.Player, White: p}
	}
	return []Fact{
		Seated{Color: free, Player: p},
		Started{Number: 1, Black: players.Black.ID, White: players.White.ID},
	}, nil
}

func (s *State) abort() ([]Fact, error) {
	switch {
	case s.Phase == Over:
		return nil, ErrNotPlaying
	case len(s.Moves) > 1:
		return nil, ErrTooLate
	}
	return []Fact{Ended{Reason: Aborted}}, nil
}

// claim ends the game against an opponent who keeps one waiting by being gone.
// If they never made a move there was no game.
func (s *State) claim(me rules.Color, at Instant) ([]Fact, error) {
	since, away := s.goneSince(me.Opponent())
	switch {
	case me == s.Turn(), !away, at < since+Instant(s.Limits.ClaimAfter):
		return nil, ErrNotAway
	case len(s.Moves) < 2:
		return []Fact{Ended{Reason: Aborted}}, nil
	}
	return []Fact{Ended{Winner: me, Reason: ByAbandonment}}, nil
}

// changed is the version at which that was last changed on which an action
// rests: the board for a move, an offer for the answer to it, and the beginning
// of the game for everything else.
func (s *State) changed(a Action) int {
	switch act := a.(type) {
	case Place, Pass:
		return s.Position
	case Accept:
		if at := s.offered.of(act.What); at != nil {
			return max(s.begun, *at)
		}
	}
	return s.begun
}

// presence notes that a seat was left or taken up again, if that is news and
// anybody waits for its move.
func (s *State) presence(c rules.Color, news Fact) []Fact {
	if s.Phase != Playing {
		return nil
	}
	_, leaving := news.(Away)
	seat := s.Seats.Of(c)
	if seat.Bot != "" || leaving == (seat.Away > 0) {
		return nil
	}
	return []Fact{news}
}
