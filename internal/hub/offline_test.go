package hub

import (
	"errors"
	"slices"
	"sync"
	"time"

	"gomokud/internal/match"
)

// paper is a line on which everything is written down.
type paper struct {
	mu      sync.Mutex
	written [][]byte
}

func (p *paper) Offer(data []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.written = append(p.written, slices.Clone(data))
	return len(data), nil
}

func (p *paper) Insist(data []byte, _ time.Duration) error {
	_, err := p.Offer(data)
	return err
}

func (*paper) Close() error                    { return nil }
func (*paper) SetReadDeadline(time.Time) error { return nil }

// stuck is a line that takes nothing until it is closed.
type stuck struct {
	closed chan struct{}
	close  func()
}

func newStuck() *stuck {
	closed := make(chan struct{})
	return &stuck{closed, sync.OnceFunc(func() { close(closed) })}
}

func (*stuck) Offer([]byte) (int, error) { return 0, nil }

func (s *stuck) Insist([]byte, time.Duration) error {
	<-s.closed
	return errors.New("closed")
}

func (s *stuck) Close() error                  { s.close(); return nil }
func (*stuck) SetReadDeadline(time.Time) error { return nil }

// offline is a client without a network.
func offline(h *Hub, id string) *client { return onLine(h, id, new(paper)) }

func onLine(h *Hub, id string, l line) *client {
	c := &client{hub: h, player: match.Player{ID: id, Name: id}, visitor: new(visitor)}
	c.out.open(l, h.cfg.Outbox, h.cfg.WriteTimeout, &h.clients.batches)
	return c
}

// told is what an offline client was told since it was last asked.
func (c *client) told() [][]byte {
	p := c.out.line.(*paper)
	p.mu.Lock()
	defer p.mu.Unlock()
	told := p.written
	p.written = nil
	return told
}

func (o *outbox) length() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.queue)
}
