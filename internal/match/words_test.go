package match_test

import (
	"fmt"
	"strconv"
	"strings"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// The words of the scripts: commands read, events written.

// create runs "new RULE SIZE black|white", which key=value words may follow:
// clock=5m, clock=5m+3s, clock=1m+3x30s, forbidden=refused, against=PLAYER, id=ID.
func (tab *table) create(by match.Player, words []string) ([]match.Event, error) {
	tab.t.Helper()
	plain, keys := sort(words)
	if len(plain) != 3 {
		tab.t.Fatalf("new takes a rule, a size and a colour, not %q", plain)
	}
	g := match.Game{
		Rule: read[rules.Rule](tab, plain[0]), Size: read[rules.Size](tab, plain[1]),
		Forbidden: match.ForbiddenPolicy(keys["forbidden"]), Clock: tab.control(keys["clock"]),
	}
	var opponent *match.Player
	if who, ok := keys["against"]; ok {
		opponent = new(tab.player(who))
	}
	c := match.Command{ID: keys["id"], By: by, Act: match.New{Game: g, Color: plain[2]}}
	return match.Create(c, g, match.DefaultLimits(), read[rules.Color](tab, plain[2]), opponent, tab.now)
}

// control reads a clock as create describes it.
func (tab *table) control(text string) (tc match.TimeControl) {
	tab.t.Helper()
	if text == "" {
		return tc
	}
	first, rest, _ := strings.Cut(text, "+")
	tc.Main = span(tab.t, first)
	if n, period, ok := strings.Cut(rest, "x"); ok {
		tc.Periods, tc.Period = tab.number(n), span(tab.t, period)
	} else if rest != "" {
		tc.Increment = span(tab.t, rest)
	}
	return tc
}

// command reads any command but new. A move is made in the position as it is
// unless ply= says otherwise.
func command(tab *table, by match.Player, words []string) match.Command {
	tab.t.Helper()
	plain, keys := sort(words)
	c := match.Command{ID: keys["id"], By: by}
	if lag, ok := keys["lag"]; ok {
		c.Lag = span(tab.t, lag)
	}
	ply := len(tab.state.Moves)
	if text, ok := keys["ply"]; ok {
		ply = tab.number(text)
	}
	object := func(i int) string {
		if i >= len(plain) {
			tab.t.Fatalf("%q lacks a word", words)
		}
		return plain[i]
	}
	switch plain[0] {
	case "sit":
		c.Act = match.Sit{}
	case "place":
		c.Act = match.Place{Ply: ply, Point: read[rules.Point](tab, object(1))}
	case "pass":
		c.Act = match.Pass{Ply: ply}
	case "resign":
		c.Act = match.Resign{}
	case "offer":
		c.Act = match.Offer{What: match.What(object(1))}
	case "accept":
		c.Act = match.Accept{What: match.What(object(1))}
	case "decline":
		c.Act = match.Decline{What: match.What(object(1))}
	case "abort":
		c.Act = match.Abort{}
	case "claim":
		c.Act = match.Claim{}
	case "tick":
		c.Act = match.Tick{}
	case "depart":
		c.Act = match.Depart{Color: read[rules.Color](tab, object(1))}
	case "return":
		c.Act = match.Return{Color: read[rules.Color](tab, object(1))}
	case "credit": // from and to, since the script's beginning
		from, to := span(tab.t, object(1)), span(tab.t, object(2))
		c.Act = match.Credit{From: dawn + match.Instant(from), To: dawn + match.Instant(to)}
	default:
		tab.t.Fatalf("there is no command %q", plain[0])
	}
	return c
}

// describe writes an event as a line of a script.
func (tab *table) describe(e match.Event) string {
	text := tab.fact(e.Fact)
	if e.Cmd != nil {
		text += fmt.Sprintf(" (%s's %s)", e.Cmd.By, e.Cmd.ID)
	}
	return text
}

func (tab *table) fact(f match.Fact) string {
	switch f := f.(type) {
	case match.Created:
		return fmt.Sprintf("created by %s: %s %s", f.Host, f.Game.Rule, f.Game.Size)
	case match.Seated:
		return fmt.Sprintf("seated %s as %s", f.Player.ID, f.Color)
	case match.Started:
		return fmt.Sprintf("started game %d: black %s, white %s", f.Number, f.Black, f.White)
	case match.Placed:
		return fmt.Sprintf("placed %s", f.Point) + tab.left(f.Clock)
	case match.Passed:
		return "passed" + tab.left(f.Clock)
	case match.Offered:
		return fmt.Sprintf("offered %s by %s", f.What, f.Color)
	case match.Declined:
		return fmt.Sprintf("declined %s by %s", f.What, f.Color)
	case match.TakenBack:
		return fmt.Sprintf("takenback %d", f.Plies)
	case match.Away:
		return fmt.Sprintf("away %s", f.Color)
	case match.Back:
		return fmt.Sprintf("back %s", f.Color)
	case match.Credited:
		return fmt.Sprintf("credited %s with %s until %s", f.Color, clock(match.Clock{Main: f.Span}), moment(f.Until))
	case match.Ended:
		return ended(f)
	}
	return fmt.Sprintf("%T", f)
}

// left is the mover's clock after a move, in games that have one.
func (tab *table) left(c match.Clock) string {
	if tab.state.Game.Clock.Unlimited() {
		return ""
	}
	return ", clock " + clock(c)
}

func ended(f match.Ended) string {
	text := "ended by " + string(f.Reason)
	if f.Winner != rules.Empty {
		text += fmt.Sprintf(", %s wins", f.Winner)
	}
	for i, p := range f.Row {
		if i == 0 {
			text += ":"
		}
		text += " " + p.String()
	}
	if f.Foul != rules.NoFoul {
		text += ": " + f.Foul.String()
	}
	return text
}

// sort parts key=value words from plain ones.
func sort(words []string) (plain []string, keys map[string]string) {
	keys = map[string]string{}
	for _, w := range words {
		if key, value, ok := strings.Cut(w, "="); ok {
			keys[key] = value
		} else {
			plain = append(plain, w)
		}
	}
	return plain, keys
}

func (tab *table) number(text string) int {
	tab.t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		tab.t.Fatal(err)
	}
	return n
}

// read reads anything that is written as text.
func read[T any, P interface {
	*T
	UnmarshalText([]byte) error
}](tab *table, text string) T {
	tab.t.Helper()
	var value T
	if err := P(&value).UnmarshalText([]byte(text)); err != nil {
		tab.t.Fatal(err)
	}
	return value
}
