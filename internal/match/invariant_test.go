package match_test

import (
	"slices"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// book notes a fact in the trial's own books.
func (tr *trial) book(f match.Fact) {
	tr.t.Helper()
	switch f := f.(type) {
	case match.Started:
		tr.moves, tr.ended = nil, false
	case match.Placed:
		tr.moves = append(tr.moves, match.Move{Point: f.Point})
	case match.Passed:
		tr.moves = append(tr.moves, match.Move{Pass: true})
	case match.TakenBack:
		tr.moves = tr.moves[:len(tr.moves)-f.Plies]
	case match.Ended:
		if tr.ended {
			tr.t.Fatalf("the game ended twice")
		}
		tr.ended = true
		for _, p := range f.Row {
			if tr.state.Board().At(p) != f.Winner {
				tr.t.Fatalf("%s is in the winning row without being %s", p, f.Winner)
			}
		}
	}
}

// checkTime: times never go backwards; clocks are never negative and gain
// nothing but the increment of a move; nobody is gone for longer by an outage.
func (tr *trial) checkTime(e match.Event, before match.ByColor[match.Clock], gone match.ByColor[match.Instant], mover rules.Color) {
	tr.t.Helper()
	s := tr.state
	if s.At != e.At || s.Version != len(tr.log) {
		tr.t.Fatalf("version %d at %d after %d events, the last at %d", s.Version, s.At, len(tr.log), e.At)
	}
	if !slices.IsSorted(s.Times) {
		tr.t.Fatalf("the moves' times go backwards: %d", s.Times)
	}
	for _, c := range []rules.Color{rules.Black, rules.White} {
		had, has := *before.Of(c), s.Seats.Of(c).Clock
		switch e.Fact.(type) {
		case match.Started:
			had = s.Game.Clock.Start()
		case match.Placed, match.Passed:
			if c == mover {
				had.Main += s.Game.Clock.Increment
			}
		}
		if has.Main < 0 || has.Periods < 0 || has.Main > had.Main || has.Periods > had.Periods {
			tr.t.Fatalf("%T leaves %s with %+v of %+v", e.Fact, c, has, had)
		}
		_, credited := e.Fact.(match.Credited)
		if away := s.Seats.Of(c).Away; away > s.At || credited && away < *gone.Of(c) {
			tr.t.Fatalf("%s is away since %d, was since %d, and it is %d", c, away, *gone.Of(c), s.At)
		}
	}
}

// checkBoard: the board holds the moves that were made and not taken back.
func (tr *trial) checkBoard() {
	tr.t.Helper()
	s := tr.state
	if !slices.Equal(s.Moves, tr.moves) || len(s.Times) != len(s.Moves) {
		tr.t.Fatalf("moves are %+v at %d, want %+v", s.Moves, s.Times, tr.moves)
	}
	stones := 0
	for p, c := range s.Stones {
		if stones++; s.Board().At(p) != c {
			tr.t.Fatalf("%s holds %s, want %s", p, s.Board().At(p), c)
		}
	}
	if got := s.Board().Stones(); got != stones {
		tr.t.Fatalf("%d stones lie on the board, want %d", got, stones)
	}
	if s.Version%3 == 0 {
		s.Rest() // makes no difference
	}
}

// checkTable: two different players, offers only when they can be accepted, and
// no more points given than games played.
func (tr *trial) checkTable() {
	tr.t.Helper()
	s := tr.state
	if s.Seats.Black.ID == s.Seats.White.ID && s.Seats.Black.ID != "" {
		tr.t.Fatalf("%s plays both sides", s.Seats.Black.ID)
	}
	if s.Phase == match.Playing && (s.Seats.Black.ID == "" || s.Seats.White.ID == "") {
		tr.t.Fatalf("somebody plays alone")
	}
	if (s.Phase == match.Over) != tr.ended {
		tr.t.Fatalf("the phase is %s, ended %t", s.Phase, tr.ended)
	}
	if s.Phase != match.Playing && (s.Offers.Draw != rules.Empty || s.Offers.Takeback != rules.Empty) ||
		s.Phase != match.Over && s.Offers.Rematch != rules.Empty {
		tr.t.Fatalf("%s, with the offers %+v", s.Phase, s.Offers)
	}
	if got := s.Seats.Black.Points + s.Seats.White.Points; got%2 != 0 || got > 2*s.Number {
		tr.t.Fatalf("%d half points after %d games", got, s.Number)
	}
}
