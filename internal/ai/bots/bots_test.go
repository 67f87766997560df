package bots

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// drawn makes a position of a drawn board: X is Black, O is White. The stones
// are in the order in which the drawing has them.
func drawn(t testing.TB, rule rules.Rule, toMove rules.Color, diagram string) ai.Position {
	t.Helper()
	b, err := rules.ParseBoard(diagram)
	if err != nil {
		t.Fatal(err)
	}
	p := ai.Position{Rule: rule, Size: b.Size(), ToMove: toMove}
	for at := range b.Size().All() {
		if c := b.At(at); c != rules.Empty {
			p.Stones = append(p.Stones, ai.Stone{Point: at, Color: c})
		}
	}
	return p
}

func think(t testing.TB, bot Bot, p ai.Position) rules.Point {
	t.Helper()
	thought, err := bot.New().Think(t.Context(), p, ai.Budget{Time: time.Minute})
	if err != nil {
		t.Fatalf("%s: %v", bot.Name, err)
	}
	return thought.Move
}

func TestEveryBotKnowsTheBasics(t *testing.T) {
	for _, tt := range []struct {
		name, board string
		rule        rules.Rule
		toMove      rules.Color
		want        string
	}{
		{"the first stone goes into the centre", `
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .`, rules.Freestyle, rules.Black, "e5"},
		{"a five is made", `
			. . . . . . . . .
			. . . . . . . . .
			. . O O O O . . .
			. X . . . . . . .
			. X X X X . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .`, rules.Freestyle, rules.Black, "a5 f5"},
		{"a four is stopped", `
			. . . . . . . . .
			. . . . . . . . .
			. X O O O O . . .
			. X . . . . . . .
			. X . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .`, rules.Freestyle, rules.Black, "g7"},
		{"an overline is no five under standard", `
			. . . . . . . . .
			. . . . . . . . .
			. X O O O O . . .
			. . . . . . . . .
			X X X . X X . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .`, rules.Standard, rules.Black, "g7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := drawn(t, tt.rule, tt.toMove, tt.board)
			for _, bot := range All() {
				if got := think(t, bot, p).String(); !strings.Contains(tt.want, got) {
					t.Errorf("%s plays %s, want %s", bot.Name, got, tt.want)
				}
			}
		})
	}
}

func TestEveryMoveIsLegalAndRepeatable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := position(t)
		board := p.Board()
		for _, bot := range All() {
			thought, err := bot.New().Think(t.Context(), p, ai.Budget{})
			if errors.Is(err, ai.ErrNoMove) {
				for at := range p.Size.All() {
					if ai.MayPlay(board, p.Rule, p.ToMove, at) {
						t.Fatalf("%s finds no move, but %s is one on\n%v", bot.Name, at, board)
					}
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if !ai.MayPlay(board, p.Rule, p.ToMove, thought.Move) {
				t.Fatalf("%s plays %s under %s on\n%v", bot.Name, thought.Move, p.Rule, board)
			}
			if again, err := bot.New().Think(t.Context(), p, ai.Budget{}); err != nil || again.Move != thought.Move {
				t.Fatalf("%s plays %s, then %s", bot.Name, thought.Move, again.Move)
			}
		}
	})
}

func TestFivesAreMadeAndStopped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := position(t)
		board := p.Board()
		own, stopping := map[rules.Point]bool{}, map[rules.Point]bool{}
		for at := range p.Size.All() {
			if !ai.MayPlay(board, p.Rule, p.ToMove, at) {
				continue
			}
			if completes(board, p.Rule, at, p.ToMove) {
				own[at] = true
			}
			if completes(board, p.Rule, at, p.ToMove.Opponent()) {
				stopping[at] = true
			}
		}
		for _, bot := range All() {
			thought, err := bot.New().Think(t.Context(), p, ai.Budget{})
			switch {
			case err != nil: // see TestEveryMoveIsLegalAndRepeatable
			case len(own) > 0 && !own[thought.Move]:
				t.Fatalf("%s plays %v and no five on\n%v", bot.Name, thought.Move, board)
			case len(own) == 0 && len(stopping) > 0 && !stopping[thought.Move]:
				t.Fatalf("%s plays %v and stops no five on\n%v", bot.Name, thought.Move, board)
			}
		}
	})
}

