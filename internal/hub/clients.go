package hub

import (
	"sync"
	"time"
)

// clients is every connection of this node.
type clients struct {
	buffers sync.Pool // write buffers, lent for the length of a write
	mu      sync.Mutex
	set     map[*client]struct{}
	closing bool
	empty   chan struct{} // closed when closing and none is left
}

// add reports false when no more are taken.
func (l *clients) add(c *client) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return false
	}
	if l.set == nil {
		l.set = map[*client]struct{}{}
	}
	l.set[c] = struct{}{}
	return true
}

func (l *clients) remove(c *client) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.set, c)
	if l.closing && len(l.set) == 0 && l.empty != nil {
		close(l.empty)
		l.empty = nil
	}
}

func (l *clients) all() []*client {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]*client, 0, len(l.set))
	for c := range l.set {
		list = append(list, c)
	}
	return list
}

// wait takes no more connections and waits until all are gone. Those that are
// not by then are cut, and cut is called to end what they are doing.
func (l *clients) wait(most time.Duration, cut func()) {
	l.mu.Lock()
	l.closing = true
	if len(l.set) == 0 {
		l.mu.Unlock()
		return
	}
	empty := make(chan struct{})
	l.empty = empty
	l.mu.Unlock()
	select {
	case <-empty:
		return
	case <-time.After(most):
	}
	cut()
	for _, c := range l.all() {
		c.conn.Close()
	}
	<-empty
}
