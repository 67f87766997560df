package brain

import (
	"fmt"
	"math/bits"
	"runtime"
	"strings"

	"gomokud/internal/rules"
)

func (s *session) about(line) {
	s.out.say(`name=%q, version=%q, author="gomokud", country="everywhere"`, s.cfg.Name, s.cfg.Version)
}

// showForbidden lists the points that Black may not take, if that is a question.
func (s *session) showForbidden(line) {
	if err := s.ready(); err != nil {
		s.out.sorry(err)
		return
	}
	var list strings.Builder
	if s.told.rule == rules.Renju && s.toMove == rules.Black {
		pos := s.position(s.told.rule)
		for _, f := range rules.AppendForbidden(nil, pos.Board()) {
			fmt.Fprintf(&list, "%02d%02d", f.Point.X, s.size.Height-1-int(f.Point.Y))
		}
	}
	s.out.say("FORBID %s.", &list)
}

func (s *session) clearHash(line) {
	s.mind.forget()
	s.out.say("MESSAGE %s has forgotten what it knew", s.cfg.Name)
}

// showInfo announces us to a board program; the size of the table is a power of
// two, in KiB.
func (s *session) showInfo(line) {
	s.out.say("MESSAGE %s %s", s.cfg.Name, s.cfg.Version)
	s.out.say("MESSAGE INFO MAX_THREAD_NUM %d", runtime.NumCPU())
	s.out.say("MESSAGE INFO MAX_HASH_SIZE %d", bits.Len(mostTable>>10)-1)
}