// position draws a position of a board of any size, from empty to full.
func position(t *rapid.T) ai.Position {
	p := ai.Position{
		Rule: rapid.SampledFrom([]rules.Rule{rules.Freestyle, rules.Standard, rules.Caro, rules.Renju}).Draw(t, "rule"),
		Size: rules.Size{
			Width:  rapid.IntRange(rules.MinSide, rules.MaxSide).Draw(t, "width"),
			Height: rapid.IntRange(rules.MinSide, rules.MaxSide).Draw(t, "height"),
		},
	}
	seed := rapid.Uint64().Draw(t, "seed")
	random := rand.New(rand.NewPCG(seed, 0))
	points := p.Size.Points()
	n := rapid.IntRange(0, points).Draw(t, "stones")
	color := rules.Black
	for _, i := range random.Perm(points)[:n] {
		at := rules.Point{X: int8(i % p.Size.Width), Y: int8(i / p.Size.Width)}
		p.Stones = append(p.Stones, ai.Stone{Point: at, Color: color})
		color = color.Opponent()
	}
	p.ToMove = color
	return p
}

func TestABotBeatsAPlayerAtRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, rule := range []rules.Rule{rules.Freestyle, rules.Standard, rules.Caro, rules.Renju} {
		for _, bot := range All() {
			for _, side := range []rules.Color{rules.Black, rules.White} {
				if winner := game(t, bot, side, rule, random); winner != side {
					t.Errorf("%s as %v under %s: the winner is %v", bot.Name, side, rule, winner)
				}
			}
		}
	}
}

// game plays a bot against random legal moves and returns the winner.
func game(t *testing.T, bot Bot, side rules.Color, rule rules.Rule, random *rand.Rand) rules.Color {
	t.Helper()
	p := ai.Position{Rule: rule, Size: rules.Size{Width: 15, Height: 15}, ToMove: rules.Black}
	for board := p.Board(); !board.Full(); {
		var at rules.Point
		if p.ToMove == side {
			at = think(t, bot, p)
		} else {
			for {
				at = rules.Point{X: int8(random.IntN(15)), Y: int8(random.IntN(15))}
				if ai.MayPlay(board, rule, p.ToMove, at) {
					break
				}
			}
		}
		board.Place(at, p.ToMove)
		if rule.Wins(board, at) {
			return p.ToMove
		}
		p.Stones = append(p.Stones, ai.Stone{Point: at, Color: p.ToMove})
		p.ToMove = p.ToMove.Opponent()
	}
	return rules.Empty
}

func TestNamesAreFoundAndUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range All() {
		if got, ok := Find(b.Name); !ok || got.Title != b.Title || seen[b.Name] {
			t.Errorf("Find(%q) = %v, %v", b.Name, got, ok)
		}
		if b.Title == "" || b.About == "" || b.Source == "" {
			t.Errorf("%s does not say what it is", b.Name)
		}
		seen[b.Name] = true
	}
	if _, ok := Find("nobody"); ok {
		t.Error("found nobody")
	}
}

func BenchmarkMove(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, side := range []int{15, 19, 25} {
		p := ai.Position{Size: rules.Size{Width: side, Height: side}, ToMove: rules.Black}
		for i, at := range random.Perm(100)[:40] { // a midgame in the middle
			q := rules.Point{X: int8(side/2 - 5 + at%10), Y: int8(side/2 - 5 + at/10)}
			p.Stones = append(p.Stones, ai.Stone{Point: q, Color: rules.Color(1 + i%2)})
		}
		for _, bot := range All() {
			b.Run(bot.Name+"/"+p.Size.String(), func(b *testing.B) {
				for b.Loop() {
					think(b, bot, p)
				}
			})
		}
	}
}
