package brain

import (
	"errors"
	"fmt"
	"strings"

	"gomokud/internal/rules"
)

// Why a position is refused.
var (
	errField = errors.New("the third number is 1, 2, or under renju 3")
	errEnd   = errors.New("its end, DONE, does not come")
	errDone  = errors.New("nothing is to be DONE")
)

// board takes a position over and asks for a move.
func (s *session) board(l line) {
	if done, ok := s.setUp(l); ok {
		s.move(done, 0)
	}
}

// yxBoard takes a position over.
func (s *session) yxBoard(l line) { s.setUp(l) }

// setUp reads the stones of BOARD and YXBOARD, to the line that says DONE. We
// are to move, however many stones lie there; Black is whose stone comes first,
// and without stones we are.
//
// Under renju a manager may mark points that are forbidden (3); we know them
// ourselves. The continuous game, in which 3 is a stone of a finished row, is
// not offered.
func (s *session) setUp(l line) (done line, ok bool) {
	next := game{size: s.size}
	done, ok = s.body(l, func(text string) error {
		at, field := text, ""
		if i := strings.LastIndexByte(text, ','); i >= 0 {
			at, field = text[:i], strings.TrimSpace(text[i+1:])
		}
		p, err := next.free(at)
		if err != nil {
			return err
		}
		var side rules.Color
		switch field {
		case "1":
			side = rules.Black // as if we were
		case "2":
			side = rules.White
		case "3":
			if s.told.rule == rules.Renju {
				return nil
			}
			fallthrough
		default:
			return fmt.Errorf("%q: %w", text, errField)
		}
		next.place(p, side)
		return nil
	})
	if !ok {
		return done, false
	}
	next.own = rules.Black
	if len(next.stones) > 0 && next.stones[0].Color == rules.White {
		next.own = rules.White
		for i := range next.stones {
			next.stones[i].Color = next.stones[i].Color.Opponent()
		}
	}
	next.toMove = next.own
	s.game = next
	return done, true
}

// body reads the lines up to DONE, which it returns. If one of them is wrong, or
// a command comes instead, it answers with the first error.
func (s *session) body(l line, read func(text string) error) (done line, ok bool) {
	bad := s.ready()
	for {
		next, ok := s.next()
		switch {
		case !ok:
			return line{}, false
		case next.word == "DONE":
			if bad != nil {
				s.out.sorry(bad)
			}
			return next, bad == nil
		case s.command(next.word) != nil:
			s.back = &next
			s.out.sorry(fmt.Errorf("%s: %w", l.word, errEnd))
			return line{}, false
		}
		if err := read(next.text); bad == nil {
			bad = err
		}
	}
}

func (s *session) done(line) { s.out.sorry(errDone) }
