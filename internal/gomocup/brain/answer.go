package brain

import (
	"context"
	"errors"
	"strings"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/gomocup"
	"gomokud/internal/rules"
)

// move thinks for the side to move, answers, and makes the move. Lines are those
// of an analysis, or 0.
func (s *session) move(l line, lines int) {
	thought, err := s.think(l, s.position(s.told.rule), s.limit(), lines)
	if err != nil {
		s.out.sorry(err)
		return
	}
	s.own = s.toMove
	s.place(thought.Move, s.own)
	s.answer(l, gomocup.FormatPoint(s.size, thought.Move))
}

// answer gives the answer that took time.
func (s *session) answer(l line, text string) {
	s.out.say("%s", text)
	s.told.clock.spend(time.Since(s.asked(l)))
	s.answered = time.Now()
}

// asked is from when on an answer takes time: a manager that did not wait for
// the one before has waited for that.
func (s *session) asked(l line) time.Time {
	if l.at.Before(s.answered) {
		return s.answered
	}
	return l.at
}

// limit is the time for the next answer.
func (s *session) limit() time.Duration {
	about, most := movesToGo(len(s.stones), s.size.Points())
	return s.told.clock.limit(about, most, s.told.nodes > 0 || s.told.depth > 0)
}

// spare reports whether there is time left to think about one thing more for the
// same answer: a busy machine may have taken it.
func (s *session) spare(l line, limit time.Duration) bool {
	return aim(limit)-time.Since(s.asked(l)) >= glance
}

// think has the engine think about a position for so long after the line was
// read. The error is errNoPoint, or nil.
func (s *session) think(l line, pos ai.Position, limit time.Duration, lines int) (ai.Thought, error) {
	if s.told.strange != "" {
		s.out.say("MESSAGE %s", s.told.strange)
		s.told.strange = ""
	}
	s.mind.set(s.told.settings(s.cfg))
	began := time.Now()
	until := s.asked(l).Add(aim(limit))
	if soonest := began.Add(glance); until.Before(soonest) {
		until = soonest
	}
	ctx, cancel := context.WithDeadline(s.ctx, until)
	defer cancel()
	heard := s.in.thinking(l.number, func() { time.AfterFunc(time.Until(began.Add(glance)), cancel) })
	defer heard()

	show := &display{out: s.out, size: s.size, began: began, on: true}
	thought, err := s.mind.think(ctx, task{
		pos: pos, lines: lines, report: show.analysis, slack: max(limit-until.Sub(s.asked(l)), 0) + grace,
		budget: ai.Budget{Time: time.Until(until), Nodes: s.told.nodes, Depth: s.told.depth, Seed: s.seed},
	})
	show.end()
	switch {
	case errors.Is(err, errNoPoint):
		return thought, err
	case err != nil:
		s.cfg.Log.Error("the engine failed; something simpler moved for it", "engine", s.cfg.Name, "err", err)
		first, _, _ := strings.Cut(err.Error(), "\n")
		s.out.say("MESSAGE %s failed, and something simpler moves for it: %s", s.cfg.Name, first)
	default:
		show.thought(thought, s.told.detail)
	}
	return thought, nil
}

// warmUp makes the engine and lets it fill its tables, for whatever rule may
// come, while no game is on.
func (s *session) warmUp() {
	s.mind.set(s.told.settings(s.cfg))
	if s.mind.warm || s.size == (rules.Size{}) || len(s.stones) > 0 {
		return
	}
	for _, rule := range []rules.Rule{rules.Caro, rules.Renju, rules.Standard, rules.Freestyle, s.told.rule} {
		if err := s.rehearse(rule); err != nil {
			s.cfg.Log.Warn("the engine does not get ready", "engine", s.cfg.Name, "rule", rule, "err", err)
		}
	}
	s.mind.warm = true
	s.mind.forget()
}

// rehearse has the engine think for a moment.
func (s *session) rehearse(rule rules.Rule) error {
	ctx, cancel := context.WithTimeout(s.ctx, glance)
	defer cancel()
	centre := s.size.Center()
	_, err := s.mind.think(ctx, task{
		pos: ai.Position{Rule: rule, Size: s.size, ToMove: rules.Black, Stones: []ai.Stone{
			{Point: centre, Color: rules.Black},
			{Point: rules.Point{X: centre.X - 1, Y: centre.Y}, Color: rules.White},
		}},
		budget: ai.Budget{Time: glance, Nodes: 1, Depth: 1}, slack: readiness,
	})
	return err
}
