package bots

import (
	"strings"
	"testing"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

func TestAttackThenDefenceThenTheLargestNumber(t *testing.T) {
	for _, tt := range []struct {
		name, board string
		rule        rules.Rule
		want        string // any of these
	}{
		{"its five before the opponent's", `
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
			. . . . . . . . . . .`, rules.Freestyle, "b8 g8"},
		{"the opponent's five before its open four", `
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
			. . . . . . . . . . .`, rules.Freestyle, "g10"},
		{"its open four before the opponent's", `
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
			. . . . . . . . . . .`, rules.Freestyle, "c7 g7"},
		{"its four-three before the opponent's open four", `
			. . . . . . . . . . .
			. . . O O O . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . . . . X . . . .
			. . O X X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Freestyle, "g6"},
		{"the opponent's open four before its double three", `
			. . . . . . . . . . .
			. . . O O O . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . . . . X . . . .
			. . . . X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Freestyle, "b10 c10 g10 h10"},
		{"its attack before the opponent's double three", `
			. . . . . . . . . . .
			. . . . . . . . . O .
			. . . . . . . . . O .
			. . . . . . X O O . .
			. . . . . . X . . . .
			. . O X X . . . . . .
			. . . . . X . . . . .
			. . . . . X . . . . .
			. . . . . X . . O . .
			. . . . . O . . . . .
			. . . . . . . . . . .`, rules.Freestyle, "f6"},
		{"a four before a three", `
			. . . . . . . . . . .
			. O X X X . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . O X X . .
			. . . . . . O . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Freestyle, "f10"},
		{"its three before the opponent's", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . X X . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . O O . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Freestyle, "b9 e9"},
		{"a double three", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . . . . X . . . .
			. . . . X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. O . . . . . . . . .
			. O . . . . . . . . .
			. . . . . . . . . . .`, rules.Standard, "g6"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := drawn(t, tt.rule, rules.Black, tt.board)
			bot, _ := Find("look-ahead")
			if got := think(t, bot, p).String(); !strings.Contains(" "+tt.want+" ", " "+got+" ") {
				t.Errorf("plays %s, want one of %s on\n%v", got, tt.want, p.Board())
			}
		})
	}
}

func TestTheOpponentsAttackIsTakenAway(t *testing.T) {
	for _, tt := range []struct {
		name, board string
		plies       int // of the attack
	}{
		{"a four", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. O X X X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . O . . . .
			. . . . . . O . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, 1},
		{"an open three", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . X X X . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . O . . . .
			. . . . . . O . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, 1},
		{"four-three", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . . . . X . . . .
			. . O X X X . . . . .
			. . . . O . . . . . .
			. . . . . O . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, 1},
		{"double three", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . . . . X . . . .
			. . . . X X . . . . .
			. . . . O . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, 1},
		{"three stones deep", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . O . . X . . . .
			. . O X X . . . . . .
			. . . . . X . . . . .
			. . . . . X . . . . .
			. . . . . X O . . . .
			. . . . . O . . . . .
			. . . . . . . . . . .`, 3},
		{"five stones deep", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. O . . . . . . . . .
			. . X . . . X . . . .
			. . . X O . X . . . .
			. . O X X . . . . . .
			. . . O . . . . . . .
			. . . . . X . . . . .
			. . . . . X . . . . .
			. . . . . O . . . . .
			. . . . . . . . . . .`, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := lookingAt(t, rules.Freestyle, tt.board)
			if line := l.attack(t.Context(), rules.Black); len(line) != tt.plies {
				t.Fatalf("the attack is %q, want %d stones", names(line), tt.plies)
			}
			bot, _ := Find("look-ahead")
			at := think(t, bot, drawn(t, rules.Freestyle, rules.White, tt.board))
			l.play(at, rules.White)
			if line := l.attack(t.Context(), rules.Black); line != nil {
				t.Errorf("%v leaves %q on\n%v", at, names(line), l.board)
			}
		})
	}
}

func TestAnAttackThatCannotBeTakenAwayIsMadeLonger(t *testing.T) {
	p := drawn(t, rules.Freestyle, rules.White, `
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . X . . . .
		. . . . . . X . . . .
		. . O X X X . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . O O .
		. . . . . . . . . . .
		. . . . . . . . . . .`)
	l := &lookingAhead{shapeTables: newShapeTables(p), plies: lookAheadPlies}
	if line := l.attack(t.Context(), rules.Black); len(line) != 1 {
		t.Fatalf("the attack is %q, want one stone", names(line))
	}
	bot, _ := Find("look-ahead")
	l.play(think(t, bot, p), rules.White)
	if line := l.attack(t.Context(), rules.Black); len(line) != 5 {
		t.Errorf("leaves %q, want five stones on\n%v", names(line), l.board)
	}
}

