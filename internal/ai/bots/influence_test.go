package bots

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// onItsBoard is the middle row of the text's board of 16x14 points after some
// stones: 'a' is the player's, 'x' the opponent's.
func onItsBoard(t *testing.T, depth int, stones string) []int {
	t.Helper()
	size := rules.Size{Width: 16, Height: 14}
	f := newField(size, rules.Black, depth)
	for x, c := range stones {
		if color := map[rune]rules.Color{'a': rules.Black, 'x': rules.White}[c]; color != rules.Empty {
			f.play(ai.Stone{Point: rules.Point{X: int8(x), Y: 7}, Color: color})
		}
	}
	return f.weights[7*size.Width : 8*size.Width]
}

func TestInfluenceFallsOffWithDistance(t *testing.T) {
	for _, tt := range []struct {
		depth  int
		stones string
		want   [16]int
	}{
		{1, "______a_________", [16]int{5: 1, 7: 1}},
		{3, "______a_________", [16]int{3: 1, 2, 3, 0, 3, 2, 1}},
		{5, "______a_________", [16]int{1: 1, 2, 3, 4, 5, 0, 5, 4, 3, 2, 1}},
		{5, "______x_________", [16]int{1: -1, -2, -3, -4, -5, 0, -5, -4, -3, -2, -1}},
		{5, "_a______________", [16]int{5, 0, 5, 4, 3, 2, 1}},                            // the edge
		{3, "___a____x_______", [16]int{1, 2, 3, 0, 3, 2 - 1, 1 - 2, -3, 0, -3, -2, -1}}, // they cancel
		{3, "____ax__________", [16]int{1: 1, 2 - 1, 3 - 2, -3, 3, 2 - 3, 1 - 2, -1}},    // and stones do not stop it
	} {
		if got := [16]int(onItsBoard(t, tt.depth, tt.stones)); got != tt.want {
			t.Errorf("%s to depth %d: %v, want %v", tt.stones, tt.depth, got, tt.want)
		}
	}
}

