package chaos

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

// fault is a disturbance that begins and ends.
type fault struct {
	kind  string
	store bool // of Redis: two such do not go together
	begin func(*service, *rand.Rand) (end func() error, err error)
}

// one chooses a member.
func one(r *rand.Rand, list []*member) *member { return list[r.IntN(len(list))] }

// nothing ends a fault that is over when it has begun.
func nothing() error { return nil }

// faults are those of every storage.
func faults() []fault {
	killed := func(choose func(*service) []*member, signal syscall.Signal) func(*service, *rand.Rand) (func() error, error) {
		return func(s *service, r *rand.Rand) (func() error, error) {
			m := one(r, choose(s))
			return m.start, m.stop(signal)
		}
	}
	frozen := func(choose func(*service) []*member) func(*service, *rand.Rand) (func() error, error) {
		return func(s *service, r *rand.Rand) (func() error, error) {
			m := one(r, choose(s))
			m.freeze()
			return func() error { m.thaw(); return nil }, nil
		}
	}
	allNodes := func(s *service) []*member { return s.nodes }
	allWorkers := func(s *service) []*member { return s.workers }
	return []fault{
		{kind: "node killed", begin: killed(allNodes, syscall.SIGKILL)},
		{kind: "node drained", begin: killed(allNodes, syscall.SIGTERM)},
		{kind: "node frozen", begin: frozen(allNodes)},
		{kind: "all nodes killed", begin: func(s *service, _ *rand.Rand) (func() error, error) {
			var err error
			for _, m := range s.nodes {
				err = errors.Join(err, m.stop(syscall.SIGKILL))
			}
			return func() (err error) {
				for _, m := range s.nodes {
					err = errors.Join(err, m.start())
				}
				return err
			}, err
		}},
		{kind: "worker killed", begin: killed(allWorkers, syscall.SIGKILL)},
		{kind: "worker frozen", begin: frozen(allWorkers)},
		{kind: "node's clock ahead", begin: skewed(+1)},
		{kind: "node's clock behind", begin: skewed(-1)},
		{kind: "clients slow", begin: onFront(slow, directions[:]...)},
		{kind: "clients swallowed", begin: onFront(black, directions[:]...)},
		{kind: "clients' answers swallowed", begin: onFront(black, "downstream")},
		{kind: "clients cut", begin: func(s *service, r *rand.Rand) (func() error, error) {
			l := one(r, s.nodes).front
			l.cut()
			return l.mend, nil
		}},
		{kind: "subscribers dropped", store: true, begin: func(s *service, _ *rand.Rand) (func() error, error) {
			s.storage.do("CLIENT", "KILL", "TYPE", "pubsub")
			return nothing, nil
		}},
		{kind: "scripts forgotten", store: true, begin: func(s *service, _ *rand.Rand) (func() error, error) {
			s.storage.do("SCRIPT", "FLUSH")
			return nothing, nil
		}},
		{kind: "redis out of memory", store: true, begin: func(s *service, _ *rand.Rand) (func() error, error) {
			s.storage.do("CONFIG", "SET", "maxmemory", "1mb")
			return func() error { s.storage.do("CONFIG", "SET", "maxmemory", "0"); return nil }, nil
		}},
	}
}

// skewed sets the clock of the node whose clock can be wrong.
func skewed(sign int) func(*service, *rand.Rand) (func() error, error) {
	return func(s *service, r *rand.Rand) (func() error, error) {
		m := s.nodes[nodes-1]
		err := m.setClock(sign * (5 + r.IntN(3600)))
		return func() error { return m.setClock(0) }, err
	}
}

// onFront poisons what clients and a node say to each other.
func onFront(toxic string, directions ...string) func(*service, *rand.Rand) (func() error, error) {
	return func(s *service, r *rand.Rand) (func() error, error) {
		l := one(r, s.nodes).front
		err := l.poison(toxic, directions...)
		return func() error { l.heal(); return nil }, err
	}
}

// lineFaults are those of the lines to Redis, where there are such.
func lineFaults() []fault {
	poisoned := func(toxic string, directions ...string) func(*service, *rand.Rand) (func() error, error) {
		return func(s *service, r *rand.Rand) (func() error, error) {
			m := one(r, s.members())
			err := m.store.poison(toxic, directions...)
			return func() error { m.store.heal(); return nil }, err
		}
	}
	return []fault{
		{kind: "redis slow for one", begin: poisoned(slow, directions[:]...)},
		{kind: "questions to redis late", begin: poisoned(sticky, "upstream")},
		{kind: "answers of redis late", begin: poisoned(sticky, "downstream")},
		{kind: "redis swallowed for one", begin: poisoned(black, directions[:]...)},
		{kind: "answers of redis swallowed", begin: poisoned(black, "downstream")},
		{kind: "redis cut from one", begin: func(s *service, r *rand.Rand) (func() error, error) {
			m := one(r, s.members())
			m.store.cut()
			return m.store.mend, nil
		}},
		{kind: "redis cut from all", store: true, begin: func(s *service, _ *rand.Rand) (func() error, error) {
			for _, m := range s.members() {
				m.store.cut()
			}
			return func() (err error) {
				for _, m := range s.members() {
					err = errors.Join(err, m.store.mend())
				}
				return err
			}, nil
		}},
	}
}

// window is a span in which something was disturbed.
type window struct {
	kind     string
	from, to time.Time
}

func (w window) String() string {
	return fmt.Sprintf("%s to %s: %s", w.from.Format("05.000"), w.to.Format("05.000"), w.kind)
}

// disturb lets every fault happen as often as is said, in an order that follows
// from r, one in four together with another. After each the service must
// recover.
func disturb(t testing.TB, s *service, r *rand.Rand, all []fault, times int, hold time.Duration) []window {
	t.Helper()
	var order []fault
	for range times {
		order = append(order, all...)
	}
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	var windows []window
	for len(order) > 0 {
		group := order[:1]
		if len(order) > 1 && r.IntN(4) == 0 && order[0].store != order[1].store {
			group = order[:2]
		}
		order = order[len(group):]
		if len(group) == 2 && group[0].store { // Redis falls last and is back first: nodes need it to begin
			group[0], group[1] = group[1], group[0]
		}
		w := window{from: time.Now()}
		var ends []func() error
		for _, f := range group {
			w.kind += ", " + f.kind
			end, err := f.begin(s, r)
			if err != nil {
				t.Fatalf("%s: %v", f.kind, err)
			}
			ends = append(ends, end)
		}
		w.kind = w.kind[2:]
		t.Logf("%s: %s", w.from.Format("15:04:05.000"), w.kind)
		time.Sleep(hold/4 + rand64(r, hold))
		for i := len(ends) - 1; i >= 0; i-- {
			if err := ends[i](); err != nil {
				t.Fatalf("end of %s: %v", group[i].kind, err)
			}
		}
		s.awaitReady()
		w.to = time.Now()
		windows = append(windows, w)
		time.Sleep(rand64(r, hold/2))
	}
	return windows
}

func rand64(r *rand.Rand, most time.Duration) time.Duration {
	return time.Duration(r.Int64N(int64(most)))
}