func TestBlackTakesNoForbiddenCompound(t *testing.T) {
	for _, tt := range []struct{ name, board, at string }{
		{"double three", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . . . . X . . . .
			. . . . X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. O . . . . . . . . .
			. O . . . . . . . . .
			. . . . . . . . . . .`, "g6"},
		{"double four", `
			. . . . . . . . . . .
			. . . . . . O . . . .
			. . . . . . X . . . .
			. . . . . . X . . . .
			. . . . . . X . . . .
			. . O X X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, "g6"},
		{"overline", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. O X X X . X X O . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, "f6"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bot, _ := Find("look-ahead")
			if got := think(t, bot, drawn(t, rules.Freestyle, rules.Black, tt.board)).String(); got != tt.at {
				t.Errorf("plays %s under freestyle, want %s", got, tt.at)
			}
			if got := think(t, bot, drawn(t, rules.Renju, rules.Black, tt.board)).String(); got == tt.at {
				t.Errorf("plays %s under renju", got)
			}
			white := strings.NewReplacer("X", "O", "O", "X").Replace(tt.board)
			if got := think(t, bot, drawn(t, rules.Renju, rules.White, white)).String(); got != tt.at {
				t.Errorf("plays %s as White under renju, want %s", got, tt.at)
			}
		})
	}
}

// deep is a board with an attack of five stones for Black.
func deep(t *testing.T) ai.Position {
	return drawn(t, rules.Freestyle, rules.Black, `
		. . . . . . . . . . .
		. . . . . . . . . . .
		. O . . . . . . . . .
		. . X . . . X . . . .
		. . . X . . X . . . .
		. . O X X . . . . . .
		. . . O . . . . . . .
		. . . . . X . . . . .
		. . . . . X . . . . .
		. . . . . O . . . . .
		. . . . . . . . . . .`)
}

func TestTheBudgetOfALookAheadIsKept(t *testing.T) {
	for _, tt := range []struct {
		name   string
		budget ai.Budget
		depth  int
		line   string // the attack that is found
	}{
		{"none", ai.Budget{}, 5, "f5 g4 f6 f7 g6"},
		{"five plies", ai.Budget{Depth: 5}, 5, "f5 g4 f6 f7 g6"},
		{"no deeper than it ever is", ai.Budget{Depth: 9}, 5, "f5 g4 f6 f7 g6"},
		{"four plies are three", ai.Budget{Depth: 4}, 3, ""},
		{"one ply", ai.Budget{Depth: 1}, 1, ""},
		{"few stones", ai.Budget{Nodes: 3}, 1, ""},
	} {
		got, err := LookAhead{}.Think(t.Context(), deep(t), tt.budget)
		if err != nil {
			t.Fatal(err)
		}
		line := names(got.Line)
		if got.Depth != tt.depth || tt.line != "" && line != tt.line || tt.line == "" && len(got.Line) != 1 {
			t.Errorf("%s: %s to depth %d, want %s to depth %d", tt.name, line, got.Depth, tt.line, tt.depth)
		}
		if most := tt.budget.Nodes; most > 0 && got.Nodes > most {
			t.Errorf("%s: %d stones", tt.name, got.Nodes)
		}
	}
}

func TestALookAheadThatIsStoppedTakesTheLargestNumber(t *testing.T) {
	p := deep(t)
	l := newShapeTables(p)
	largest, _ := l.largest(p.ToMove)
	finished := 0
	for asked := range 200 {
		ctx := &ending{t.Context(), asked}
		thought, err := LookAhead{}.Think(ctx, p, ai.Budget{})
		switch {
		case err != nil:
			t.Fatal(err)
		case asked == 0:
			if thought.Depth != 0 {
				t.Errorf("without time: %+v", thought)
			}
		case thought.Depth == 5:
			finished++
		case thought.Depth != 1 || thought.Move != largest.at:
			t.Errorf("stopped after %d: plays %v to depth %d, want %v", asked, thought.Move, thought.Depth, largest.at)
		}
		if ctx.left < -20 {
			t.Fatalf("asked %d times after the end", -ctx.left-1)
		}
	}
	if finished == 0 || finished == 199 {
		t.Errorf("%d of 200 found the attack", finished)
	}
}

func TestWholeGamesOfLookAheadComeToAnEnd(t *testing.T) {
	bot, _ := Find("look-ahead")
	sizes := []rules.Size{{Width: 5, Height: 5}, {Width: 15, Height: 15}, {Width: 25, Height: 7}, {Width: 6, Height: 12}}
	for _, rule := range []rules.Rule{rules.Freestyle, rules.Standard, rules.Caro, rules.Renju} {
		for i, size := range sizes {
			against := All()[(i+int(rule))%len(All())]
			playOut(t, rule, size, bot, against)
			playOut(t, rule, size, against, bot)
		}
	}
}
