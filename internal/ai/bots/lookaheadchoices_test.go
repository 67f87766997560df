package bots

import (
	"testing"

	"gomokud/internal/rules"
)

func TestWhereALookAheadDefendsAndWhatItPrefers(t *testing.T) {
	for _, tt := range []struct {
		name, board string
		rule        rules.Rule
		toMove      rules.Color
		want        string
	}{
		{"not on a point that is forbidden to Black", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . O . .
			. . . . . . . O O . .
			. . O X . . . X . . .
			. O X X X X O X . . .
			. . O O X O . X O . .
			. . . . . X . X . . .
			. . . . . . . O . . .`, rules.Renju, rules.Black, "g2"},
		{"where the longest attack is left", `
			. . . . . . . . . . .
			. . . . . . X . O . .
			. . . . X . O O X . .
			. . . . . . O . X . .
			. . . . . X O . X X .
			. . O . O . . . X . .
			. . O O . . . . O . .
			. . O . . . . . . . .
			. X X O X . . . X . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Renju, rules.Black, "b5"},
		{"the larger number first", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . O . . . . . . . .
			. . X . X . . . X . .
			. . O O O X . . . . .
			. . . . O . O . . . .
			. . . . . . . X . . .
			. . . X . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Renju, rules.Black, "d7"},
		{"of equal numbers the larger sum", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . X . O . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Freestyle, rules.White, "d4"},
		{"of equal sums the nearest to the centre", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . X . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Renju, rules.White, "f5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bot, _ := Find("look-ahead")
			p := drawn(t, tt.rule, tt.toMove, tt.board)
			if got := think(t, bot, p).String(); got != tt.want {
				t.Errorf("plays %s, want %s on\n%v", got, tt.want, p.Board())
			}
		})
	}
}
