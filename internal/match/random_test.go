package match_test

import (
	"fmt"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// dice is where random commands come from: a property's draws or a fuzzer's bytes.
type dice interface {
	// n is a number from 0 up to, not including, the given one.
	n(int) int
}

func pick[T any](d dice, from ...T) T { return from[d.n(len(from))] }

var (
	ann   = match.Player{ID: "ann", Name: "Ann"}
	bob   = match.Player{ID: "bob", Name: "Bob"}
	eve   = match.Player{ID: "eve", Name: "Eve"} // has no seat unless she comes before bob
	robot = match.Player{ID: "robot", Name: "Robot", Bot: "seven-step"}
)

// randomRoom is a small room, so that games in it come to an end.
func randomRoom(d dice) ([]match.Event, error) {
	g := match.Game{
		Rule:      pick(d, rules.Freestyle, rules.Standard, rules.Caro, rules.Renju),
		Size:      pick(d, rules.Size{Width: 5, Height: 5}, rules.Size{Width: 7, Height: 6}),
		Clock:     pick(d, match.TimeControl{}, suddenDeath, fischer, byoYomi, perMove),
		Forbidden: pick(d, match.Loses, match.Refused),
	}
	opponent := pick(d, nil, &bob, &robot)
	c := match.Command{ID: "new", By: ann, Act: match.New{Game: g}}
	return match.Create(c, g, match.DefaultLimits(), randomSide(d), opponent, dawn)
}

func randomSide(d dice) rules.Color { return pick(d, rules.Black, rules.White) }

// randomTime is near the state's last event, or near what would happen next, or
// before everything.
func randomTime(d dice, s *match.State) match.Instant {
	switch d.n(16) {
	case 0:
		return s.At - match.Instant(d.n(5000))
	case 1:
		return dawn - 1
	case 2, 3:
		return s.At
	case 4:
		return s.Wake() + match.Instant(d.n(5)-2)
	case 5:
		return s.At + match.Instant(match.Minute)
	}
	return s.At + match.Instant(d.n(6000))
}

// randomCommand is a move of the side on turn about every other time, and
// otherwise anything from anybody.
func randomCommand(d dice, s *match.State, serial int) match.Command {
	c := match.Command{
		ID:  fmt.Sprintf("c%d", serial),
		By:  pick(d, s.Seats.Black.Player, s.Seats.White.Player, ann, bob, eve),
		Lag: match.Millis(d.n(800) - 100),
	}
	switch d.n(16) {
	case 0:
		c.ID = "" // as bots may do it
	case 1:
		c.ID = fmt.Sprintf("c%d", d.n(serial+1)) // an id used before, as likely as not for something else
	}
	if turn := s.Turn(); turn != rules.Empty && d.n(2) == 0 {
		c.By = s.Seats.Of(turn).Player
		c.Act = match.Place{Ply: len(s.Moves), Point: randomPoint(d, s)}
		return c
	}
	c.Act = randomAction(d, s)
	switch c.Act.(type) {
	case match.Tick, match.Depart, match.Return, match.Credit:
		c.ID, c.By = "", match.Player{}
	}
	return c
}

func randomAction(d dice, s *match.State) match.Action {
	what := func() match.What { return pick(d, match.Draw, match.Takeback, match.Rematch, "chess", "") }
	switch d.n(18) {
	case 0, 1:
		return match.Sit{}
	case 2:
		return match.Place{Ply: len(s.Moves) + d.n(3) - 1, Point: randomPoint(d, s)}
	case 3, 4:
		return match.Pass{Ply: len(s.Moves) + d.n(5)/4}
	case 5:
		return match.Resign{}
	case 6, 7, 8:
		return match.Offer{What: what()}
	case 9, 10:
		return match.Accept{What: what()}
	case 11:
		return match.Decline{What: what()}
	case 12:
		return match.Abort{}
	case 13:
		return match.Claim{}
	case 14:
		return match.Depart{Color: randomSide(d)}
	case 15:
		return match.Return{Color: randomSide(d)}
	case 16:
		return match.Credit{From: s.At + match.Instant(d.n(9000)-8000), To: s.At + match.Instant(d.n(9000)-4000)}
	}
	return match.Tick{}
}

// randomPoint is on the board and most often free.
func randomPoint(d dice, s *match.State) rules.Point {
	size := s.Game.Size
	if d.n(12) == 0 {
		return rules.Point{X: int8(d.n(256) - 128), Y: int8(d.n(256) - 128)}
	}
	start := d.n(size.Points())
	for i := range size.Points() {
		i = (start + i) % size.Points()
		p := rules.Point{X: int8(i % size.Width), Y: int8(i / size.Width)}
		if s.Board().At(p) == rules.Empty {
			return p
		}
	}
	return rules.Point{}
}

// numbers are dice thrown beforehand: a fuzzer's bytes, two for each throw that
// may be large. When they are used up it is always 0.
type numbers struct{ data []byte }

func (b *numbers) n(n int) int {
	value := b.next()
	if n > 256 {
		value = value<<8 | b.next()
	}
	return value % n
}

func (b *numbers) next() int {
	if len(b.data) == 0 {
		return 0
	}
	first := b.data[0]
	b.data = b.data[1:]
	return int(first)
}
