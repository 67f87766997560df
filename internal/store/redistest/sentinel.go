package redistest

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A Sentinel is a master with a replica, and three sentinels of which two must
// agree, that belong to a test. Its methods are for the test's goroutine.
type Sentinel struct {
	URL       string    // redis+sentinel://127.0.0.1:PORT,.../main
	Servers   []*Server // the first begins as the master
	Sentinels []*Server

	t testing.TB
}

const (
	sentinels  = 3
	masterName = "main"
)

// StartSentinel runs them for the length of the test. More arguments are for
// the master and the replica.
func StartSentinel(t testing.TB, args ...string) *Sentinel {
	t.Helper()
	args = append([]string{"--repl-diskless-sync-delay", "0"}, args...)
	s := &Sentinel{t: t, Servers: []*Server{Start(t, args...)}}
	master := s.Servers[0]
	replica := Start(t, append(args, "--replicaof", "127.0.0.1 "+master.port())...)
	s.Servers = append(s.Servers, replica)
	await(t, "the replica", func() bool { return replica.field("master_link_status", "INFO", "replication") == "up" })
	var addrs []string
	for range sentinels {
		watcher := start(t, func() []string {
			dir := t.TempDir()
			file := filepath.Join(dir, "sentinel.conf") // it writes there
			conf := fmt.Sprintf("bind 127.0.0.1\ndir %s\nsentinel monitor %[2]s 127.0.0.1 %[3]s 2\n"+
				"sentinel down-after-milliseconds %[2]s 1000\nsentinel failover-timeout %[2]s 4000\n", dir, masterName, master.port())
			if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
				t.Fatal(err)
			}
			return []string{file, "--sentinel"}
		})
		s.Sentinels = append(s.Sentinels, watcher)
		addrs = append(addrs, watcher.addr)
	}
	s.URL = "redis+sentinel://" + strings.Join(addrs, ",") + "/" + masterName
	await(t, "the sentinels to know each other", func() bool {
		for _, watcher := range s.Sentinels {
			known := watcher.Ask("SENTINEL", "MASTER", masterName)
			if value(known, "num-other-sentinels") != strconv.Itoa(sentinels-1) || value(known, "num-slaves") != "1" {
				return false
			}
		}
		return true
	})
	return s
}

// value is what follows a name in a list of names and values.
func value(list []string, name string) string {
	for i := 0; i+1 < len(list); i += 2 {
		if list[i] == name {
			return list[i+1]
		}
	}
	return ""
}

// Master is the server that the sentinels call the master.
func (s *Sentinel) Master() *Server { s.t.Helper(); return s.called(true) }

// Replica is the other one.
func (s *Sentinel) Replica() *Server { s.t.Helper(); return s.called(false) }

func (s *Sentinel) called(master bool) *Server {
	s.t.Helper()
	at := s.Sentinels[0].Ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", masterName)
	addr := net.JoinHostPort(at[0], at[1])
	for _, server := range s.Servers {
		if (server.addr == addr) == master {
			return server
		}
	}
	s.t.Fatalf("the sentinels call %s the master", addr)
	return nil
}

// Failover has the sentinels make the replica the master, though the master
// lives, which is told some ten seconds later.
func (s *Sentinel) Failover() {
	s.t.Helper()
	before := s.Master()
	s.Sentinels[0].Ask("SENTINEL", "FAILOVER", masterName)
	s.AwaitMaster(before)
}

// AwaitMaster waits until all sentinels have another master than before, and it
// knows.
func (s *Sentinel) AwaitMaster(before *Server) {
	s.t.Helper()
	await(s.t, "another master", func() bool {
		for _, watcher := range s.Sentinels {
			if watcher.Ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", masterName)[1] == before.port() {
				return false
			}
		}
		return s.Master().Role() == "master"
	})
}

// Follows says whether the server is a replica now. One that is just made a
// replica ends its connections: then it does not say so.
func (s *Server) Follows() bool {
	var texts []string
	err := s.talk(func(r *bufio.Reader) (err error) { texts, err = readTexts(r); return err }, []string{"ROLE"})
	return err == nil && len(texts) > 0 && texts[0] == "slave"
}
