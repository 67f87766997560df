package redistest

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// masters of a Cluster, which is the least that can agree on anything.
const masters = 3

// slots of a Redis Cluster.
const slots = 16384

// A Cluster is a Redis Cluster of three masters, each with the same number of
// replicas, that belongs to a test. Its methods are for the test's goroutine.
type Cluster struct {
	URL     string    // redis+cluster://127.0.0.1:PORT,...
	Servers []*Server // the three that begin as masters, then their replicas

	t testing.TB
}

// StartCluster runs a cluster for the length of the test, with so many replicas
// of each master.
func StartCluster(t testing.TB, replicas int) *Cluster {
	t.Helper()
	c := &Cluster{t: t}
	var addrs []string
	for range masters * (1 + replicas) {
		s := start(t, func() []string {
			_, bus, _ := strings.Cut(freeAddr(t), ":")
			return append(stored(t), "--cluster-enabled", "yes", "--cluster-port", bus,
				"--cluster-node-timeout", "2000", "--repl-diskless-sync-delay", "0")
		})
		c.Servers = append(c.Servers, s)
		addrs = append(addrs, s.addr)
	}
	c.URL = "redis+cluster://" + strings.Join(addrs, ",")
	for i, s := range c.Servers[:masters] {
		s.Ask("CLUSTER", "SET-CONFIG-EPOCH", strconv.Itoa(i+1))
		s.Ask("CLUSTER", "ADDSLOTSRANGE", strconv.Itoa(i*slots/masters), strconv.Itoa((i+1)*slots/masters-1))
	}
	first := c.Servers[0]
	bus := first.Ask("CONFIG", "GET", "cluster-port")[1]
	for _, s := range c.Servers[1:] {
		s.Ask("CLUSTER", "MEET", "127.0.0.1", first.port(), bus)
	}
	c.Await("the nodes to know each other", func() bool { return c.all("cluster_known_nodes", strconv.Itoa(len(c.Servers))) })
	for i, s := range c.Servers[masters:] {
		master := c.Servers[i%masters]
		s.Ask("CLUSTER", "REPLICATE", master.id())
	}
	for i, s := range c.Servers[masters:] {
		c.Await("a replica", func() bool {
			return s.field("master_link_status", "INFO", "replication") == "up" && len(c.Servers[i%masters].Ask("CLUSTER", "REPLICAS", c.Servers[i%masters].id())) == replicas
		})
	}
	c.Await("the cluster", func() bool { return c.all("cluster_state", "ok") })
	return c
}

func (c *Cluster) all(field, value string) bool {
	for _, s := range c.Servers {
		if s.Running() && s.field(field, "CLUSTER", "INFO") != value {
			return false
		}
	}
	return true
}

// Await waits until the condition holds.
func (c *Cluster) Await(what string, holds func() bool) {
	c.t.Helper()
	await(c.t, what, holds)
}

func await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v for %s", patience, what)
		}
	}
}

// Do sends a command to every master.
func (c *Cluster) Do(args ...string) {
	c.t.Helper()
	for _, s := range c.Masters() {
		s.Do(args...)
	}
}

// Masters are the running servers that are masters now.
func (c *Cluster) Masters() []*Server {
	c.t.Helper()
	var masters []*Server
	for _, s := range c.Servers {
		if s.Running() && s.Role() == "master" {
			masters = append(masters, s)
		}
	}
	return masters
}

// Holder is the master that has the key's slot, as it says itself.
func (c *Cluster) Holder(key string) *Server {
	c.t.Helper()
	slot := c.slot(key)
	var holder *Server
	await(c.t, "a master for "+key, func() bool {
		for _, s := range c.Masters() {
			if s.has(slot) {
				holder = s
				return true
			}
		}
		return false
	})
	return holder
}

func (c *Cluster) slot(key string) string {
	c.t.Helper()
	for _, s := range c.Servers {
		if s.Running() {
			return s.Ask("CLUSTER", "KEYSLOT", key)[0]
		}
	}
	c.t.Fatal("the whole cluster is down")
	return ""
}

// has says whether the slot is among the server's own: CLUSTER NODES lists
// them on the line of 'myself', behind eight other fields.
func (s *Server) has(slot string) bool {
	s.t.Helper()
	n, _ := strconv.Atoi(slot)
	for line := range strings.Lines(s.Ask("CLUSTER", "NODES")[0]) {
		fields := strings.Fields(line)
		if len(fields) < 8 || !strings.Contains(fields[2], "myself") {
			continue
		}
		for _, span := range fields[8:] {
			from, to, many := strings.Cut(span, "-")
			if !many {
				to = from
			}
			first, err1 := strconv.Atoi(from)
			last, err2 := strconv.Atoi(to)
			if err1 == nil && err2 == nil && first <= n && n <= last {
				return true
			}
		}
	}
	return false
}

// Role is 'master' or 'slave'.
func (s *Server) Role() string { s.t.Helper(); return s.field("role", "INFO", "replication") }

func (s *Server) id() string { s.t.Helper(); return s.Ask("CLUSTER", "MYID")[0] }

// A Migration moves a slot from one master to another.
type Migration struct {
	c        *Cluster
	slot     string
	from, to *Server
}

// Migrate begins to move the slot of the key to another master.
func (c *Cluster) Migrate(key string, to *Server) *Migration {
	c.t.Helper()
	m := &Migration{c: c, slot: c.slot(key), from: c.Holder(key), to: to}
	to.Ask("CLUSTER", "SETSLOT", m.slot, "IMPORTING", m.from.id())
	m.from.Ask("CLUSTER", "SETSLOT", m.slot, "MIGRATING", to.id())
	return m
}

// Keys moves these keys, in one step.
func (m *Migration) Keys(keys ...string) {
	m.c.t.Helper()
	m.from.Ask(append([]string{"MIGRATE", "127.0.0.1", m.to.port(), "", "0", "5000", "KEYS"}, keys...)...)
}

// All moves what is left, a few keys at a time as redis-cli does.
func (m *Migration) All() {
	m.c.t.Helper()
	for {
		keys := m.from.Ask("CLUSTER", "GETKEYSINSLOT", m.slot, "10")
		if len(keys) == 0 {
			return
		}
		m.Keys(keys...)
	}
}

// Finish moves what is left, and hands the slot over.
func (m *Migration) Finish() {
	m.c.t.Helper()
	m.All()
	for _, s := range append([]*Server{m.to, m.from}, m.c.Masters()...) {
		s.Ask("CLUSTER", "SETSLOT", m.slot, "NODE", m.to.id())
	}
}

// Failover makes a replica of the master that has the key its successor, in
// agreement with it, and returns the two.
func (c *Cluster) Failover(key string) (before, after *Server) {
	c.t.Helper()
	before = c.Holder(key)
	after = c.Replica(before)
	after.Ask("CLUSTER", "FAILOVER")
	await(c.t, "the failover", func() bool { return after.Role() == "master" && before.Role() == "slave" })
	return before, after
}

// Replica is one of the master.
func (c *Cluster) Replica(master *Server) *Server {
	c.t.Helper()
	for _, s := range c.Servers {
		if s.Running() && s.Role() == "slave" && s.field("master_port", "INFO", "replication") == master.port() {
			return s
		}
	}
	c.t.Fatalf("%s has no replica", master.addr)
	return nil
}
