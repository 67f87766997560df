package redisstore_test

import (
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"gomokud/internal/store"
	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
	"gomokud/internal/store/storetest"
)

// replicated returns what was acknowledged and has reached the replica, too:
// replication keeps the order, so all that was stored before a mark is there
// when the mark is.
func replicated(tr *traffic, master string) []int {
	tr.Helper()
	o, err := redis.ParseURL(master)
	if err != nil {
		tr.Fatal(err)
	}
	client := redis.NewClient(o)
	defer client.Close()
	conn := client.Conn()
	defer conn.Close()
	safe := tr.acknowledged()
	// In a cluster any key does that is the server's.
	mark := redisstore.LogKey(tr.games[0].room) + ":mark"
	if err := conn.Set(tr.Context(), mark, 1, 0).Err(); err != nil {
		tr.Fatal(err)
	}
	if n, err := conn.Wait(tr.Context(), 1, storetest.Patience).Result(); err != nil || n < 1 {
		tr.Fatalf("%d replicas have the mark, %v", n, err)
	}
	return safe
}

// The last part kills a master.
func TestSentinel(t *testing.T) {
	t.Parallel()
	s := redistest.StartSentinel(t, "--min-replicas-to-write", "1")
	t.Run("Contract", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) storetest.Store {
			s.Master().Do("FLUSHALL")
			return open(t, s.URL, redisstore.Options{})
		})
	})
	t.Run("Warnings", func(t *testing.T) {
		if got := warnings(t, s.URL); got != "" {
			t.Errorf("warned of nothing: %s", got)
		}
		if _, err := redisstore.Open(t.Context(), s.Sentinels[0].URL, redisstore.Options{}); err == nil || !strings.Contains(err.Error(), "redis+sentinel://") {
			t.Errorf("a sentinel as the server: %v", err)
		}
	})
	t.Run("Passwords", func(t *testing.T) {
		for _, watcher := range s.Sentinels {
			watcher.Ask("ACL", "SETUSER", "gomokud", "on", ">right", "~*", "&*", "+@all")
		}
		url := s.URL + "?sentinel_username=gomokud&sentinel_password="
		if _, err := redisstore.Open(t.Context(), url+"wrong", redisstore.Options{}); err == nil {
			t.Error("a wrong one was accepted")
		}
		w := &writer{T: t, store: open(t, url+"right", redisstore.Options{}), room: t.Name()}
		w.mustAppend()
	})
	t.Run("SubscriptionsAreKilled", func(t *testing.T) {
		checkLooks(t, s.URL, func() { s.Master().Do("CLIENT", "KILL", "TYPE", "pubsub") })
	})
	t.Run("ConnectionsAreCut", func(t *testing.T) {
		// Those of a user of the master's, not the sentinels'.
		for _, server := range s.Servers {
			server.Ask("ACL", "SETUSER", "gomokud", "on", ">password", "~*", "&*", "+@all")
		}
		url := strings.Replace(s.URL, "//", "//gomokud:password@", 1)
		cutConnections(t, url, func() { s.Master().Do("CLIENT", "KILL", "USER", "gomokud") })
	})
	t.Run("TheReplicaHasGone", func(t *testing.T) {
		w := &writer{T: t, store: open(t, s.URL, redisstore.Options{}), room: t.Name()}
		w.mustAppend()
		replica := s.Replica()
		replica.Stop()
		w.mustFail()
		replica.Start()
		w.recover()
	})
	t.Run("TheMasterIsKilled", func(t *testing.T) {
		tr := newTraffic(t, s.URL, 8, true)
		tr.flows()
		master := s.Master()
		safe := replicated(tr, master.URL)
		master.Kill()
		s.AwaitMaster(master)
		// There is no replica now, so it would take no writes.
		s.Master().Ask("CONFIG", "SET", "min-replicas-to-write", "0")
		tr.flows()
		tr.end(safe)
	})
}

// A master that does not hear of its deposition breaks no connection. Announcements
// come from the new one.
func TestAMasterIsDeposed(t *testing.T) {
	t.Parallel()
	s := redistest.StartSentinel(t)
	node := open(t, s.URL, redisstore.Options{})
	w := &writer{T: t, store: open(t, s.URL, redisstore.Options{})}
	w.mustAppend()
	heard := make(chan store.Announcement, 1000)
	defer node.Follow("r", func(a store.Announcement) { heard <- a })()
	awaitVersion(t, heard, 0)
	if got := warnings(t, s.URL); !strings.Contains(got, "min-replicas-to-write") || strings.Count(got, "\n") != 1 {
		t.Errorf("a master that may be cut off: %q", got)
	}
	master := s.Master()
	master.Ask("ACL", "SETUSER", "default", "-replicaof", "-slaveof")
	s.Failover()
	awaitVersion(t, heard, 0)
	w.recover()
	awaitVersion(t, heard, w.version)
	if role := master.Role(); role != "master" {
		t.Errorf("the old master has become a %s", role)
	}
}

// checkLooks breaks what followers listen to: they must all be told to look.
func checkLooks(t *testing.T, url string, brk func()) {
	t.Helper()
	s := open(t, url, redisstore.Options{})
	looks := make(chan string, 1000)
	const rooms = 20
	for i := range rooms {
		defer s.Follow(t.Name()+string(rune('a'+i)), func(a store.Announcement) {
			if a.Version == 0 {
				looks <- a.Room
			}
		})()
	}
	awaitLooks(t, looks, rooms) // once they are subscribed
	brk()
	awaitLooks(t, looks, rooms)
}
