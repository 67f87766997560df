package rules_test

import (
	"testing"

	"gomokud/internal/rules"
)

// midgame is a game after 50 moves. Black may play neither i4, i8 nor j10: one
// foul of each kind.
const midgame = `
	. . . . . . . . . . . . . . .
	. . . . . . . . . . . . . . .
	. . . . . . . . . . . . . . .
	. . . X O O O O . . . . . . .
	. . . O X X X . O . . . . . .
	. . X X X O X X . . . . . . .
	. . O O O O X X X X O . . . .
	. . . O . O O X . X . X . . .
	. . . . . X X O O X O . . . .
	. . . . O O X O O O X . . . .
	. . . . . X O . X X O . . . .
	. . . . . . . X . . . . . . .
	. . . . . . . . . . . . . . .
	. . . . . . . . . . . . . . .
	. . . . . . . . . . . . . . .
`

func BenchmarkPlaceUndoWin(b *testing.B) {
	board, p := parse(b, midgame), point(b, "i4")
	b.ReportAllocs()
	for b.Loop() {
		board.Place(p, rules.Black)
		if rules.Renju.Wins(board, p) {
			b.Fatal("no five here")
		}
		board.Remove(p)
	}
}

func BenchmarkForbiddenPoint(b *testing.B) {
	board, p := parse(b, midgame), point(b, "i4")
	b.ReportAllocs()
	for b.Loop() {
		if rules.Forbidden(board, p) != rules.DoubleThree {
			b.Fatal("two threes here")
		}
	}
}

func BenchmarkForbiddenPoints(b *testing.B) {
	board := parse(b, midgame)
	points := make([]rules.ForbiddenPoint, 0, board.Size().Points())
	b.ReportAllocs()
	for b.Loop() {
		if points = rules.AppendForbidden(points[:0], board); len(points) != 3 {
			b.Fatal("one foul of each kind here")
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	board, deep := parse(t, midgame), recursions(t)
	p := point(t, "i4")
	row := make([]rules.Point, 0, 4*rules.MaxSide)
	forbidden := make([]rules.ForbiddenPoint, 0, board.Size().Points())
	for name, f := range map[string]func(){
		"Place, Wins, AppendRow, Remove": func() {
			board.Place(p, rules.Black)
			rules.Caro.Wins(board, p)
			row = rules.Caro.AppendRow(row[:0], board, p)
			board.Remove(p)
		},
		"Forbidden": func() { rules.Forbidden(board, p) },
		"Forbidden, nine levels deep": func() {
			for _, r := range deep {
				rules.Forbidden(r.board, r.asked)
			}
		},
		"AppendForbidden": func() { forbidden = rules.AppendForbidden(forbidden[:0], board) },
	} {
		if got := testing.AllocsPerRun(100, f); got != 0 {
			t.Errorf("%s: %v allocations, want none", name, got)
		}
	}
}
