package tengen

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// The threads of a search work on one tree: when the first move of a position has
// been tried, the others are offered to threads that have nothing to do ('young
// brothers wait'). Who made the offer takes part, and waits for all who did.

// team is the threads of a search.
type team struct {
	idle  atomic.Int32          // threads with nothing to do
	offer atomic.Pointer[split] // the latest
}

// split is a position whose moves several threads try.
type split struct {
	over    atomic.Bool  // nothing that is still tried matters
	workers atomic.Int32 // others than the owner

	mu     sync.Mutex
	open   bool   // for others to take part
	above  *split // the one that its owner works for
	owner  *thread
	path   []square // from the root
	stack  []node
	banned set
	visit  visit
	moves  []move
	taken  int // of them
}

// splitDepth is the least depth at which it is worth while.
const splitDepth = 4

// wanted reports whether the moves that are left are worth an offer.
func (m *team) wanted(v *visit, left int) bool {
	return v.tried > 0 && left > 1 && v.depth >= splitDepth && m.idle.Load() > 0
}

// aborted reports whether what this thread does is of use to nobody.
func (t *thread) aborted() bool {
	if t.limits.over.Load() {
		return true
	}
	for s := t.split; s != nil; s = s.above {
		if s.over.Load() {
			return true
		}
	}
	return false
}

// share tries the moves together with whoever has nothing to do.
func (t *thread) share(v *visit, moves []move) {
	s := t.newSplit()
	s.mu.Lock()
	s.over.Store(false)
	s.above, s.visit = t.split, *v
	s.path = s.path[:0]
	for _, m := range t.p.history[t.base:] {
		s.path = append(s.path, m.square)
	}
	s.stack = append(s.stack[:0], t.stack[:v.ply+3]...)
	s.banned = t.banned
	s.moves, s.taken = s.moves[:0], 0
	for _, m := range moves {
		if m.square != v.excluded && !(v.ply == 0 && t.banned.has(m.square)) {
			s.moves = append(s.moves, m)
		}
	}
	s.open = true
	s.mu.Unlock()
	t.team.offer.Store(s)

	t.split = s
	t.work(s)
	s.mu.Lock()
	s.open = false
	s.mu.Unlock()
	if s.workers.Load() > 0 { // lends a hand to those who work for it
		t.team.idle.Add(1)
		for s.workers.Load() > 0 {
			t.assist(s)
		}
		t.team.idle.Add(-1)
	}
	t.split = s.above
	*v = s.visit
	t.splits = append(t.splits, s)
}

// newSplit returns one that is not in use.
func (t *thread) newSplit() *split {
	if n := len(t.splits); n > 0 {
		s := t.splits[n-1]
		t.splits = t.splits[:n-1]
		return s
	}
	return &split{owner: t}
}

// work tries moves until none is left or none matters.
func (t *thread) work(s *split) {
	for {
		s.mu.Lock()
		m, place, above, ok := s.next(t.p)
		v := s.visit
		s.mu.Unlock()
		if !ok || t.aborted() {
			return
		}
		score := t.try(&v, m, place, above)
		if t.aborted() {
			return
		}
		s.mu.Lock()
		if ply := v.ply; s.visit.takes(m.square, score, &s.owner.lines[ply], &t.lines[ply+1]) && score >= v.beta {
			s.over.Store(true)
		}
		s.mu.Unlock()
	}
}

// next takes a move. The caller holds the lock.
func (s *split) next(p *position) (m move, place, above int, ok bool) {
	for s.taken < len(s.moves) {
		m = pick(s.moves[s.taken:])
		s.taken++
		if !s.visit.skips(p, m) {
			return m, s.visit.tried, s.visit.above, true
		}
	}
	return m, 0, 0, false
}

// assist takes part in what is on offer below a split, or anywhere if that is nil.
func (t *thread) assist(below *split) {
	s := t.team.offer.Load()
	if s == nil || !s.join(t, below) {
		runtime.Gosched()
		return
	}
	defer s.workers.Add(-1)
	t.team.idle.Add(-1)
	defer t.team.idle.Add(1)
	was, base := t.split, len(t.p.history)
	t.split = s
	for _, m := range s.path[base-t.base:] {
		t.p.play(m)
	}
	copy(t.stack[:], s.stack)
	t.banned = s.banned
	t.work(s)
	for len(t.p.history) > base {
		t.p.undo()
	}
	t.split = was
}

// join reports whether the thread may take part in the split.
func (s *split) join(t *thread, below *split) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.open || s.taken == len(s.moves) || s.owner == t {
		return false
	}
	if below != nil {
		ours := false
		for above := s.above; above != nil && !ours; above = above.above {
			ours = above == below
		}
		if !ours {
			return false
		}
	}
	s.workers.Add(1)
	return true
}

// help works for others until the search is over.
func (t *thread) help() {
	t.team.idle.Add(1)
	defer t.team.idle.Add(-1)
	for !t.limits.over.Load() {
		t.assist(nil)
	}
}
