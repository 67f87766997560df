package chaos

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"
)

// service is everything that runs. Its methods are for the test's goroutine,
// but for those of which it is said.
type service struct {
	t       testing.TB
	storage storage
	nodes   []*member
	workers []*member
}

// member is a node or a worker, over all its lives.
type member struct {
	t       testing.TB
	name    string
	program string
	args    []string
	env     []string
	store   *line // to Redis; nil where Redis itself says where it is
	skew    string
	said    said

	mu    sync.Mutex
	proc  *process
	front *line // to this life of it
}

const (
	nodes   = 3
	workers = 2
)

func newService(t testing.TB, st storage) *service {
	s := &service{t: t, storage: st}
	for i := range nodes {
		m := s.member(fmt.Sprintf("node %d", i+1), "serve", "--claim-after=4s", "--store-timeout=3s", "--workers=1",
			"--commands-per-second=1000", "--session-commands-per-second=1000", "--rooms-per-minute=10000",
			"--guests-per-minute=1000000", "--guests-burst=1000000")
		if i == nodes-1 { // the one whose clock can be wrong
			m.program, m.skew = programs.skewed, filepath.Join(t.TempDir(), "skew")
			m.env = []string{skewVariable + "=" + m.skew}
			if err := m.setClock(0); err != nil {
				t.Fatal(err)
			}
		}
		s.nodes = append(s.nodes, m)
	}
	for i := range workers {
		s.workers = append(s.workers, s.member(fmt.Sprintf("worker %d", i+1), "worker", "--workers=1", "--store-timeout=3s"))
	}
	for _, m := range s.members() {
		if err := m.start(); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *service) member(name, verb string, args ...string) *member {
	m := &member{t: s.t, name: name, program: programs.real}
	store := s.storage.url()
	if direct, err := url.Parse(store); err == nil && direct.Scheme == "redis" {
		if m.store, err = newLine(s.t, name+"-redis", direct.Host); err != nil {
			s.t.Fatal(err)
		}
		store = "redis://" + m.store.addr
	}
	m.args = append([]string{verb, "--addr=127.0.0.1:0", "--store=" + store}, args...)
	s.t.Cleanup(func() {
		if m.running() {
			m.proc.signal(syscall.SIGCONT)
			if err := m.proc.end(syscall.SIGKILL); err != nil {
				s.t.Errorf("%s: %v", name, err)
			}
		}
		if s.t.Failed() {
			s.t.Logf("%s said at last:\n%s", name, tail(m.said.since(0), 4000))
		}
	})
	return m
}

// crash is how a Go program begins to tell why it crashed.
var crash = regexp.MustCompile(`(?m)^(panic|fatal error|runtime): `)

func tail(text []byte, most int) []byte { return text[max(0, len(text)-most):] }

func (s *service) members() []*member { return append(append([]*member{}, s.nodes...), s.workers...) }

// start runs the member, again if it ends before it serves, as a supervisor
// would.
func (m *member) start() error {
	var err error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		var p *process
		if p, err = launch(&m.said, m.program, m.env, m.args...); err != nil {
			continue
		}
		front, problem := newLine(m.t, m.name, p.addr)
		m.mu.Lock()
		m.proc, m.front = p, front
		m.mu.Unlock()
		return problem
	}
	return fmt.Errorf("start %s: %w\n%s", m.name, err, tail(m.said.since(0), 2000))
}

// stop ends the member with a signal; its line is gone with it.
func (m *member) stop(s syscall.Signal) error {
	err := m.proc.end(s)
	m.front.cut()
	if err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	return nil
}

// freeze stops the member from doing anything; thaw ends that.
func (m *member) freeze() { m.proc.signal(syscall.SIGSTOP) }
func (m *member) thaw()   { m.proc.signal(syscall.SIGCONT) }

// setClock sets the member's clock wrong by so many seconds.
func (m *member) setClock(seconds int) error {
	next := m.skew + ".next"
	if err := os.WriteFile(next, fmt.Append(nil, seconds), 0o600); err != nil {
		return err
	}
	return os.Rename(next, m.skew)
}

func (m *member) running() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.proc != nil && m.proc.running()
}

// addr is where clients reach the member. Any goroutine may ask.
func (m *member) addr() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.front.addr
}

// ready asks the member whether it serves, past every line.
func (m *member) ready() error {
	client := http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{
		DisableKeepAlives: true, DialContext: (&net.Dialer{Timeout: time.Second}).DialContext,
	}}
	res, err := client.Get("http://" + m.proc.addr + "/readyz")
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return errors.New(res.Status)
	}
	return nil
}

// awaitReady waits until every member serves.
func (s *service) awaitReady() {
	s.t.Helper()
	for _, m := range s.members() {
		var err error
		for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
			if err = m.ready(); err == nil {
				break
			}
			if time.Now().After(deadline) {
				s.t.Fatalf("%s does not serve %s after the last fault: %v", m.name, patience, err)
			}
		}
	}
}

// crashes are what members said as they crashed, over all their lives.
func (s *service) crashes() []string {
	var list []string
	for _, m := range s.members() {
		text := m.said.since(0)
		if at := crash.FindIndex(text); at != nil {
			list = append(list, fmt.Sprintf("%s crashed: %s", m.name, text[at[0]:min(len(text), at[0]+4000)]))
		}
	}
	return list
}
