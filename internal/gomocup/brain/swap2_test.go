package brain

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/gomocup"
	"gomokud/internal/rules"
)

// TestOpenings: on every board there are openings, legal and not all the same.
func TestOpenings(t *testing.T) {
	for w := rules.MinSide; w <= rules.MaxSide; w++ {
		for h := rules.MinSide; h <= rules.MaxSide; h++ {
			size := rules.Size{Width: w, Height: h}
			found := openings(size)
			if len(found) < choices {
				t.Fatalf("%v: %d openings", size, len(found))
			}
			different := map[string]bool{}
			for _, stones := range found {
				different[fmt.Sprint(stones)] = true
				board := rules.NewBoard(size)
				for i, p := range stones {
					board.Place(p, []rules.Color{rules.Black, rules.White, rules.Black}[i]) // or panics
				}
				if board.Stones() != 3 {
					t.Fatalf("%v: %v", size, stones)
				}
			}
			if len(different) < choices {
				t.Errorf("%v: only %d are different", size, len(different))
			}
		}
	}
}

// TestProposal: three stones are put, which the engine thinks level.
func TestProposal(t *testing.T) {
	looked := 0
	best := 1 << 30
	scores := map[string]int{}
	m := talkTo(t, config(engine(func(_ context.Context, p ai.Position, _ ai.Budget) (ai.Thought, error) {
		if len(p.Stones) < 3 {
			return ai.Thought{Move: p.Size.Center()}, nil // for warming up
		}
		looked++
		score := 900 - 150*looked
		best = min(best, abs(score))
		var text []string
		for _, s := range p.Stones {
			text = append(text, gomocup.FormatPoint(p.Size, s.Point))
		}
		scores[strings.Join(text, " ")] = score
		return ai.Thought{Move: rules.Point{}, Score: score}, nil
	})))
	m.ask("START 15")
	got := m.ask("INFO timeout_turn 60000", "SWAP2BOARD", "DONE")
	if score, ok := scores[got]; !ok || abs(score) != best || looked != choices {
		t.Errorf("%q has %d of %v", got, score, scores)
	}
	if got := m.ask("BEGIN"); got != "7,7" {
		t.Errorf("then BEGIN: %q", got)
	}
	m.end()
}

// TestChoice: the engine's opinion of White's prospects decides.
func TestChoice(t *testing.T) {
	three := []string{"7,7", "8,7", "9,9"}
	five := append(three[:3:3], "5,5", "4,4")
	expected := []rules.Point{{X: 2, Y: 14}, {X: 3, Y: 14}} // 2,0 and 3,0
	for _, c := range []struct {
		name        string
		thought     ai.Thought
		three, five string
	}{
		{"White is better off", ai.Thought{Score: 200}, "2,0", "2,0"},
		{"Black is better off", ai.Thought{Score: -200}, "SWAP", "SWAP"},
		{"White wins", ai.Thought{Mate: 9, Score: -200}, "2,0", "2,0"},
		{"Black wins", ai.Thought{Mate: -8, Score: 200}, "SWAP", "SWAP"},
		{"nobody, perhaps White", ai.Thought{Score: 10}, "2,0 3,0", "2,0"},
		{"nobody, perhaps Black", ai.Thought{Score: -10}, "2,0 3,0", "SWAP"},
		{"nobody, and nothing is expected", ai.Thought{Line: expected[:1]}, "2,0 6,0", "2,0"},
		{"nobody, and nonsense is expected", ai.Thought{Line: []rules.Point{expected[0], expected[0]}}, "2,0 6,0", "2,0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := talkTo(t, config(engine(func(_ context.Context, p ai.Position, _ ai.Budget) (ai.Thought, error) {
				if len(p.Stones)%2 == 0 { // the answer to White's move
					return ai.Thought{Move: rules.Point{X: 6, Y: 14}}, nil
				}
				answer := c.thought
				answer.Move = expected[0]
				if answer.Line == nil {
					answer.Line = expected
				}
				if p.ToMove != rules.White || p.Stones[0].Color != rules.Black {
					t.Errorf("it is asked about %+v", p)
				}
				return answer, nil
			})))
			m.ask("START 15")
			ask := func(stones []string) string {
				return m.ask(append(append([]string{"SWAP2BOARD"}, stones...), "DONE")...)
			}
			if got := ask(three); got != c.three {
				t.Errorf("three stones: %q, want %q", got, c.three)
			}
			if got := ask(five); got != c.five {
				t.Errorf("five stones: %q, want %q", got, c.five)
			}
			m.end()
		})
	}
}

