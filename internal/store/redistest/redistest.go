// Package redistest runs a real redis-server for tests: on a free port of the
// loopback interface, with its data in a temporary folder, to be stopped,
// killed, frozen and started again.
package redistest

import (
	"bufio"
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
	s := &Server{t: t, args: append([]string{
		"--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--dir", t.TempDir(),
	}, args...)}
	t.Cleanup(func() {
		if s.Running() {
			s.Kill()
		}
		if t.Failed() {
			t.Logf("redis-server said:\n%s", s.log.String())
		}
	})
	const tries = 5 // another process may be quicker to take the port
	var err error
	for range tries {
		s.addr = freeAddr(t)
		s.URL = "redis://" + s.addr
		if err = s.run(); err == nil {
			return s
		}
	}
	t.Fatalf("start redis-server: %v\n%s", err, s.log.String())
	return nil
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
	_, port, _ := strings.Cut(s.addr, ":")
	s.cmd = exec.Command("redis-server", append([]string{"--port", port}, s.args...)...)
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

// ping succeeds when the server serves: it has read its data.
func (s *Server) ping() error {
	reply, err := s.do("PING")
	if err == nil && reply != "+PONG" {
		err = fmt.Errorf("it answers %s", reply)
	}
	return err
}

// Do sends a command on a connection of its own, and returns the first line of
// the reply, in Redis' protocol.
func (s *Server) Do(args ...string) string {
	s.t.Helper()
	reply, err := s.do(args...)
	if err != nil {
		s.t.Fatalf("redis %s: %v", args[0], err)
	}
	return reply
}

func (s *Server) do(args ...string) (string, error) {
	conn, err := net.DialTimeout("tcp", s.addr, patience)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	var b bytes.Buffer
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	if _, err := conn.Write(b.Bytes()); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	return strings.TrimSpace(line), err
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
