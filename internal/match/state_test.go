package match_test

import (
	"testing"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

func TestMoveText(t *testing.T) {
	for text, want := range map[string]match.Move{
		"h8":   {Point: rules.Point{X: 7, Y: 7}},
		"a1":   {},
		"pass": {Pass: true},
	} {
		got := match.Move{Point: rules.Point{X: 3}, Pass: true} // reading leaves nothing behind
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q is read as %+v, error %v, want %+v", text, got, err, want)
		}
		if back, err := want.MarshalText(); err != nil || string(back) != text {
			t.Errorf("%+v is written %q, error %v, want %q", want, back, err, text)
		}
	}
}

// What a state tells of the side to move, in games that have just begun.
func TestTurn(t *testing.T) {
	doubleThree := "both h7 a1 h9 a3 g8 a5 i8 a7"
	for _, c := range []struct {
		name      string
		game      string
		moves     string
		turn      rules.Color
		bot       bool
		forbidden int
	}{
		{"an open room", "renju 15x15 black", "", rules.Empty, false, 0},
		{"Black begins", "renju 15x15 black against=robot", "", rules.Black, false, 0},
		{"the bot is next", "renju 15x15 black against=robot", "black place h8", rules.White, true, 0},
		{"the bot begins", "renju 15x15 white against=robot", "", rules.Black, true, 0},
		{"Black has forbidden points", "renju 15x15 black against=bob", doubleThree, rules.Black, false, 1},
		{"White has none", "renju 15x15 black against=bob", doubleThree + " a15", rules.White, false, 0},
		{"nor has Black elsewhere", "standard 15x15 black against=bob", doubleThree, rules.Black, false, 0},
		{"nor when it is over", "renju 15x15 black against=bob", doubleThree + "\n+1s white resign", rules.Empty, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			script := "+0 ann new " + c.game + "\n"
			if c.moves != "" {
				script += "+1s " + c.moves + "\n"
			}
			_, log := play(t, script)
			s, err := match.Fold(log)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Turn(); got != c.turn {
				t.Errorf("the turn is %s's, want %s's", got, c.turn)
			}
			if _, bot := s.BotToMove(); bot != c.bot {
				t.Errorf("a bot is to move: %t, want %t", bot, c.bot)
			}
			if got := s.AppendForbidden(nil); len(got) != c.forbidden {
				t.Errorf("forbidden are %v, want %d", got, c.forbidden)
			}
		})
	}
}