func TestInfluenceGoesInEightDirections(t *testing.T) {
	f := newField(rules.Size{Width: 7, Height: 7}, rules.Black, 2)
	f.play(ai.Stone{Point: rules.Point{X: 3, Y: 3}, Color: rules.Black})
	want := strings.NewReplacer("\n", "", "\t", "", " ", "").Replace(`
		0000000
		0101010
		0022200
		0120210
		0022200
		0101010
		0000000`)
	got := ""
	for _, w := range f.weights {
		got += fmt.Sprint(w)
	}
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// bonusAt is what the row to the left of '*' adds to it when its last stone is
// played, and what the same row, mirrored, adds.
func bonusAt(t *testing.T, drawing string, me rules.Color) (bonus, mirrored int) {
	t.Helper()
	b, at := row(t, drawing)
	f := newField(b.Size(), me, 0)
	f.board = b
	last, _ := stepFrom(b.Size(), at, directions[alongRow], -1)
	f.reward(ai.Stone{Point: last, Color: rules.Black}, directions[alongRow], 1)

	var back strings.Builder
	for i := range drawing {
		back.WriteByte(drawing[len(drawing)-1-i])
	}
	b, to := row(t, back.String())
	g := newField(b.Size(), me, 0)
	g.board = b
	last, _ = stepFrom(b.Size(), to, directions[alongRow], 1)
	g.reward(ai.Stone{Point: last, Color: rules.Black}, directions[alongRow], -1)
	return *f.weight(at), *g.weight(to)
}

func TestTheBonusesOfTheList(t *testing.T) {
	for _, tt := range []struct {
		row          string
		mine, theirs int
	}{
		// 1: four
		{"_aaaa*____", 400, -300},
		{"xaaaa*____", 400, -300},
		{"_aaaa*x___", 400, -300},
		{"_aaaa*a___", 0, 0}, // six
		// 2: three
		{"__aaa*____", 300, -200},
		{"__aaa*a___", 400, -300},
		{"__aaa*aa__", 0, 0},
		{"__aaa*x___", 200, -100},
		{"_____aaa*", 200, -100}, // the edge is like a stone
		// 3: three that is stopped at one end
		{"_xaaa*____", 200, -200},
		{"aaa*______", 200, -200},
		{"_xaaa*a___", 300, -300},
		{"_xaaa*ax__", 300, -300},
		{"_xaaa*aa__", 0, 0},
		{"_xaaa*x___", 0, 0},
		// 4: two
		{"__aa*_____", 100, -100},
		{"__aa*a____", 100, -100},
		{"__aa*aa___", 200, -200},
		{"__aa*aax__", 200, -200},
		{"__aa*aaa__", 0, 0},
		{"_xaa*_____", 0, 0},
		// 5: one
		{"__a*aaa___", 300, -300},
		{"__a*aaax__", 300, -300},
		{"_xa*aaa___", 300, -300},
		{"__a*aaaa__", 0, 0},
		{"__a*aa____", 100, -100},
		{"__a*aax___", 0, 0},
		{"_xa*aa____", 0, 0},
		{"__a*a_____", 0, 0},
		{"__a*______", 0, 0},
		// five and more
		{"aaaaa*____", 0, 0},
	} {
		if got, mirrored := bonusAt(t, tt.row, rules.Black); got != tt.mine || mirrored != tt.mine {
			t.Errorf("%s is worth %d to its own side, %d mirrored, want %d", tt.row, got, mirrored, tt.mine)
		}
		if got, mirrored := bonusAt(t, tt.row, rules.White); got != tt.theirs || mirrored != tt.theirs {
			t.Errorf("%s is worth %d to the other side, %d mirrored, want %d", tt.row, got, mirrored, tt.theirs)
		}
	}
}

func TestAnOpenThreeIsNotWorthStoppingTwice(t *testing.T) {
	for _, tt := range []struct {
		stones, stop string
		end          int  // a far end
		mine, theirs bool // whose three it is
		want         int  // what the stop takes from it
	}{
		{"______aaa_______", "x", 5, true, false, 300},
		{"______xxx_______", "a", 5, false, true, -200},
		{"_____aaaa_______", "x", 4, true, false, 0}, // a four still makes a five there
		{"_______aa_______", "x", 6, true, false, 0},
		{"_____xaaa_______", "x", 5, true, false, 0}, // it was stopped before
	} {
		before := onItsBoard(t, 0, tt.stones)[tt.end]
		after := onItsBoard(t, 0, tt.stones[:9]+tt.stop+tt.stones[10:])[tt.end]
		if got := before - after; got != tt.want {
			t.Errorf("%s stopped at the right loses %d, want %d", tt.stones, got, tt.want)
		}
	}
}

func TestTheStrongerExtremeDecides(t *testing.T) {
	for _, tt := range []struct {
		name, board string
		rule        rules.Rule
		toMove      rules.Color
		want        string
	}{
		{"attack: a three becomes an open four", `
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . O O O . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . X X X . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .`, rules.Freestyle, rules.Black, "e5 i5"},
		{"defence: the opponent's three", `
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . O O O . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . X X . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .
			. . . . . . . . . . . . . . . .`, rules.Freestyle, rules.Black, "e8 i8"},
		{"of equal extremes the attack, towards the centre", `
			. . . . . . . . . . .
			. . . . . . . . . O .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. X . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Freestyle, rules.Black, "c4"},
		{"its own five before the opponent's", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. O O O O . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . X X X X . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Freestyle, rules.Black, "c6 h6"},
		{"six win where the rules say so", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. X X X . X X . . . .
			. . . . . . . . . . .
			. . . O O O . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Freestyle, rules.Black, "e6"},
		{"and where they do not the text's fives are theirs", `
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. X X X . X X . . . .
			. . . . . . . . . . .
			. . O O O O X . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .
			. . . . . . . . . . .`, rules.Standard, rules.Black, "b4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := drawn(t, tt.rule, tt.toMove, tt.board)
			bot, _ := Find("influence")
			if got := think(t, bot, p).String(); !strings.Contains(" "+tt.want+" ", " "+got+" ") {
				t.Errorf("plays %s, want one of %s on\n%v", got, tt.want, p.Board())
			}
		})
	}
}

func TestBothSidesOfALineAreWeighedAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := position(t)
		depth := rapid.IntRange(1, 5).Draw(t, "depth")
		mirror := func(at rules.Point) rules.Point {
			return rules.Point{X: int8(p.Size.Width) - 1 - at.X, Y: int8(p.Size.Height) - 1 - at.Y}
		}
		f, g := newField(p.Size, p.ToMove, depth), newField(p.Size, p.ToMove, depth)
		for _, s := range p.Stones {
			f.play(s)
			g.play(ai.Stone{Point: mirror(s.Point), Color: s.Color})
		}
		for at := range p.Size.All() {
			if got, want := *g.weight(mirror(at)), *f.weight(at); got != want {
				t.Fatalf("%v is worth %d, mirrored %d on\n%v", at, want, got, f.board)
			}
		}
	})
}

func TestTheStrongestLevelIsTheDefault(t *testing.T) {
	differs := [6]bool{}
	rapid.Check(t, func(t *rapid.T) {
		p := position(t)
		got, err := Influence{}.Think(t.Context(), p, ai.Budget{})
		for depth := range differs {
			if depth == 0 {
				continue
			}
			want, wantErr := Influence{Depth: depth}.Think(t.Context(), p, ai.Budget{})
			if !errors.Is(err, wantErr) {
				t.Fatalf("level %d: %v, want %v", depth, wantErr, err)
			}
			differs[depth] = differs[depth] || got.Move != want.Move || got.Score != want.Score
		}
	})
	if want := [6]bool{1: true, 2: true, 3: true, 4: true}; differs != want {
		t.Errorf("thinks otherwise than the levels %v, want %v", differs, want)
	}
}

func TestInfluenceEndsWithItsContext(t *testing.T) {
	p := drawn(t, rules.Freestyle, rules.Black, `
		. . . . .
		. O O . .
		. X X . .
		. . . . .
		. . . . .`)
	for asked := range len(p.Stones) + p.Size.Height {
		ctx := &ending{t.Context(), asked}
		if thought, err := (Influence{}).Think(ctx, p, ai.Budget{}); err != nil || thought.Depth != 0 || ctx.left != -1 {
			t.Errorf("asked %d times: %+v, %v", asked-ctx.left, thought, err)
		}
	}
}

func TestWholeGamesComeToAnEnd(t *testing.T) {
	all := []rules.Rule{rules.Freestyle, rules.Standard, rules.Caro, rules.Renju}
	round := 0
	for _, name := range []string{"influence", "backtrack"} {
		bot, _ := Find(name)
		for _, against := range All() {
			for _, size := range []rules.Size{{Width: 5, Height: 5}, {Width: 16, Height: 14}, {Width: 6, Height: 12}} {
				black, white := bot, against
				if round%2 > 0 {
					black, white = against, bot
				}
				playOut(t, all[round%len(all)], size, black, white)
				round++
			}
		}
	}
}

// playOut plays a game until somebody wins or there is nowhere left to play.
func playOut(t *testing.T, rule rules.Rule, size rules.Size, black, white Bot) {
	t.Helper()
	p := ai.Position{Rule: rule, Size: size, ToMove: rules.Black}
	board := p.Board()
	for range size.Points() {
		bot := black
		if p.ToMove == rules.White {
			bot = white
		}
		thought, err := bot.New().Think(t.Context(), p, ai.Budget{})
		if errors.Is(err, ai.ErrNoMove) {
			break
		}
		if err != nil {
			t.Fatalf("%s under %v: %v", bot.Name, rule, err)
		}
		if !ai.MayPlay(board, rule, p.ToMove, thought.Move) {
			t.Fatalf("%s plays %v under %v on\n%v", bot.Name, thought.Move, rule, board)
		}
		board.Place(thought.Move, p.ToMove)
		if rule.Wins(board, thought.Move) {
			return
		}
		p.Stones = append(p.Stones, ai.Stone{Point: thought.Move, Color: p.ToMove})
		p.ToMove = p.ToMove.Opponent()
	}
	for at := range size.All() {
		if ai.MayPlay(board, rule, p.ToMove, at) {
			t.Fatalf("%s against %s under %v stops where %v is left on\n%v", black.Name, white.Name, rule, at, board)
		}
	}
}
