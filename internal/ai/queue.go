package ai

import (
	"cmp"
	"slices"
)

// queue is the jobs that wait. Owners take turns, so that who plays in twenty
// rooms makes nobody wait for more than one of them; of an owner's rooms, the
// one that has waited longest is next.
type queue struct {
	turns   []string // owners who wait, the next first
	waiting map[string][]*task
	n       int
}

// owner is on whose behalf a job is asked.
func (t *task) owner() string { return cmp.Or(t.job.Owner, t.job.Room) }

// push adds a job; with an older one of its room's still in the queue, it takes
// that one's place.
func (q *queue) push(t, old *task) {
	owner := t.owner()
	if old != nil && old.owner() == owner {
		if i := slices.Index(q.waiting[owner], old); i >= 0 {
			q.waiting[owner][i] = t
			return
		}
	}
	q.remove(old)
	if len(q.waiting[owner]) == 0 {
		q.turns = append(q.turns, owner)
	}
	if q.waiting == nil {
		q.waiting = map[string][]*task{}
	}
	q.waiting[owner] = append(q.waiting[owner], t)
	q.n++
}

// pop takes the job whose turn it is, or nil.
func (q *queue) pop() *task {
	if q.n == 0 {
		return nil
	}
	owner := q.turns[0]
	t := q.waiting[owner][0]
	q.remove(t)
	if len(q.waiting[owner]) > 0 {
		q.turns = append(q.turns[1:], owner)
	}
	return t
}

// remove takes a job out and reports whether it was there.
func (q *queue) remove(t *task) bool {
	if t == nil {
		return false
	}
	owner := t.owner()
	i := slices.Index(q.waiting[owner], t)
	if i < 0 {
		return false
	}
	q.n--
	if q.waiting[owner] = slices.Delete(q.waiting[owner], i, i+1); len(q.waiting[owner]) == 0 {
		delete(q.waiting, owner)
		at := slices.Index(q.turns, owner)
		q.turns = slices.Delete(q.turns, at, at+1)
	}
	return true
}

// contains reports whether the job waits.
func (q *queue) contains(t *task) bool {
	return t != nil && slices.Contains(q.waiting[t.owner()], t)
}
