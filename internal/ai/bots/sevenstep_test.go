package bots

import (
	"strings"
	"testing"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

func TestTheSevenStepsInTheirOrder(t *testing.T) {
	for _, tt := range []struct{ step, board, want string }{
		{"1: own five before stopping one", `
			. . . . . . . . . . .
			. . O O O O . . . . .
			. . . . . . . . . . .
			. . X X X X . . . . .
			. O . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, "b8 g8"},
		{"2: stopping a five before a straight four", `
			. . . . . . . . . . .
			. X O O O O . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . X X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, "g10"},
		{"3: a straight four before stopping a three", `
			. . . . . . . . . . .
			. . . O O O . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . X X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, "c7 g7"},
		{"4: a three that the opponent must answer", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . X X . . . . .
			. . . . . . . . . . .
			. . O . . . . . . . .
			. . . . . . . . O . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, "c7 d7 g7 h7"},
		{"5: stopping a three", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . O O O . . . . .
			. . . . . . . . . . .
			. . . . X . . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, "b9 c9 g9 h9"},
		{"6: where the opponent's threats would cross", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . O . . . .
			. . . . . . O . . . .
			. . . O O . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . X .
			X . . . . . . . . . .
			. . . . . . . . . . .`, "g5"},
		{"7: the largest own sum: in the open, towards the centre", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . X . . . . . . .
			. . O . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, "e8"},
	} {
		t.Run(tt.step, func(t *testing.T) {
			p := drawn(t, rules.Freestyle, rules.Black, tt.board)
			at, step := decision(t, p)
			if !strings.Contains(" "+tt.want+" ", " "+at+" ") {
				t.Errorf("plays %s, want one of %s on\n%v", at, tt.want, p.Board())
			}
			if want := int(tt.step[0] - '0'); step != want {
				t.Errorf("step %d decides, want %d", step, want)
			}
		})
	}
}

// decision is where the player plays, and which of its steps decides.
func decision(t *testing.T, p ai.Position) (at string, step int) {
	t.Helper()
	list, err := candidates(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	c, step := decideInSeven(list)
	return c.at.String(), step
}

func TestTheStepsHeedTheRule(t *testing.T) {
	for _, tt := range []struct {
		name, board string
		rule        rules.Rule
		toMove      rules.Color
		want        string
		step        int
	}{
		{"six win under freestyle", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			O X . X X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			O O . . . . . . . . .`, rules.Freestyle, rules.Black, "c6", 1},
		{"six do nothing under standard", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			X X . X X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			O O . . O . . O . . .`, rules.Standard, rules.Black, "g6", 4},
		{"white's threes cross under renju", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . O . . . .
			. . . . . . O . . . .
			. . . O O . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . X .
			X . . . . . . . . . .
			. . . . . . . . . . X`, rules.Renju, rules.Black, "g5", 6},
		{"black's may not: the point is left to be forbidden", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . . . . X . . . .
			. . . X X . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . O .
			O . . . . . . . . . .
			. . . . . . . . . . O`, rules.Renju, rules.White, "", 7},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := drawn(t, tt.rule, tt.toMove, tt.board)
			at, step := decision(t, p)
			if tt.want != "" && at != tt.want || step != tt.step {
				t.Errorf("plays %s by step %d, want %q by step %d", at, step, tt.want, tt.step)
			}
		})
	}
}

func TestADefenceIsNotSoughtFarFromTheDanger(t *testing.T) {
	list := []candidate{
		{at: rules.Point{X: 0}, total: 2500, left: 2400}, // three against three
		{at: rules.Point{X: 1}, total: 300, left: 600},   // stops the three
		{at: rules.Point{X: 2}, total: 700, left: 650},   // does so too, and stands better
	}
	if got := defence(list).at.X; got != 2 {
		t.Errorf("takes candidate %d, want 2", got)
	}
	if got := defence(list[:2]).at.X; got != 1 {
		t.Errorf("takes candidate %d, want 1, the least of what is left", got)
	}
}

func TestThereAreNinetySixSequencesOnTheGoBoard(t *testing.T) {
	// The seed counts 19 rows, 19 columns and twice 37 diagonals less those of
	// fewer than five points, of which it finds 16.
	if got := len(sequences(rules.NewBoard(rules.Size{Width: 19, Height: 19}), rules.Black)); got != 96 {
		t.Errorf("%d sequences, want 96", got)
	}
}
