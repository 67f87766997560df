package lab_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/lab"
	"gomokud/internal/rules"
)

func split(text string) []string { return strings.Fields(text) }

func TestTheRefereeKnowsHowGamesEnd(t *testing.T) {
	for _, tt := range []struct {
		name         string
		rule         rules.Rule
		opening      string
		black, white string // what they play
		result       lab.Result
		reason       lab.Reason
		detail       string
	}{
		{name: "five", black: "a1 b1 c1 d1 e1", white: "a3 b3 c3 d3", result: lab.BlackWon, reason: lab.Five},
		{name: "five by White after an opening", opening: "a1 h1 b1 h2 c1 h3 e5", black: "f9", white: "h4 h5", result: lab.WhiteWon, reason: lab.Five},
		{name: "an overline is a five under freestyle", opening: "a1 a3 b1 b3 c1 c3 e1 e3 f1 f3", black: "d1", result: lab.BlackWon, reason: lab.Five},
		{name: "and nothing under standard", rule: rules.Standard, opening: "a1 a3 b1 b3 c1 c3 e1 e3 f1 f3", black: "d1 g9 f9", white: "h9 d3 k9", result: lab.BlackWon, reason: lab.Illegal, detail: "on k9"},
		{name: "a blocked five is nothing under Caro", rule: rules.Caro, opening: "b1 a1 c1 g1 d1 g3 e1 g4", black: "f1 a1", white: "g9", result: lab.WhiteWon, reason: lab.Illegal, detail: "on a1"},
		{name: "off the board", opening: "a1", white: "j1", result: lab.BlackWon, reason: lab.Illegal, detail: "on j1"},
		{name: "on a stone", opening: "a1", white: "a1", result: lab.BlackWon, reason: lab.Illegal, detail: "on a1"},
		{name: "an overline of Black's under renju", rule: rules.Renju, opening: "a1 a3 b1 b3 c1 c3 e1 h3 f1 h4", black: "d1", result: lab.WhiteWon, reason: lab.Forbidden, detail: "overline on d1"},
		{name: "a double three of Black's under renju", rule: rules.Renju, opening: "d5 a9 f5 h9 e4 a1 e6 h1", black: "e5", result: lab.WhiteWon, reason: lab.Forbidden, detail: "double-three on e5"},
		{name: "an overline of White's under renju", rule: rules.Renju, opening: "a3 a1 b3 b1 c3 c1 h3 e1 h4 f1 h6", white: "d1", result: lab.WhiteWon, reason: lab.Five},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := lab.Game{
				Terms:   lab.Terms{Rule: tt.rule, Size: square(9)},
				Opening: points(t, tt.opening),
				Black:   scripted(t, "b", points(t, tt.black)), White: scripted(t, "w", points(t, tt.white)),
			}
			r, err := g.Play(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if r.Result != tt.result || r.Reason != tt.reason || r.Detail != tt.detail {
				t.Errorf("%v (%s), want %s, %s (%s)", r, r.Detail, tt.result, tt.reason, tt.detail)
			}
			asked := len(split(tt.black)) + len(split(tt.white))
			stones := len(split(tt.opening)) + asked
			if tt.reason.Fault() {
				stones--
			}
			if len(r.Moves) != stones || r.Opening != len(split(tt.opening)) {
				t.Errorf("%d stones are recorded, %d of them given; want %d and %d", len(r.Moves), r.Opening, stones, len(split(tt.opening)))
			}
			if got := r.Work[0].Moves + r.Work[1].Moves; got != asked {
				t.Errorf("%d moves were counted, want %d", got, asked)
			}
			if got := r.Work[0].Nodes + r.Work[1].Nodes; got != int64(10*asked) {
				t.Errorf("%d nodes were counted, want %d", got, 10*asked)
			}
		})
	}
}

