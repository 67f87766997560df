package bots

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// lookingAt looks ahead on a drawn board with nothing to stop it.
func lookingAt(t *testing.T, rule rules.Rule, board string) *lookingAhead {
	t.Helper()
	tables := newShapeTables(drawn(t, rule, rules.Black, board))
	return &lookingAhead{shapeTables: tables, plies: lookAheadPlies}
}

// names writes points as a line of play.
func names(points []rules.Point) string {
	var s []string
	for _, p := range points {
		s = append(s, p.String())
	}
	return strings.Join(s, " ")
}

func TestAttacksEndWithTheirFirstThirdOrFifthStone(t *testing.T) {
	for _, tt := range []struct {
		name, board string
		want        string // with the predicted answers
	}{
		{"four-three", `
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
			. . . . . . . . . . .`, "g6"},
		{"a four makes the three of four-three", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . . . . X . . . .
			. . O X X . . . . . .
			. . . . . X . . . . .
			. . . . . X . . . . .
			. . . . . X . . O . .
			. . . . . O . . . . .
			. . . . . . . . . . .`, "f6 f7 g6"},
		{"two fours on the way", `
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
			. . . . . . . . . . .`, "f5 g4 f6 f7 g6"},
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
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := lookingAt(t, rules.Freestyle, tt.board)
			if got := names(l.attack(t.Context(), rules.Black)); got != tt.want {
				t.Errorf("%s, want %s on\n%v", got, tt.want, l.board)
			}
		})
	}
}

func TestWinningPointsUnderTheRules(t *testing.T) {
	const (
		doubleThrees = `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . s . . . .
			. . . . . . s . . . .
			. . . . s s . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`
		doubleFours = `
			. . . . . . . . . . .
			. . . . . . o . . . .
			. . . . . . s . . . .
			. . . . . . s . . . .
			. . . . . . s . . . .
			. . o s s s . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`
		fourThrees = `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . s . . . .
			. . . . . . s . . . .
			. . o s s s . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`
		six = `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. o s s s . s s o . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`
	)
	black, white := strings.NewReplacer("s", "X", "o", "O"), strings.NewReplacer("s", "O", "o", "X")
	for _, tt := range []struct {
		name, board, at string
		rule            rules.Rule
		black, white    promise
	}{
		{"double three", doubleThrees, "g6", rules.Freestyle, doubleThree, doubleThree},
		{"double three", doubleThrees, "g6", rules.Standard, doubleThree, doubleThree},
		{"double three", doubleThrees, "g6", rules.Caro, doubleThree, doubleThree},
		{"double three", doubleThrees, "g6", rules.Renju, forcesThree, doubleThree},
		{"double four", doubleFours, "g6", rules.Freestyle, fourThree, fourThree},
		{"double four", doubleFours, "g6", rules.Renju, forcesFour, fourThree},
		{"four-three", fourThrees, "g6", rules.Freestyle, fourThree, fourThree},
		{"four-three", fourThrees, "g6", rules.Renju, fourThree, fourThree},
		{"six", six, "f6", rules.Freestyle, winsAtOnce, winsAtOnce},
		{"six", six, "f6", rules.Standard, quietPoint, quietPoint},
		{"six", six, "f6", rules.Caro, quietPoint, quietPoint},
		{"six", six, "f6", rules.Renju, quietPoint, winsAtOnce},
	} {
		at, err := rules.ParsePoint(tt.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := lookingAt(t, tt.rule, black.Replace(tt.board)).promise(at, rules.Black); got != tt.black {
			t.Errorf("%s of Black under %v: %d, want %d", tt.name, tt.rule, got, tt.black)
		}
		if got := lookingAt(t, tt.rule, white.Replace(tt.board)).promise(at, rules.White); got != tt.white {
			t.Errorf("%s of White under %v: %d, want %d", tt.name, tt.rule, got, tt.white)
		}
	}
}

func TestAnswersAreForcedOnlyWhereTheOpponentIsNotQuicker(t *testing.T) {
	for _, tt := range []struct {
		name, board string
		rule        rules.Rule
		side        rules.Color
		want        string
	}{
		{"a three against a three forces nobody", `
			. . . . . . . . . . .
			. . O O O . . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . . . . X . . . .
			. . . . X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Freestyle, rules.Black, ""},
		{"four-three does", `
			. . . . . . . . . . .
			. . O O O . . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . . . . X . . . .
			. . O X X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Freestyle, rules.Black, "g6"},
		{"but not against a four", `
			. . . . . . . . . . .
			. X O O O O . . . . .
			. . . . . . . . . . .
			. . . . . . X . . . .
			. . . . . . X . . . .
			. . O X X X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Freestyle, rules.Black, ""},
		{"a four whose end is forbidden to Black cannot be answered", `
			. . . . . X . . . . .
			. . . . . . . . . . .
			. . . . . O . . . . .
			. . . . . O . . . . .
			. . . . . O . . . . .
			. . X X X . X X . . .
			. . . . . X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Renju, rules.White, "f10 * f6"},
		{"where six win it can", `
			. . . . . X . . . . .
			. . . . . . . . . . .
			. . . . . O . . . . .
			. . . . . O . . . . .
			. . . . . O . . . . .
			. . X X X . X X . . .
			. . . . . X . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Freestyle, rules.White, ""},
		{"Black is quicker with a four-three", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . X . X . .
			. . . . . . X X . . .
			. . O X X X . . . . .
			. . . . . . . . . O .
			. . . . . . . . . O .
			. . . . . . . O O . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Freestyle, rules.White, ""},
		{"but not where it is forbidden", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . X . X . .
			. . . . . . X X . . .
			. . O X X X . . . . .
			. . . . . . . . . O .
			. . . . . . . . . O .
			. . . . . . . O O . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Renju, rules.White, "j3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := lookingAt(t, tt.rule, tt.board)
			line := l.attack(t.Context(), tt.side)
			got := names(line)
			if strings.Contains(tt.want, "*") && len(line) == 3 {
				got = line[0].String() + " * " + line[2].String()
			}
			if got != tt.want {
				t.Errorf("%q, want %q on\n%v", got, tt.want, l.board)
			}
		})
	}
}

