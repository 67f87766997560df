package hub

import (
	"net"
	"slices"
	"sync"
	"time"
)

// outbox is the frames that wait for a client, and who writes them to its line:
// at most one goroutine at a time. While nothing waits there is none.
type outbox struct {
	line  line
	most  int           // frames that may wait
	wait  time.Duration // for one write that does not go through at once
	spare *sync.Pool    // *[maxBatch]byte, to join frames in

	mu    sync.Mutex
	moved sync.Cond // a waiting frame went, or the end came
	queue [][]byte
	size  int  // of all of them, in bytes
	away  int  // so many of them, from the first on, are being written
	begun int  // so many bytes of the first are gone
	busy  bool // somebody writes
	last  bool // nothing may follow what is in the queue
	over  bool // nothing is written any more
}

// line takes bytes to a client. One goroutine at a time writes to it.
type line interface {
	Close() error
	SetReadDeadline(time.Time) error
	// Offer writes as much as goes through at once, even if that is nothing.
	Offer(data []byte) (int, error)
	// Insist writes everything or fails when the time is up.
	Insist(data []byte, wait time.Duration) error
}

// mostBytes is how much may wait for one client: the bound of its memory.
const mostBytes = 256 << 10

// posting is what became of a frame.
type posting int

const (
	dropped posting = iota // the connection is at its end
	full                   // too many are waiting
	first                  // it waits alone: whoever posted it must flush
	queued                 // it will go with those before it
)

func (o *outbox) open(l line, most int, wait time.Duration, spare *sync.Pool) {
	o.line, o.most, o.wait, o.spare, o.moved.L = l, most, wait, spare, &o.mu
}

// post lets a frame wait.
func (o *outbox) post(frame []byte) posting {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.add(frame)
}

func (o *outbox) add(frame []byte) posting {
	switch {
	case o.last:
		return dropped
	case len(o.queue) >= o.most, len(o.queue) > 0 && o.size+len(frame) > mostBytes:
		return full
	}
	o.queue = append(o.queue, frame)
	o.size += len(frame)
	if len(o.queue) == 1 && !o.busy {
		return first
	}
	return queued
}

// postPatiently lets a frame wait as soon as there is room.
func (o *outbox) postPatiently(frame []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.add(frame) == full {
		o.moved.Wait()
	}
}

// finish posts the last frame, for which there is always room, unless there was
// one before. Those that wait go first, or are dropped.
func (o *outbox) finish(frame []byte, drop bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.last {
		return
	}
	o.last = true
	if drop {
		keep := o.away
		if o.begun > 0 {
			keep = max(keep, 1)
		}
		for _, dropped := range o.queue[keep:] {
			o.size -= len(dropped)
		}
		o.queue = slices.Delete(o.queue, keep, len(o.queue))
	}
	o.queue = append(o.queue, frame)
	o.size += len(frame)
	o.moved.Broadcast()
}

// cut ends it though something waits: the line is broken. Who is writing finds
// that out.
func (o *outbox) cut() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = true
	if !o.busy {
		o.rest(net.ErrClosed)
	}
}

// flush writes what goes through at once. It reports whether a goroutine must
// be started for the rest, which calls drain.
func (o *outbox) flush() (rest bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.busy {
		return false, nil
	}
	o.busy = true
	err = o.write(o.line.Offer)
	if err == nil && len(o.queue) > 0 {
		return true, nil // still busy
	}
	return false, o.rest(err)
}

// drain writes what flush left, and what has come since.
func (o *outbox) drain() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.rest(o.write(func(data []byte) (int, error) {
		return len(data), o.line.Insist(data, o.wait)
	}))
}

// done reports whether nothing is written any more.
func (o *outbox) done() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.over
}

// ended waits for that.
func (o *outbox) ended() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for !o.over {
		o.moved.Wait()
	}
}

// rest ends the time of a writer.
func (o *outbox) rest(err error) error {
	o.busy = false
	if err != nil {
		o.queue, o.size, o.begun, o.last = nil, 0, 0, true
	}
	o.over = o.last && len(o.queue) == 0
	o.moved.Broadcast()
	if cap(o.queue) > 4 { // a rare burst
		o.queue = nil
	}
	return err
}

// write gives to do what waits, until nothing is left or do takes only a part.
// The mutex is free meanwhile.
func (o *outbox) write(do func([]byte) (int, error)) error {
	for len(o.queue) > 0 {
		data, lent := o.batch()
		o.mu.Unlock()
		n, err := do(data)
		part := n < len(data)
		if lent != nil {
			o.spare.Put(lent)
		}
		o.mu.Lock()
		o.away = 0
		if err != nil {
			return err
		}
		o.took(n)
		if part {
			return nil
		}
	}
	return nil
}

// batch is what waits, as far as it is to be written at once. What was lent for
// that is to be given back.
func (o *outbox) batch() (data []byte, lent *[maxBatch]byte) {
	data = o.queue[0][o.begun:]
	o.away = 1
	if len(o.queue) == 1 || len(data)+len(o.queue[1]) > maxBatch {
		return data, nil
	}
	lent, _ = o.spare.Get().(*[maxBatch]byte)
	if lent == nil {
		lent = new([maxBatch]byte)
	}
	joined := append(lent[:0], data...)
	for _, frame := range o.queue[1:] {
		if len(joined)+len(frame) > maxBatch {
			break
		}
		joined = append(joined, frame...)
		o.away++
	}
	return joined, lent
}

// maxBatch is the most bytes of several frames that are written at once.
const maxBatch = 8 << 10

// took notes that n more bytes are gone.
func (o *outbox) took(n int) {
	n += o.begun
	whole := 0
	for whole < len(o.queue) && n >= len(o.queue[whole]) {
		n -= len(o.queue[whole])
		o.size -= len(o.queue[whole])
		whole++
	}
	o.begun = n
	if whole > 0 {
		o.queue = slices.Delete(o.queue, 0, whole)
		o.moved.Broadcast()
	}
}
