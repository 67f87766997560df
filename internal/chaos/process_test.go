package chaos

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// patience is how long anything may take that should be quick: it is for
// machines that are very busy, not a claim about speed.
const patience = 60 * time.Second

// process is a child: a node or a worker.
type process struct {
	addr string // of its pages
	cmd  *exec.Cmd
	said *said
	done chan struct{} // closed when it has ended
}

// launch starts a child and waits until it says where it serves.
func launch(out *said, program string, env []string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(program, args...), said: out, done: make(chan struct{})}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GOMOKUD_") {
			p.cmd.Env = append(p.cmd.Env, v)
		}
	}
	p.cmd.Env = append(p.cmd.Env, env...)
	p.cmd.Stderr = out
	from := out.len()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.done)
	}()
	for deadline := time.After(patience); ; {
		select {
		case <-p.done:
			return nil, errors.New("it ended")
		case <-deadline:
			p.signal(syscall.SIGKILL)
			return nil, errors.New("it does not say that it serves")
		case <-time.After(10 * time.Millisecond):
			if found := serving.FindSubmatch(out.since(from)); found != nil {
				p.addr = string(found[1])
				return p, nil
			}
		}
	}
}

var serving = regexp.MustCompile(`msg=(?:serving|working) url=http://(\S+)[^\n]*\n`)

func (p *process) running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

func (p *process) signal(s syscall.Signal) {
	if p.running() {
		_ = p.cmd.Process.Signal(s)
	}
}

// end ends the process with a signal and waits for it.
func (p *process) end(s syscall.Signal) error {
	p.signal(s)
	select {
	case <-p.done:
		return nil
	case <-time.After(patience):
		return fmt.Errorf("it is still there %s after %s", patience, s)
	}
}

// said keeps what a child prints, over all its lives.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(data)
}

func (s *said) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Len()
}

func (s *said) since(from int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.text.Bytes()[from:])
}
