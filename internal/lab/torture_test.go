package lab_test

import (
	"context"
	"strings"
	"testing"

	"gomokud/internal/ai"
	"gomokud/internal/lab"
	"gomokud/internal/rules"
)

func TestTortureGoesEverywhere(t *testing.T) {
	torture := lab.Torture{Players: []lab.Player{random("r"), greedy("g")}, Games: 400, Grace: 1 << 40, Jobs: 2}
	boards, rulesSeen, given := map[rules.Size]bool{}, map[rules.Rule]int{}, map[int]bool{}
	oblong := 0
	torture.Watch = func(r lab.Record) {
		boards[r.Size], given[r.Opening] = true, true
		rulesSeen[r.Rule]++
		if r.Size.Width != r.Size.Height {
			oblong++
		}
		if err := lab.Opening(r.Moves[:r.Opening]).Validate(r.Rule, r.Size); err != nil {
			t.Error(err)
		}
	}
	torment, err := torture.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for side := rules.MinSide; side <= rules.MaxSide; side++ {
		if !boards[square(side)] {
			t.Errorf("never on a board of %v", square(side))
		}
	}
	if oblong < 50 || len(rulesSeen) != 4 || len(given) < 20 {
		t.Errorf("%d oblong boards, rules %v, openings of %d lengths", oblong, rulesSeen, len(given))
	}
	if torment.Games != 400 || torment.Faults() != 0 || torment.Overruns() != 0 {
		t.Errorf("%d games, %d faults, %d late", torment.Games, torment.Faults(), torment.Overruns())
	}
}

func TestTortureFindsWhatIsWrong(t *testing.T) {
	// Takes the first empty point, allowed or not, and gives up in the end.
	careless := thinking("careless", func(_ context.Context, p ai.Position, _ ai.Budget) (ai.Thought, error) {
		board := p.Board()
		if board.Stones() > 40 {
			panic("tired")
		}
		for at := range p.Size.All() {
			if board.At(at) == rules.Empty {
				return ai.Thought{Move: at}, nil
			}
		}
		return ai.Thought{}, ai.ErrNoMove
	})
	torment, err := lab.Torture{Players: []lab.Player{careless, random("r")}, Games: 200, Grace: 1 << 40}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, why := range []lab.Reason{lab.Panic, lab.Forbidden} {
		if torment.Players[0].Faults[string(why)] == 0 {
			t.Errorf("no %s was found: %v", why, torment.Players[0].Faults)
		}
	}
	if len(torment.Players[1].Faults) != 0 {
		t.Errorf("faults of the other: %v", torment.Players[1].Faults)
	}
	sum := 0
	for _, n := range torment.Players[0].Faults {
		sum += n
	}
	if sum != torment.Faults() || len(torment.Faulty) != sum {
		t.Errorf("%d faults, %d games, %d in all", sum, len(torment.Faulty), torment.Faults())
	}
	var text strings.Builder
	if err := torment.WriteText(&text); err != nil || !strings.Contains(text.String(), "tired") {
		t.Errorf("%v:\n%s", err, &text)
	}
}
