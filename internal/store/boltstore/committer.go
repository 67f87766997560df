package boltstore

import (
	"context"
	"runtime"
	"time"
)

const (
	queueLen      = 1024    // commits that may wait; then Append blocks
	maxGroup      = 1024    // commits in one entry of the journal
	maxGroupBytes = 4 << 20 // and about as much of their bytes
)

// A request is a commit on its way to the committer.
type request struct {
	encoded []byte
	done    chan error // has room for the one answer
}

// commit hands the request to the committer and waits for what became of it.
func (s *Store) commit(ctx context.Context, req *request) error {
	select {
	case s.queue <- req:
	case <-s.closing:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-req.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-s.stopped:
	}
	select { // it may have been answered just before the committer ended
	case err := <-req.done:
		return err
	default:
		return errClosed
	}
}

// committer is the state of the goroutine run, which alone uses it.
type committer struct {
	journal  *journal
	seq      uint64  // of the newest journal entry
	saved    uint64  // entries up to this one are of no more use
	stamp    uint64  // the newest given out
	entries  []entry // of the journal, from saved on, oldest first
	goal     uint64  // entries up to this one are to be retired
	rest     bool    // retiring has failed: leave it until the next tick
	lastFail string  // the failure that was logged, to log it once
}

// entry is a journal entry that is on the disk.
type entry struct {
	seq   uint64
	rooms []*room // that it is about, some doubled
}

// run is the committer: every change of a room, on the disk and in memory, is
// made here. It ends after Close has been called.
func (s *Store) run() {
	defer close(s.stopped)
	tick := time.NewTicker(s.opts.SweepEvery)
	defer tick.Stop()
	for {
		if s.behind() { // do a slice of it, after commits if there are any
			select {
			case <-s.closing:
				return
			case req := <-s.queue:
				s.step(s.collect(req))
			default:
			}
			s.retire()
			continue
		}
		select {
		case <-s.closing:
			return
		case req := <-s.queue:
			s.step(s.collect(req))
		case <-tick.C:
			s.committer.goal, s.committer.rest = s.committer.seq, false
			s.sweep(time.Now())
		}
	}
}

// collect takes what else has queued up.
func (s *Store) collect(first *request) []*request {
	runtime.Gosched() // whoever can go on now may queue up, and one write is enough for all
	group, size := []*request{first}, len(first.encoded)
	for len(group) < maxGroup && size < maxGroupBytes {
		select {
		case req := <-s.queue:
			group = append(group, req)
			size += len(req.encoded)
		default:
			return group
		}
	}
	return group
}

// step commits a group. When it is on the disk, memory follows, and everyone is
// told.
func (s *Store) step(requests []*request) {
	g := newGroup(s, len(requests))
	err := g.write(requests)
	if err != nil || len(g.accepted) > 0 {
		s.report(err)
	}
	if err != nil {
		err = unavailable("commit", err)
		for _, req := range requests {
			req.done <- err
		}
		return
	}
	g.remember()
	for i, req := range requests {
		req.done <- g.verdicts[i]
	}
	g.announce()
	c := &s.committer
	if len(g.accepted) > 0 && c.journal.takeTurns(c.saved) {
		c.goal, c.rest = c.seq, false // the other file is full
	}
}

// report logs a failure when it begins or changes.
func (s *Store) report(err error) {
	c := &s.committer
	switch {
	case err == nil && c.lastFail != "":
		s.opts.Logger.Info("store writes again")
		c.lastFail = ""
	case err != nil && err.Error() != c.lastFail:
		s.opts.Logger.Error("store cannot write", "err", err)
		c.lastFail = err.Error()
	}
}

// nextStamp is the current time in microseconds, but for each record another
// one, higher than all before.
func (c *committer) nextStamp(records int) uint64 {
	first := max(uint64(time.Now().UnixMicro()), c.stamp+1)
	c.stamp = first + uint64(records) - 1
	return first
}
