package hub

import (
	"context"
	"slices"
	"sync"
	"time"
)

// clients is every connection of this node. They are spread over slots, whose
// turns to be pinged are spread over time.
type clients struct {
	unused   sync.Pool // see ServeSocket
	batches  sync.Pool // *[maxBatch]byte, lent to outboxes
	messages sync.Pool // *[]byte, lent for the time of a command

	mu      sync.Mutex
	slots   [pulses][]*client
	added   int
	count   int
	closing bool
	empty   chan struct{} // closed when closing and none is left
}

// pulses is in how many parts the connections are pinged.
const pulses = 64

// add reports false when no more are taken.
func (l *clients) add(c *client) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return false
	}
	c.slot = l.added % pulses
	l.added++
	l.count++
	l.slots[c.slot] = append(l.slots[c.slot], c)
	return true
}

func (l *clients) remove(c *client) {
	l.mu.Lock()
	defer l.mu.Unlock()
	slot := &l.slots[c.slot]
	at := slices.Index(*slot, c)
	end := len(*slot) - 1
	(*slot)[at] = (*slot)[end]
	*slot = slices.Delete(*slot, end, end+1)
	l.count--
	if l.closing && l.count == 0 && l.empty != nil {
		close(l.empty)
		l.empty = nil
	}
}

func (l *clients) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count
}

func (l *clients) all() []*client {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Concat(l.slots[:]...)
}

// wait takes no more connections and waits until all are gone. Those that are
// not by then are cut, and cut is called to end what they are doing.
func (l *clients) wait(most time.Duration, cut func()) {
	l.mu.Lock()
	l.closing = true
	if l.count == 0 {
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
		c.out.line.Close()
	}
	<-empty
}

// pingAll pings every connection a little more than twice in the silence that
// is allowed, a slot at a time.
func (h *Hub) pingAll(ctx context.Context) {
	l := &h.clients
	for slot := 0; sleep(ctx, h.cfg.Silence*9/20/pulses); slot = (slot + 1) % pulses {
		l.mu.Lock()
		turn := slices.Clone(l.slots[slot])
		l.mu.Unlock()
		for _, c := range turn {
			c.ping()
		}
	}
}

// borrow lends a buffer for a message.
func (l *clients) borrow() *[]byte {
	if b, ok := l.messages.Get().(*[]byte); ok {
		return b
	}
	b := make([]byte, 0, 512)
	return &b
}

func (l *clients) giveBack(b *[]byte) { l.messages.Put(b) }