// TestChoiceOnTime: all that is thought of a choice is one turn.
func TestChoiceOnTime(t *testing.T) {
	for _, body := range [][]string{nil, {"7,7", "8,7", "9,9"}, {"7,7", "8,7", "9,9", "5,5", "4,4"}} {
		for _, limit := range []time.Duration{0, 20 * time.Millisecond, time.Second, time.Minute} {
			t.Run(fmt.Sprintf("%d/%v", len(body), limit), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := talkTo(t, config(engine(thorough)))
					m.ask("START 15")
					m.say(fmt.Sprint("INFO timeout_turn ", limit.Milliseconds()))
					began := time.Now()
					m.ask(append(append([]string{"SWAP2BOARD"}, body...), "DONE")...)
					if took := time.Since(began); took > max(limit, tolerance) {
						t.Errorf("it took %v", took)
					}
					m.end()
				})
			})
		}
	}
}

// TestChoiceOnABusyMachine: an engine that comes back late, or not at all, makes
// the answer no later than that to any other command.
func TestChoiceOnABusyMachine(t *testing.T) {
	for _, late := range []time.Duration{5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 45 * time.Millisecond, 90 * time.Millisecond, 400 * time.Millisecond, time.Hour} {
		for _, body := range [][]string{nil, {"7,7", "8,7", "9,9"}, {"7,7", "8,7", "9,9", "5,5", "4,4"}} {
			for _, limit := range []time.Duration{0, 20, 100, 150, 500, 1000, 5000} {
				t.Run(fmt.Sprintf("%v/%d/%dms", late, len(body), limit), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						m := talkTo(t, config(engine(func(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
							<-ctx.Done()
							time.Sleep(late)
							return first(ctx, p, b)
						})))
						m.ask("START 15")
						homecoming()
						m.say(fmt.Sprint("INFO timeout_turn ", int(limit)))
						began := time.Now()
						m.ask(append(append([]string{"SWAP2BOARD"}, body...), "DONE")...)
						if took := time.Since(began); took > max(limit*time.Millisecond, tolerance)+tolerance {
							t.Errorf("it took %v", took)
						}
						m.end()
						homecoming()
					})
				})
			}
		}
	}
}

// TestBadChoices are refused.
func TestBadChoices(t *testing.T) {
	m := talkTo(t, config(engine(first)))
	m.ask("START 15")
	for _, c := range []struct{ body, want string }{
		{"7,7 DONE", "ERROR SWAP2BOARD: there must be 0, 3 or 5 stones"},
		{"7,7 8,8 7,7 DONE", `ERROR "7,7": there is a stone already`},
		{"7,7 8,8 99,7 DONE", `ERROR "99,7": not a point of the board`},
		{"7,7 8,8 9,9 1,1 DONE", "ERROR SWAP2BOARD: there must be 0, 3 or 5 stones"},
		{"7,7 8,8 RESTART", "ERROR SWAP2BOARD: its end, DONE, does not come"},
	} {
		m.say("SWAP2BOARD")
		if got := m.ask(strings.Fields(c.body)...); got != c.want {
			t.Errorf("%s: %q, want %q", c.body, got, c.want)
		}
	}
	if got := m.hear(); got != "OK" {
		t.Errorf("RESTART: %q", got)
	}
	m.end()
}
