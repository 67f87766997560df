package redisstore_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gomokud/internal/store"
	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
	"gomokud/internal/store/storetest"
)

// calls is how often a command has run on the server, in scripts too.
func calls(t *testing.T, server *redistest.Server, command string) int {
	t.Helper()
	for line := range strings.Lines(server.Ask("INFO", "commandstats")[0]) {
		if rest, ok := strings.CutPrefix(line, "cmdstat_"+command+":calls="); ok {
			number, _, _ := strings.Cut(rest, ",")
			n, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	return 0
}

// move is a commit that changes no list.
func move(room string, version int) store.Commit {
	return store.Commit{Room: room, Expected: version, Events: storetest.Events(room, version, version+1), Wake: store.KeepWake}
}

// TestMovesTravelTogether: while the server does not answer, moves gather, more
// than one call takes. What each of them leads to is its own.
func TestMovesTravelTogether(t *testing.T) {
	server := redistest.Start(t)
	s := open(t, server.URL, redisstore.Options{})
	const rooms = 600
	name := func(r int) string { return fmt.Sprint("room-", r) }
	for r := range rooms {
		if err := s.Append(t.Context(), store.Commit{Room: name(r), Events: storetest.Events(name(r), 0, 1)}); err != nil {
			t.Fatal(err)
		}
	}
	before := calls(t, server, "evalsha")
	server.Do("CLIENT", "PAUSE", "500", "WRITE")
	var wg sync.WaitGroup
	for r := range rooms {
		wg.Go(func() {
			c := move(name(r), 1)
			if r%7 == 0 {
				c.Expected = 2
			}
			if err := s.Append(t.Context(), c); errors.Is(err, store.ErrConflict) != (r%7 == 0) || err != nil && r%7 != 0 {
				t.Errorf("%s, expecting %d: %v", c.Room, c.Expected, err)
			}
		})
	}
	wg.Wait()
	for r := range rooms {
		version := 2
		if r%7 == 0 {
			version = 1
		}
		storetest.CheckLog(t, s, name(r), version)
	}
	if n := calls(t, server, "evalsha") - before - rooms; n < 2 || n > rooms/4 { // less the reads
		t.Errorf("%d moves went in %d calls", rooms, n)
	}
}

// TestWhatIsSpoiltHurtsNobodyElse: what is under a key may be damaged. The moves
// that travel with one for it go on.
func TestWhatIsSpoiltHurtsNobodyElse(t *testing.T) {
	const rooms, spoilt = 50, 20
	name := func(r int) string { return fmt.Sprint("room-", r) }
	for what, key := range map[string]func(log string) string{
		"a log":     func(log string) string { return log },
		"an agenda": func(log string) string { return strings.TrimSuffix(log, "log:"+name(spoilt)) + "due" },
	} {
		t.Run(what, func(t *testing.T) {
			server := redistest.Start(t)
			s := open(t, server.URL, redisstore.Options{})
			for r := range rooms {
				if err := s.Append(t.Context(), store.Commit{Room: name(r), Events: storetest.Events(name(r), 0, 1)}); err != nil {
					t.Fatal(err)
				}
			}
			logs := server.Ask("KEYS", "*:log:"+name(spoilt))
			if len(logs) != 1 {
				t.Fatalf("keys of the log: %q", logs)
			}
			damaged := key(logs[0])
			server.Do("SET", damaged, "something else")
			hurt := func(r int) bool { // in an agenda there are more rooms
				return r == spoilt || damaged != logs[0] && len(server.Ask("KEYS", strings.TrimSuffix(damaged, "due")+"log:"+name(r))) > 0
			}
			before := calls(t, server, "evalsha")
			server.Do("CLIENT", "PAUSE", "500", "WRITE")
			errs := make([]error, rooms)
			var wg sync.WaitGroup
			for r := range rooms {
				wg.Go(func() {
					c := move(name(r), 1)
					c.Wake = 1 << 50
					errs[r] = s.Append(t.Context(), c)
				})
			}
			wg.Wait()
			if n := calls(t, server, "evalsha") - before; n > rooms/4 {
				t.Errorf("%d moves went in %d calls", rooms, n)
			}
			for r, err := range errs {
				version := 2
				switch {
				case !hurt(r) && err != nil:
					t.Errorf("%s: %v", name(r), err)
				case hurt(r) && !errors.Is(err, store.ErrUnavailable):
					t.Errorf("%s, which is spoilt: %v", name(r), err)
				case hurt(r):
					version = 1
				}
				if r != spoilt || damaged != logs[0] {
					storetest.CheckLog(t, s, name(r), version)
				}
			}
		})
	}
}

// TestCloseWaitsForMoves: what is under way when the store is closed is stored,
// and whoever sent it is told so.
func TestCloseWaitsForMoves(t *testing.T) {
	server := redistest.Start(t)
	s, other := open(t, server.URL, redisstore.Options{}), open(t, server.URL, redisstore.Options{})
	if err := s.Append(t.Context(), store.Commit{Room: "r", Events: storetest.Events("r", 0, 1)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), move("r", 1)); err != nil { // the server knows the script
		t.Fatal(err)
	}
	before := calls(t, server, "evalsha")
	server.Do("CLIENT", "PAUSE", "10000", "WRITE")
	stored := make(chan error)
	go func() { stored <- s.Append(t.Context(), move("r", 2)) }()
	wait(t, "the move to be under way", func() bool {
		return strings.Contains(server.Ask("INFO", "clients")[0], "blocked_clients:1")
	})
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	select {
	case err := <-closed:
		t.Errorf("closed while a move was under way: %v", err)
		closed <- err
	case <-time.After(50 * time.Millisecond):
	}
	server.Do("CLIENT", "UNPAUSE")
	if err := <-stored; err != nil {
		t.Error(err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	storetest.CheckLog(t, other, "r", 3)
	if n := calls(t, server, "evalsha") - before; n != 2 { // and the read
		t.Errorf("%d calls", n)
	}
}

// TestAnnouncedToOthersOnly: where only the node that plays listens, nothing is
// announced through the server; who comes to listen is told everything.
func TestAnnouncedToOthersOnly(t *testing.T) {
	server := redistest.Start(t)
	a, b := open(t, server.URL, redisstore.Options{}), open(t, server.URL, redisstore.Options{})
	follow := func(s *redisstore.Store) <-chan store.Announcement {
		heard := make(chan store.Announcement, 1000)
		t.Cleanup(s.Follow("r", func(an store.Announcement) { heard <- an }))
		awaitVersion(t, heard, 0) // subscribed
		return heard
	}
	if err := a.Append(t.Context(), store.Commit{Room: "r", Events: storetest.Events("r", 0, 1)}); err != nil {
		t.Fatal(err)
	}
	version := 1
	play := func(moves int) (announced int) {
		t.Helper()
		before := calls(t, server, "spublish")
		for range moves {
			if err := a.Append(t.Context(), move("r", version)); err != nil {
				t.Fatal(err)
			}
			version++
		}
		return calls(t, server, "spublish") - before
	}
	if n := play(100); n < 100 {
		t.Errorf("before anybody follows %d of 100 moves were announced: who is about to might miss them", n)
	}
	mine := follow(a)
	if n := play(100); n > 50 { // the nodes' own voices are among them
		t.Errorf("with nobody else to listen there were %d announcements of 100 moves", n)
	}
	awaitVersion(t, mine, version)
	theirs := follow(b)
	if n := play(100); n < 100 {
		t.Errorf("%d of 100 moves were announced to another node", n)
	}
	for v := version - 99; v <= version; v++ {
		if an := awaitVersion(t, theirs, v); len(an.Events) != 1 || string(an.Events[0]) != string(storetest.Event("r", v-1)) {
			t.Fatalf("announced: %q", an.Events)
		}
	}
}
