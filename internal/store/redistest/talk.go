package redistest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

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

// Ask sends a command on a connection of its own, and returns the texts of the
// reply, of which an array has many. An error as a reply fails the test.
func (s *Server) Ask(args ...string) []string {
	s.t.Helper()
	var texts []string
	err := s.talk(func(r *bufio.Reader) (err error) { texts, err = readTexts(r); return err }, args)
	if err != nil {
		s.t.Fatalf("redis %s: %v", strings.Join(args, " "), err)
	}
	return texts
}

// AskAs is Ask of a server with a password.
func (s *Server) AskAs(password string, args ...string) []string {
	s.t.Helper()
	var texts []string
	err := s.talk(func(r *bufio.Reader) (err error) {
		if _, err = readTexts(r); err == nil {
			texts, err = readTexts(r)
		}
		return err
	}, []string{"AUTH", password}, args)
	if err != nil {
		s.t.Fatalf("redis %s: %v", strings.Join(args, " "), err)
	}
	return texts
}

// field returns the value of a line 'name:value' of what the server tells.
func (s *Server) field(name string, args ...string) string {
	s.t.Helper()
	for line := range strings.Lines(s.Ask(args...)[0]) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+":"); ok {
			return value
		}
	}
	return ""
}

func (s *Server) do(args ...string) (line string, err error) {
	err = s.talk(func(r *bufio.Reader) error {
		line, err = r.ReadString('\n')
		return err
	}, args)
	return strings.TrimSpace(line), err
}

func (s *Server) talk(read func(*bufio.Reader) error, commands ...[]string) error {
	conn, err := net.DialTimeout("tcp", s.addr, patience)
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	var b bytes.Buffer
	for _, args := range commands {
		fmt.Fprintf(&b, "*%d\r\n", len(args))
		for _, a := range args {
			fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
		}
	}
	if _, err := conn.Write(b.Bytes()); err != nil {
		return err
	}
	return read(bufio.NewReader(conn))
}

// readTexts reads a reply, of protocol 2, and flattens it.
func readTexts(r *bufio.Reader) ([]string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	kind, rest := line[0], strings.TrimSpace(line[1:])
	n, _ := strconv.Atoi(rest)
	switch kind {
	case '-':
		return nil, errors.New(rest)
	case '$':
		if n < 0 {
			return []string{""}, nil
		}
		text := make([]byte, n+2)
		_, err := io.ReadFull(r, text)
		return []string{string(text[:n])}, err
	case '*':
		var all []string
		for range n {
			texts, err := readTexts(r)
			if err != nil {
				return nil, err
			}
			all = append(all, texts...)
		}
		return all, nil
	default:
		return []string{rest}, nil
	}
}