func TestASearchIsBoundedAndLeavesNothingBehind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := position(t)
		l := &lookingAhead{shapeTables: newShapeTables(p), plies: lookAheadPlies}
		l.limit = rapid.Int64Range(0, 30).Draw(t, "limit")
		before := *l.shapeTables
		line := l.deepen(t.Context(), p.ToMove)
		if l.tried > l.limit || l.cut && l.tried < l.limit {
			t.Fatalf("%d stones, limited to %d, on\n%v", l.tried, l.limit, l.board)
		}
		if l.cut && line != nil {
			t.Fatalf("was cut off, but finds %q on\n%v", names(line), l.board)
		}
		if largest, found := l.largest(p.ToMove.Opponent()); found && line != nil {
			l.takeAway(t.Context(), line, p.ToMove.Opponent(), largest)
		}
		if l.numbers != before.numbers || l.lines != before.lines {
			t.Fatalf("the tables have changed on\n%v", l.board)
		}
	})
}

func TestNoPointOfAnAttackDefendsBetter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := position(t)
		us, them := p.ToMove, p.ToMove.Opponent()
		l := &lookingAhead{shapeTables: newShapeTables(p), plies: lookAheadPlies}
		attack := l.attack(t.Context(), them)
		largest, found := l.largest(us)
		if attack == nil || !found {
			return
		}
		// leaves is how long the attack is that a stone leaves; none is the longest.
		leaves := func(at rules.Point) int {
			l.play(at, us)
			defer l.take(at)
			if left := l.attack(t.Context(), them); left != nil {
				return len(left)
			}
			return lookAheadPlies + 1
		}
		at := l.takeAway(t.Context(), attack, us, largest)
		for _, c := range l.stakes(attack, them) {
			if ai.MayPlay(l.board, l.rule, us, c) && leaves(c) > leaves(at) && !l.cut {
				t.Fatalf("against %q plays %v, but %v is better on\n%v", names(attack), at, c, l.board)
			}
		}
	})
}
