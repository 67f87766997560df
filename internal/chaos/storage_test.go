package chaos

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gomokud/internal/store/redistest"
)

// storage is the Redis of a run.
type storage interface {
	url() string
	do(args ...string) // tells every master
	faults() []fault   // those of its own
}

// harm is a fault of Redis alone, from two halves that cannot fail but by
// failing the test.
func harm(kind string, begin func(*rand.Rand) (end func())) fault {
	return fault{kind: kind, store: true, begin: func(_ *service, r *rand.Rand) (func() error, error) {
		end := begin(r)
		return func() error { end(); return nil }, nil
	}}
}

// single is one server.
type single struct{ server *redistest.Server }

func startSingle(t testing.TB, fsync string) storage {
	return single{redistest.Start(t, "--appendfsync", fsync)}
}

func (s single) url() string       { return s.server.URL }
func (s single) do(args ...string) { s.server.Do(args...) }
func (s single) faults() []fault {
	return []fault{
		harm("redis stopped and started", func(*rand.Rand) func() { s.server.Stop(); return s.server.Start }),
		harm("redis killed", func(*rand.Rand) func() { s.server.Kill(); return s.server.Start }),
		harm("redis frozen", func(*rand.Rand) func() { s.server.Freeze(); return s.server.Thaw }),
	}
}

// cluster is a Redis Cluster. Its nodes tell clients each other's addresses, so
// that no proxy stands between.
type cluster struct{ *redistest.Cluster }

func startCluster(t testing.TB) storage {
	c := redistest.StartCluster(t, 1)
	for _, s := range c.Servers {
		s.Do("CONFIG", "SET", "min-replicas-to-write", "1") // or a master that was frozen acknowledges what is lost
	}
	return cluster{c}
}

func (c cluster) url() string       { return c.URL }
func (c cluster) do(args ...string) { c.Do(args...) }

// keyOf is a key of a random partition.
func (c cluster) keyOf(r *rand.Rand) string { return fmt.Sprintf("gomokud:{p%02d}:due", r.IntN(16)) }

func (c cluster) faults() []fault {
	return []fault{
		harm("a slot moves", func(r *rand.Rand) func() {
			key := c.keyOf(r)
			holder := c.Holder(key)
			for _, m := range c.Masters() {
				if m != holder {
					return c.Migrate(key, m).Finish
				}
			}
			return func() {}
		}),
		harm("a master hands over", func(r *rand.Rand) func() { c.Failover(c.keyOf(r)); return func() {} }),
		harm("a master killed", func(r *rand.Rand) func() {
			key := c.keyOf(r)
			master := c.Holder(key)
			replica := c.Replica(master)
			master.Kill()
			return func() {
				c.Await("the replica to take over", func() bool { return c.Holder(key) == replica })
				master.Start()
				c.Await("the old master to follow", func() bool { return master.Follows() })
			}
		}),
		harm("a master frozen", func(r *rand.Rand) func() { return frozen(c.Holder(c.keyOf(r))) }),
	}
}

func frozen(s *redistest.Server) func() { s.Freeze(); return s.Thaw }

// sentinel is a master with a replica, and sentinels.
type sentinel struct {
	*redistest.Sentinel
	t testing.TB
}

func startSentinel(t testing.TB) storage {
	return sentinel{redistest.StartSentinel(t, "--min-replicas-to-write", "1"), t}
}

func (s sentinel) url() string       { return s.URL }
func (s sentinel) do(args ...string) { s.Master().Do(args...) }
func (s sentinel) faults() []fault {
	return []fault{
		harm("the master killed", func(*rand.Rand) func() {
			before := s.Master()
			before.Kill()
			return func() {
				s.AwaitMaster(before)
				before.Start()
				s.settled()
			}
		}),
		harm("the master frozen until it is deposed", func(*rand.Rand) func() {
			before := s.Master()
			before.Freeze()
			s.AwaitMaster(before)
			return func() {
				before.Thaw()
				s.settled()
			}
		}),
		harm("a sentinel killed", func(r *rand.Rand) func() {
			one := s.Sentinels[1+r.IntN(len(s.Sentinels)-1)] // the first one is asked by the test
			one.Kill()
			return one.Start
		}),
	}
}

// settled waits until one server follows the other, which the sentinels call the
// master. That may be the one that was deposed: who comes back soon enough is
// sometimes made the master again.
func (s sentinel) settled() {
	await(s.t, "one server to follow the other", func() bool {
		return s.Replica().Follows() && !s.Master().Follows()
	})
}
