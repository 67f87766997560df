package load

import (
	"testing"

	"gomokud/internal/rules"
)

// TestMoveOrder plays the order: every point once, and nobody ever wins.
func TestMoveOrder(t *testing.T) {
	for _, rule := range []rules.Rule{rules.Freestyle, rules.Standard, rules.Caro} {
		board := rules.NewBoard(boardSize)
		color := rules.Black
		for ply, p := range moveOrder() {
			if !boardSize.Contains(p) || board.At(p) != rules.Empty {
				t.Fatalf("%v: ply %d: %v is off the board or taken", rule, ply, p)
			}
			board.Place(p, color)
			if rule.Wins(board, p) {
				t.Fatalf("%v: ply %d: %v wins with %v\n%v", rule, ply, color, p, board)
			}
			color = color.Opponent()
		}
		if !board.Full() {
			t.Fatalf("the board is not full after %d moves", board.Stones())
		}
	}
}
