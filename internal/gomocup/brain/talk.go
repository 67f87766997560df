package brain

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// errDeaf: nobody reads what we say.
var errDeaf = errors.New("brain: the manager does not listen")

// talk is the way to the manager: whole lines, from any goroutine.
type talk struct {
	w    io.Writer
	fail func(error) // called once nobody listens any more

	mu   sync.Mutex // held while a line is written, which may take for ever
	deaf bool
}

// say writes one line.
func (t *talk) say(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.deaf {
		return
	}
	if _, err := io.WriteString(t.w, fmt.Sprintf(format, args...)+"\n"); err != nil {
		t.deaf = true
		t.fail(fmt.Errorf("%w: %w", errDeaf, err))
	}
}

// sorry answers a command that is known but cannot be carried out.
func (t *talk) sorry(err error) {
	t.say("ERROR %s", strings.Join(strings.Fields(err.Error()), " "))
}
