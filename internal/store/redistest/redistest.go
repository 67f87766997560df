// Package redistest runs real redis-servers for tests: one, a Redis Cluster, or
// a master with a replica and sentinels; on free ports of the loopback
// interface, with their data in temporary folders, to be stopped, killed,
// frozen and started again.
package redistest

import (
	"bytes"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a server may take to begin or to end.
const patience = 20 * time.Second

// Server is a redis-server that belongs to a test. Its methods are for the
// test's goroutine; each fails the test when it cannot do what it says.
type Server struct {
	URL string // redis://127.0.0.1:PORT

	t    testing.TB
	addr string
	args []string
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	log  syncBuffer
}

// Start runs a server for the length of the test. More arguments are given to
// redis-server as they are: "--maxmemory", "4mb". A missing redis-server fails
// the test: it is needed, not optional.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	return start(t, func() []string { return append(stored(t), args...) })
}

// stored are the arguments of a server that keeps data.
func stored(t testing.TB) []string {
	return []string{"--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--dir", t.TempDir()}
}

func start(t testing.TB, args func() []string) *Server {
	t.Helper()
	s := &Server{t: t}
	t.Cleanup(func() {
		if s.Running() {
			s.Kill()
		}
		if t.Failed() {
			t.Logf("redis-server %s said:\n%s", s.addr, s.log.String())
		}
	})
	const tries = 5 // another process may be quicker to take the port
	var err error
	for range tries {
		s.addr = freeAddr(t)
		s.URL = "redis://" + s.addr
		s.args = append(args(), "--port", s.port())
		if err = s.run(); err == nil {
			return s
		}
	}
	t.Fatalf("start redis-server: %v\n%s", err, s.log.String())
	return nil
}

func (s *Server) port() string {
	_, port, _ := strings.Cut(s.addr, ":")
	return port
}

func freeAddr(t testing.TB) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("find a free port: %v", err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (s *Server) run() error {
	s.cmd = exec.Command("redis-server", s.args...)
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	if err := s.cmd.Start(); err != nil {
		return err
	}
	s.done = make(chan struct{})
	go func(cmd *exec.Cmd, done chan struct{}) {
		_ = cmd.Wait()
		close(done)
	}(s.cmd, s.done)
	deadline := time.After(patience)
	for {
		if s.ping() == nil {
			return nil
		}
		select {
		case <-s.done:
			return fmt.Errorf("it ended: %v", s.cmd.ProcessState)
		case <-deadline:
			_ = s.cmd.Process.Kill()
			<-s.done
			return fmt.Errorf("no answer within %v", patience)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Running says whether the server has been started and not ended.
func (s *Server) Running() bool {
	if s.done == nil {
		return false
	}
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}

// Kill ends the server at once, as kill -9 does.
func (s *Server) Kill() { s.t.Helper(); s.end(syscall.SIGKILL) }

// Stop lets the server end in order.
func (s *Server) Stop() { s.t.Helper(); s.end(syscall.SIGTERM) }

// Start starts the server again, on the same port and data.
func (s *Server) Start() {
	s.t.Helper()
	if err := s.run(); err != nil {
		s.t.Fatalf("start redis-server again: %v\n%s", err, s.log.String())
	}
}

// Restart stops the server and starts it again.
func (s *Server) Restart() { s.t.Helper(); s.Stop(); s.Start() }

// Freeze stops the server from doing anything, with its connections open.
func (s *Server) Freeze() { s.t.Helper(); s.signal(syscall.SIGSTOP) }

// Thaw ends a Freeze.
func (s *Server) Thaw() { s.t.Helper(); s.signal(syscall.SIGCONT) }

func (s *Server) end(sig syscall.Signal) {
	s.t.Helper()
	s.signal(sig)
	select {
	case <-s.done:
	case <-time.After(patience):
		s.t.Fatalf("redis-server is still there %v after %v", patience, sig)
	}
}

func (s *Server) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatalf("signal redis-server: %v", err)
	}
}

// A syncBuffer collects what the server prints.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
