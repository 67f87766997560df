package rules_test

import (
	"slices"
	"strings"
	"testing"

	"gomokud/internal/rules"
	"pgregory.net/rapid"
)

// One line at a time, from edge to edge of the board; * is the stone that
// Black, and with all colours exchanged White, has just placed.
func TestWinsInOneLine(t *testing.T) {
	for _, tt := range []struct {
		name, line   string
		black, white string // the rules under which it wins
	}{
		{"four", ". . X X * X . . .", "", ""},
		{"five", ". . X X * X X . .", "freestyle standard caro renju", "freestyle standard caro renju"},
		{"five at its end", ". . * X X X X . .", "freestyle standard caro renju", "freestyle standard caro renju"},
		{"a gap is no row", ". X X * . X X . .", "", ""},
		{"an opponent is no row", ". X X * O X X . .", "", ""},
		{"six", ". X X * X X X . .", "freestyle", "freestyle renju"},
		{"seven", "O X X X * X X X O", "freestyle", "freestyle renju"},
		{"nine from edge to edge", "X X X X * X X X X", "freestyle", "freestyle renju"},
		{"joining two and three makes six", ". X X X * X X . .", "freestyle", "freestyle renju"},
		{"blocked at one end", ". O X X * X X . .", "freestyle standard caro renju", "freestyle standard caro renju"},
		{"blocked at the other end", ". . X X * X X O .", "freestyle standard caro renju", "freestyle standard caro renju"},
		{"blocked at both ends", ". O X X * X X O .", "freestyle standard renju", "freestyle standard renju"},
		{"the edge and a block", "X X * X X O . . .", "freestyle standard caro renju", "freestyle standard caro renju"},
		{"a block and the edge", ". . . O X X X X *", "freestyle standard caro renju", "freestyle standard caro renju"},
		{"edges at both ends", "X X * X X", "freestyle standard caro renju", "freestyle standard caro renju"},
		{"a distant block", "O . X X * X X O .", "freestyle standard caro renju", "freestyle standard caro renju"},
	} {
		check := func(c rules.Color, line, want string) {
			boards, lines := laid(t, line)
			i := strings.Index(strings.ReplaceAll(line, " ", ""), "*")
			for d, b := range boards {
				b.Place(lines[d][i], c)
				var won []string
				for rule := rules.Freestyle; rule <= rules.Renju; rule++ {
					if rule.Wins(b, lines[d][i]) {
						won = append(won, rule.String())
					}
				}
				if got := strings.Join(won, " "); got != want {
					t.Errorf("%s: %v wins under %q, want %q\n%v", tt.name, c, got, want, b)
				}
			}
		}
		check(rules.Black, tt.line, tt.black)
		check(rules.White, strings.NewReplacer("X", "O", "O", "X").Replace(tt.line), tt.white)
	}
}

func TestRow(t *testing.T) {
	const corner = `
		. . X . . X O
		. . X . X . O
		. . X X . . .
		O O * X X X X
		. X X . . . .
		X . X . . . .
	`
	for _, tt := range []struct {
		name, drawing string
		rule          rules.Rule
		want          string
	}{
		{"a five", ". . . . . \n . . . . . \n X X * X X \n . . . . . \n . . . . . \n", rules.Standard, "a3 b3 c3 d3 e3"},
		{"no five", ". . . . . \n . . . . . \n X X * X . \n . . . . . \n . . . . . \n", rules.Standard, ""},
		{"five, two sixes", corner, rules.Standard, "c3 d3 e3 f3 g3"},
		{"all of them", corner, rules.Freestyle, "a1 b2 c1 c2 c3 c4 c5 c6 d3 d4 e3 e5 f3 f6 g3"},
	} {
		b, p := parseAsked(t, tt.drawing)
		b.Place(p, rules.Black)
		if got := strings.Join(names(tt.rule.AppendRow(nil, b, p)), " "); got != tt.want {
			t.Errorf("%s, %v: got %s, want %s\n%v", tt.name, tt.rule, got, tt.want, b)
		}
		if got, want := tt.rule.Wins(b, p), tt.want != ""; got != want {
			t.Errorf("%s, %v: wins: got %v, want %v\n%v", tt.name, tt.rule, got, want, b)
		}
	}
}

// Under every rule one winning row is enough, whatever crosses it.
func TestExactFiveWinsBesideALongerRow(t *testing.T) {
	b, p := parseAsked(t, `
		. . . X . . .
		. . . X . . .
		. . . X . . .
		. X X * X X .
		. . . X . . .
		. . . X . . .
		. . . . . . .
	`)
	b.Place(p, rules.Black)
	for rule := rules.Freestyle; rule <= rules.Renju; rule++ {
		if !rule.Wins(b, p) {
			t.Errorf("%v: no win for d4\n%v", rule, b)
		}
	}
}

func TestEmptyPointWinsNothing(t *testing.T) {
	b, p := parseAsked(t, ".....\n.....\nXX*XX\n.....\n.....\n")
	for rule := rules.Freestyle; rule <= rules.Renju; rule++ {
		if rule.Wins(b, p) || rule.AppendRow(nil, b, p) != nil {
			t.Errorf("%v: the empty %v wins\n%v", rule, p, b)
		}
	}
}

// winningRows walks from p as a person would and returns the winning rows.
func winningRows(rule rules.Rule, b *rules.Board, p rules.Point) (rows [][]rules.Point) {
	own, opponent := b.At(p), b.At(p).Opponent()
	for _, step := range steps() {
		first := cellOf(p)
		for b.At(first.plus(-1, step).point()) == own {
			first = first.plus(-1, step)
		}
		var row []rules.Point
		after := first
		for ; b.At(after.point()) == own; after = after.plus(1, step) {
			row = append(row, after.point())
		}
		longer := len(row) > 5
		walled := b.At(first.plus(-1, step).point()) == opponent && b.At(after.point()) == opponent
		var wins bool
		switch rule {
		case rules.Freestyle:
			wins = len(row) >= 5
		case rules.Standard:
			wins = len(row) == 5
		case rules.Caro:
			wins = len(row) == 5 && !walled
		case rules.Renju:
			wins = len(row) == 5 || longer && own == rules.White
		}
		if wins {
			rows = append(rows, row)
		}
	}
	return rows
}

func TestWinsAgreesWithAWalk(t *testing.T) {
	won := 0
	rapid.Check(t, func(t *rapid.T) {
		b := positions().Draw(t, "board")
		for p := range b.Size().All() {
			if b.At(p) == rules.Empty {
				continue
			}
			for rule := rules.Freestyle; rule <= rules.Renju; rule++ {
				rows := winningRows(rule, b, p)
				if got, want := rule.Wins(b, p), len(rows) > 0; got != want {
					t.Fatalf("%v: %v wins: got %v, want %v\n%v", rule, p, got, want, b)
				}
				want := slices.Compact(names(slices.Concat(rows...)))
				if got := names(rule.AppendRow(nil, b, p)); !slices.Equal(got, want) {
					t.Fatalf("%v: row of %v: got %v, want %v\n%v", rule, p, got, want, b)
				}
				won += len(rows)
			}
		}
	})
	if won == 0 {
		t.Error("no position with a winning row was generated")
	}
}
