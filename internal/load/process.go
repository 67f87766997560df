package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	patienceToBegin = 30 * time.Second
	patienceToEnd   = 15 * time.Second // longer than a server's drain
)

// errNotHere means that the operating system does not tell.
var errNotHere = errors.New("can only be done on Linux")

// process is a child that serves: our own program with other arguments, or
// Redis.
type process struct {
	name     string
	addr     string // where it serves
	profiler string // where its profiles are; empty: it has none
	pid      int
	cmd      *exec.Cmd
	said     *herald
	done     chan struct{} // closed when it has ended
	err      error         // how it ended
}

// place is where and how readily a child runs.
type place struct {
	cpu  int  // the processor that it is bound to; negative: any
	nice bool // it gives way to others
}

// begin starts a child and waits until it is ready, by what it has said. It ends
// with its parent, however that one ends (on Linux).
func begin(ctx context.Context, exe string, args, env []string, at place, ready func(*process) bool) (*process, error) {
	p := &process{
		name: filepath.Base(exe) + " " + args[0], cmd: exec.Command(exe, args...),
		said: &herald{news: make(chan struct{}, 1)}, done: make(chan struct{}),
	}
	p.cmd.Env = append(cleanEnvironment(), env...)
	p.cmd.Stdout, p.cmd.Stderr = p.said, p.said
	started := make(chan error, 1)
	go func() {
		defer close(p.done)
		p.err = runAt(at, p.cmd, started)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", p.name, err)
	}
	p.pid = p.cmd.Process.Pid
	timeout := time.NewTimer(patienceToBegin)
	defer timeout.Stop()
	for {
		var err error
		select {
		case <-p.said.news:
			if ready(p) {
				return p, nil
			}
			continue
		case <-p.done:
			err = fmt.Errorf("it ended: %w", p.end())
		case <-timeout.C:
			err = errors.New("it does not serve")
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		return nil, fmt.Errorf("start %s: %w\n%s", p.name, errors.Join(err, p.end()), p.said)
	}
}

// end asks the child to stop, makes it stop if it does not, and returns how it
// ended. It may be called again.
func (p *process) end() error {
	select {
	case <-p.done:
		return p.err
	default:
	}
	p.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.NewTimer(patienceToEnd)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
		p.cmd.Process.Kill()
		<-p.done
	}
	return p.err
}

// cleanEnvironment is ours without what would set flags of the child.
func cleanEnvironment() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GOMOKUD_") {
			env = append(env, v)
		}
	}
	return env
}

// herald keeps the last of what a child says and tells when there is more.
type herald struct {
	news chan struct{}
	mu   sync.Mutex
	text []byte
}

const heraldKeeps = 16 << 10

func (h *herald) Write(data []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, data...)
	if extra := len(h.text) - heraldKeeps; extra > 0 {
		h.text = append(h.text[:0], h.text[extra:]...)
	}
	select {
	case h.news <- struct{}{}:
	default:
	}
	return len(data), nil
}

func (h *herald) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return string(bytes.TrimSpace(h.text))
}

// find is the address that a line of the log gives under its message.
func (h *herald) find(message string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	found := regexp.MustCompile(`msg=` + message + ` url=http://(\S+)[^\n]*\n`).FindSubmatch(h.text)
	if found == nil {
		return ""
	}
	return string(found[1])
}