func TestAFullBoardIsADraw(t *testing.T) {
	// Rows of XXOOX and OOXXO in turns: nowhere are five of a colour.
	var black, white []rules.Point
	for p := range square(5).All() {
		if (p.X/2+p.Y)%2 == 0 {
			black = append(black, p)
		} else {
			white = append(white, p)
		}
	}
	if len(black) < len(white) {
		black, white = white, black
	}
	if len(black) != 13 || len(white) != 12 {
		t.Fatalf("the drawing has %d and %d stones", len(black), len(white))
	}
	r, err := lab.Game{
		Terms: lab.Terms{Size: square(5)}, Black: scripted(t, "b", black), White: scripted(t, "w", white),
	}.Play(t.Context())
	if err != nil || r.Result != lab.Draw || r.Reason != lab.FullBoard || r.Loser() != "" || len(r.Moves) != 25 {
		t.Errorf("%v, %v", r, err)
	}
}

func TestAFaultCostsTheGame(t *testing.T) {
	for _, tt := range []struct {
		name   string
		engine engine
		reason lab.Reason
		detail string
	}{
		{"an error", func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) {
			return ai.Thought{}, errors.New("out of ideas")
		}, lab.Failure, "out of ideas"},
		{"no move where there are some", func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) {
			return ai.Thought{}, ai.ErrNoMove
		}, lab.Failure, "no legal move"},
		{"a panic", func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) {
			panic("out of bounds")
		}, lab.Panic, "out of bounds"},
		{"the end of its goroutine", func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) {
			runtime.Goexit()
			return ai.Thought{}, nil
		}, lab.Failure, "an end without an answer"},
		{"stones that it moves", func(_ context.Context, p ai.Position, _ ai.Budget) (ai.Thought, error) {
			p.Stones[0].Point = rules.Point{X: 1}
			return ai.Thought{Move: rules.Point{}}, nil
		}, lab.Illegal, "on a1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := lab.Game{
				Terms: lab.Terms{Size: square(9)}, Opening: points(t, "a1"),
				Black: random("b"), White: thinking("w", tt.engine),
			}.Play(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if r.Result != lab.BlackWon || r.Reason != tt.reason || r.Loser() != "w" || !r.Reason.Fault() {
				t.Errorf("%v, want a loss of White's by %s", r, tt.reason)
			}
			if !strings.Contains(r.Detail, tt.detail) {
				t.Errorf("the detail is %q, want %q in it", r.Detail, tt.detail)
			}
		})
	}
}

// TestBlackMayHaveNoMoveLeft: every empty point of this board is forbidden.
func TestBlackMayHaveNoMoveLeft(t *testing.T) {
	board, err := rules.ParseBoard(`
		X X X . X X X
		O O O X O O O
		X X X O X X X
		O O O X O O O
		O X X O X X X
		O O O X O O O
		O X X O X X O`)
	if err != nil {
		t.Fatal(err)
	}
	var sides [2]lab.Opening
	for p := range board.Size().All() {
		switch board.At(p) {
		case rules.Black:
			sides[0] = append(sides[0], p)
		case rules.White:
			sides[1] = append(sides[1], p)
		}
	}
	if len(sides[0]) != len(sides[1]) {
		t.Fatalf("%d black stones and %d white ones", len(sides[0]), len(sides[1]))
	}
	var o lab.Opening
	for i := range sides[0] {
		o = append(o, sides[0][i], sides[1][i])
	}
	r, err := lab.Game{
		Terms: lab.Terms{Rule: rules.Renju, Size: board.Size()}, Opening: o, Black: random("b"), White: random("w"),
	}.Play(t.Context())
	if err != nil || r.Result != lab.WhiteWon || r.Reason != lab.NoMove || r.Reason.Fault() {
		t.Errorf("%v, %v", r, err)
	}
}

func TestTimeIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// Black takes 5, 15, 25 and 35 ms; White heeds the end of its time.
		moves := 0
		black := thinking("b", func(_ context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
			time.Sleep(time.Duration(5+10*moves) * time.Millisecond)
			moves++
			return ai.Thought{Move: rules.Point{X: int8(moves - 1)}, Nodes: 100}, nil
		})
		white := thinking("w", func(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
			if b.Time != 7*time.Millisecond || b.Nodes != 3 || b.Seed != 42 {
				t.Errorf("White's budget is %+v", b)
			}
			<-ctx.Done()
			return ai.Thought{Move: rules.Point{X: int8(moves - 1), Y: 2}}, nil
		})
		white.Budget = ai.Budget{Time: 7 * time.Millisecond, Nodes: 3, Seed: 99}
		r, err := lab.Game{
			Terms:   lab.Terms{Size: square(9), Budget: ai.Budget{Time: 20 * time.Millisecond}},
			Opening: points(t, "e1 e9"), Black: black, White: white, Seed: 42,
		}.Play(t.Context())
		if err != nil || r.Result != lab.BlackWon || r.Reason != lab.Five {
			t.Fatalf("%v, %v", r, err)
		}
		ms := time.Millisecond
		if want := (lab.Work{Moves: 4, Time: 80 * ms, Longest: 35 * ms, Nodes: 400, Overruns: 1, Latest: 15 * ms}); r.Work[0] != want {
			t.Errorf("Black's work is %+v, want %+v", r.Work[0], want)
		}
		if want := (lab.Work{Moves: 3, Time: 21 * ms, Longest: 7 * ms}); r.Work[1] != want {
			t.Errorf("White's work is %+v, want %+v", r.Work[1], want)
		}
		if got := r.Work[0].Mean(); got != 20*ms {
			t.Errorf("Black's mean is %v", got)
		}
		if got := r.Work[0].Speed(); got != 5000 {
			t.Errorf("Black's speed is %v", got)
		}
	})
}

func TestAnEngineThatHangsLoses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		r, err := lab.Game{
			Terms: lab.Terms{Size: square(9), Budget: ai.Budget{Time: time.Second}, Patience: 3 * time.Second},
			White: random("w"), Black: thinking("b", func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) {
				<-free
				return ai.Thought{}, nil
			}),
		}.Play(t.Context())
		if err != nil || r.Result != lab.WhiteWon || r.Reason != lab.Hang {
			t.Errorf("%v, %v", r, err)
		}
		close(free) // the bubble waits for the engine, as the lab did not
	})
}

func TestAGameWithoutALimitHasOneAllTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := lab.Game{
			Terms: lab.Terms{Size: square(9), Budget: ai.Budget{Nodes: 1}},
			White: random("w"), Black: thinking("b", func(ctx context.Context, _ ai.Position, _ ai.Budget) (ai.Thought, error) {
				<-ctx.Done()
				return ai.Thought{}, ctx.Err()
			}),
		}.Play(t.Context())
		if err != nil || r.Reason != lab.Failure || r.Work[0].Time != time.Minute {
			t.Errorf("%v after %v, %v", r, r.Work[0].Time, err)
		}
	})
}

// closer is an engine with something to give back.
type closer struct {
	engine
	closed *int
}

func (c closer) Close() { *c.closed++ }

func TestEnginesAreMadeForAGameAndClosed(t *testing.T) {
	made, closed := 0, 0
	white := lab.Player{Name: "w", New: func() ai.Engine {
		made++
		return closer{random("w").New().(engine), &closed}
	}}
	for game := 1; game <= 3; game++ {
		if _, err := (lab.Game{Terms: lab.Terms{Size: square(6)}, Black: random("b"), White: white}).Play(t.Context()); err != nil {
			t.Fatal(err)
		}
		if made != game || closed != game {
			t.Errorf("after game %d: %d were made, %d closed", game, made, closed)
		}
	}
}

func TestAGameThatIsBrokenOffHasNoResult(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r, err := lab.Game{
		Terms: lab.Terms{Size: square(9)}, White: random("w"),
		Black: thinking("b", func(ctx context.Context, _ ai.Position, _ ai.Budget) (ai.Thought, error) {
			stop()
			<-ctx.Done()
			return ai.Thought{}, ctx.Err()
		}),
	}.Play(ctx)
	if !errors.Is(err, context.Canceled) || r.Result != "" || !slices.Equal(r.Moves, nil) {
		t.Errorf("%v, %v", r, err)
	}
}
