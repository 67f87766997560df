package external

import (
	"bufio"
	"errors"
	"strings"
	"testing"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// Whatever a program says, lines are short and whole, and what is taken for a
// move is one.
func FuzzWhatAProgramSays(f *testing.F) {
	for _, text := range []string{
		"7,7\r\n", "OK\rMESSAGE 1,2\n\n 3 , 4 \n", "-1,-1\n15,0\n99999999999999999999,0\n,\n-,-\n", "8,8", "\x00\xff,\n",
		strings.Repeat("9,", longestLine) + "\n1,1\n",
	} {
		f.Add(text)
	}
	pos := position(rules.Renju, rules.Size{Width: 15, Height: 15}, "g8", "a1", "i8", "c1", "h7", "e1", "h9", "g1")
	board := pos.Board()
	f.Fuzz(func(t *testing.T, text string) {
		p := &process{lines: bufio.NewReader(strings.NewReader(text))}
		for {
			line, err := p.hear()
			if err != nil {
				if !errors.Is(err, ErrGone) && !errors.Is(err, ErrTalk) {
					t.Fatal(err)
				}
				return
			}
			if line == "" || len(line) > longestLine || strings.ContainsAny(line, "\r\n") {
				t.Errorf("line %q", line)
			}
			if !looksLikeMove(line) {
				continue
			}
			if move, err := legal(pos, line); err == nil && !ai.MayPlay(board, pos.Rule, pos.ToMove, move) {
				t.Errorf("%q is taken for %v", line, move)
			} else if err != nil && !errors.Is(err, ErrIllegal) {
				t.Errorf("%q: %v", line, err)
			}
		}
	})
}
