package bots

import (
	"strings"
	"testing"

	"gomokud/internal/rules"
)

func TestTheSevenStepsInTheirOrder(t *testing.T) {
	find := func(name string) Bot {
		b, ok := Find(name)
		if !ok {
			t.Fatalf("no bot %q", name)
		}
		return b
	}
	bot := find("seven-step")
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
	} {
		t.Run(tt.step, func(t *testing.T) {
			p := drawn(t, rules.Freestyle, rules.Black, tt.board)
			if got := think(t, bot, p).String(); !strings.Contains(" "+tt.want+" ", " "+got+" ") {
				t.Errorf("plays %s, want one of %s on\n%v", got, tt.want, p.Board())
			}
		})
	}
}

func TestThereAreNinetySixSequencesOnTheGoBoard(t *testing.T) {
	// The seed counts 19 rows, 19 columns and twice 37 diagonals less those of
	// fewer than five points, of which it finds 16.
	if got := len(sequences(rules.NewBoard(rules.Size{Width: 19, Height: 19}), rules.Black)); got != 96 {
		t.Errorf("%d sequences, want 96", got)
	}
}
