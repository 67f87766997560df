package brain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gomokud/internal/gomocup"
	"gomokud/internal/rules"
)

// Why a command is refused; see also game.
var (
	errTurn     = errors.New("it is not my turn")
	errArgument = errors.New("bad argument")
)

// session is a conversation with a manager.
type session struct {
	ctx  context.Context
	cfg  Config
	in   *mail
	out  *talk
	back *line // was read too far

	told     info
	mind     thinker
	seed     uint64    // of the game
	answered time.Time // when the last move was out
	game
}

// run carries commands out until there are no more.
func (s *session) run() {
	for {
		if len(s.in.lines) == 0 {
			s.warmUp()
		}
		l, ok := s.next()
		if !ok {
			return
		}
		if run := s.command(l.word); run != nil {
			run(l)
		} else {
			s.out.say("UNKNOWN command %s", strconv.QuoteToASCII(l.word[:min(len(l.word), 40)]))
		}
	}
}

// next waits for a line; there is none any more when the conversation is over.
func (s *session) next() (line, bool) {
	if l := s.back; l != nil {
		s.back = nil
		return *l, true
	}
	select {
	case l, ok := <-s.in.lines:
		return l, ok
	case <-s.ctx.Done():
		return line{}, false
	}
}

// command is what a word asks for, or nil.
func (s *session) command(word string) func(line) {
	switch word {
	case "START":
		return s.start
	case "RECTSTART":
		return s.rectStart
	case "RESTART":
		return s.restart
	case "BEGIN":
		return s.begin
	case "TURN":
		return s.turn
	case "PLAY":
		return s.play
	case "TAKEBACK":
		return s.takeBack
	case "BOARD":
		return s.board
	case "YXBOARD":
		return s.yxBoard
	case "DONE":
		return s.done
	case "SWAP2BOARD":
		return s.swap2
	case "INFO":
		return s.tell
	case "ABOUT":
		return s.about
	case "YXSHOWFORBID":
		return s.showForbidden
	case "YXNBEST":
		return s.bestLines
	case "YXHASHCLEAR":
		return s.clearHash
	case "YXSHOWINFO":
		return s.showInfo
	}
	return nil
}

func (s *session) start(l line) {
	side, err := strconv.Atoi(l.rest)
	if err != nil {
		s.out.sorry(fmt.Errorf("START %q: %w", l.rest, errArgument))
		return
	}
	s.clear(rules.Size{Width: side, Height: side})
}

func (s *session) rectStart(l line) {
	w, h, _ := strings.Cut(l.rest, ",")
	width, errW := strconv.Atoi(strings.TrimSpace(w))
	height, errH := strconv.Atoi(strings.TrimSpace(h))
	if errW != nil || errH != nil {
		s.out.sorry(fmt.Errorf("RECTSTART %q: %w", l.rest, errArgument))
		return
	}
	s.clear(rules.Size{Width: width, Height: height})
}

func (s *session) restart(line) {
	if err := s.ready(); err != nil {
		s.out.sorry(err)
		return
	}
	s.clear(s.size)
}

// clear begins a game.
func (s *session) clear(size rules.Size) {
	if err := size.Validate(); err != nil {
		s.out.sorry(err)
		return
	}
	s.game = game{size: size, toMove: rules.Black}
	s.told.clock.used = 0
	if s.cfg.Seed != nil {
		s.seed = s.cfg.Seed()
	}
	s.mind.forget()
	s.warmUp()
	s.out.say("OK")
}

// begin asks for a move.
func (s *session) begin(l line) {
	err := s.ready()
	if err == nil && !s.ours() {
		err = errTurn
	}
	if err != nil {
		s.out.sorry(err)
		return
	}
	s.move(l, 0)
}

// turn has the opponent's stone and asks for a move.
func (s *session) turn(l line) {
	p, err := s.free(l.rest)
	if err != nil {
		s.out.sorry(err)
		return
	}
	if len(s.stones) == 0 {
		s.own = rules.White
	}
	s.place(p, s.own.Opponent())
	s.move(l, 0)
}

// play has our own stone.
func (s *session) play(l line) {
	p, err := s.free(l.rest)
	if err == nil && !s.ours() {
		err = errTurn
	}
	if err != nil {
		s.out.sorry(err)
		return
	}
	s.own = s.toMove
	s.place(p, s.own)
	s.out.say("%s", gomocup.FormatPoint(s.size, p))
}

// takeBack removes a stone; who had placed it is to move.
func (s *session) takeBack(l line) {
	if err := s.remove(l.rest); err != nil {
		s.out.sorry(err)
		return
	}
	s.out.say("OK")
}

// bestLines asks for a move and what else there is.
func (s *session) bestLines(l line) {
	n, err := strconv.Atoi(l.rest)
	if err != nil || n < 1 {
		err = fmt.Errorf("YXNBEST %q: %w", l.rest, errArgument)
	}
	if err := cmp.Or(s.ready(), err); err != nil {
		s.out.sorry(err)
		return
	}
	s.move(l, min(n, s.size.Points()))
}
