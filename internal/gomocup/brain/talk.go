package brain

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// talk is the way to the manager: whole lines, from any goroutine.
type talk struct {
	mu   sync.Mutex
	w    io.Writer
	err  error
	fail func() // called once nobody listens any more
}

// say writes one line.
func (t *talk) say(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return
	}
	if _, t.err = io.WriteString(t.w, fmt.Sprintf(format, args...)+"\n"); t.err != nil {
		t.fail()
	}
}

// sorry answers a command that is known but cannot be carried out.
func (t *talk) sorry(err error) {
	t.say("ERROR %s", strings.Join(strings.Fields(err.Error()), " "))
}

// failure is why nobody listens any more.
func (t *talk) failure() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return fmt.Errorf("answer the manager: %w", t.err)
	}
	return nil
}
