package chaos

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/store/redisstore"
)

// plan is the size of a run.
type plan struct {
	tables int
	times  int           // that each fault happens
	hold   time.Duration // about how long a fault lasts
	think  time.Duration // about how long people think
}

// long reports whether the long form is to be played.
func long() bool { return os.Getenv("GOMOKUD_CHAOS") == "long" }

func TestNoFaultHurtsAGame(t *testing.T) {
	seed := seedOf(t)
	single := func(fsync string) func(testing.TB) storage {
		return func(t testing.TB) storage { return startSingle(t, fsync) }
	}
	short := plan{tables: 60, times: 1, hold: 700 * time.Millisecond, think: 250 * time.Millisecond}
	if !long() {
		t.Run("one server", func(t *testing.T) { short.run(t, seed, single("always")) })
		return
	}
	p := plan{tables: 200, times: 3, hold: 4 * time.Second, think: 700 * time.Millisecond}
	for i := range uint64(2) {
		t.Run("one server", func(t *testing.T) { p.run(t, seed+i, single("always")) })
		t.Run("one server that syncs every second", func(t *testing.T) { p.run(t, seed+i, single("everysec")) })
		t.Run("cluster", func(t *testing.T) { p.run(t, seed+i, startCluster) })
		t.Run("sentinel", func(t *testing.T) { p.run(t, seed+i, startSentinel) })
	}
}

// seedOf is the seed of the run: any, unless it is to be played again.
func seedOf(t *testing.T) uint64 {
	seed := rand.Uint64N(1_000_000)
	if text := os.Getenv("GOMOKUD_CHAOS_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("GOMOKUD_CHAOS_SEED: %v", err)
		}
	}
	t.Logf("GOMOKUD_CHAOS_SEED=%d", seed)
	return seed
}

// run plays all tables through all faults and holds what came of it against the
// log.
func (p plan) run(t testing.TB, seed uint64, start func(testing.TB) storage) {
	t = repeatAtTheEnd(t)
	st := start(t)
	r := rand.New(rand.NewPCG(seed, 0))
	begun := time.Now()
	after := func(what string) { t.Logf("%s after %s", what, time.Since(begun).Round(time.Millisecond)) }
	programs.build(t)
	after("built")
	s := newService(t, st)
	after("started")
	all := append(faults(), st.faults()...)
	if s.nodes[0].store != nil {
		all = append(all, lineFaults()...)
	}
	var wrong complaints
	var calm atomic.Bool
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	stop := sync.OnceFunc(func() { cancel(); running.Wait() })
	defer stop()
	tables := make([]*table, p.tables)
	for i := range tables {
		tb := newTable(r, i, s, &wrong, &calm, p.think)
		tables[i] = tb
		for n := range tb.people {
			running.Go(func() {
				if err := tb.run(ctx, n); err != nil && !errors.Is(err, context.Canceled) {
					wrong.add("table %d, person %d: %v", i, n, err)
				}
			})
		}
	}
	for _, tb := range tables {
		await(t, "a table to begin", func() bool {
			version, _ := tb.people[0].look()
			return version > 2
		})
	}
	after("all play")
	windows := disturb(t, s, r, all, p.times, p.hold)
	after("the faults are over")
	stuck := settle(tables, &calm)
	after("every game has gone on")
	judge(t, s, tables, windows, seed, stuck)
	stop()
	after("judged")
	for _, text := range append(wrong.all(), s.crashes()...) {
		t.Errorf("seed %d: %s", seed, text)
	}
	report(t, s, tables)
}

// settle waits until every game that is not over has gone on since the last
// fault, and returns the tables whose games have not.
func settle(tables []*table, calm *atomic.Bool) map[*table]bool {
	placed := func(tb *table) (moves int, over bool) {
		p := tb.people[0]
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.mirror.placed, p.mirror.state.Phase == match.Over
	}
	before := make([]int, len(tables))
	for i, tb := range tables {
		before[i], _ = placed(tb)
	}
	calm.Store(true)
	stuck := map[*table]bool{}
	deadline := time.Now().Add(patience)
	for i, tb := range tables {
		stuck[tb] = !waited(deadline, func() bool {
			moves, over := placed(tb)
			return over || moves >= before[i]+2
		})
	}
	return stuck
}

func await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	if !waited(time.Now().Add(patience), holds) {
		t.Fatalf("waited %s for %s", patience, what)
	}
}

// waited waits until the condition holds, or reports false.
func waited(deadline time.Time, holds func() bool) bool {
	for ; !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// judge reads every log and checks every history.
func judge(t testing.TB, s *service, tables []*table, windows []window, seed uint64, stuck map[*table]bool) {
	t.Helper()
	store, err := redisstore.Open(t.Context(), s.storage.url(), redisstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	deadline := time.Now().Add(patience)
	for _, tb := range tables {
		var h *history
		for ; ; time.Sleep(100 * time.Millisecond) {
			tail, err := store.Read(t.Context(), tb.room, 0)
			if err != nil {
				t.Fatal(err)
			}
			if h, err = tb.journal.history(tb.room, tail.Epoch, tail.Events); err != nil {
				t.Fatal(err)
			}
			apart := false
			for _, p := range tb.people {
				f := final{who: p.id}
				f.version, f.state = p.look()
				h.finals = append(h.finals, f)
				apart = apart || f.version != tail.Version
			}
			if !apart || time.Now().After(deadline) {
				break
			}
		}
		h.windows = windows
		wrong := h.check()
		if stuck[tb] {
			wrong = append(wrong, "the game does not go on")
		}
		if len(wrong) > 0 {
			t.Errorf("seed %d:\n%s\n%s", seed, strings.Join(wrong, "\n"), h)
		}
	}
}

// report counts what the run has seen, and fails where it has seen too little to
// prove anything.
func report(t testing.TB, s *service, tables []*table) {
	var commands, answered, repeats, recognised, connects, games, tellings int
	for _, tb := range tables {
		for _, c := range tb.journal.commands {
			commands++
			if c.outcome == done {
				answered++
			}
		}
		tellings += len(tb.journal.tellings)
		for _, p := range tb.people {
			repeats += p.repeats
			recognised += p.recognised
			connects += p.connects
		}
		games += tb.people[0].mirror.state.Number
	}
	t.Logf("%d games, %d commands, %d of them done, %d sent again, %d recognised as done, %d tellings, %d connections", games, commands, answered, repeats, recognised, tellings, connects)
	if answered < 20*len(tables) || repeats < len(tables) || recognised < len(tables) || connects < 3*len(tables) {
		t.Error("too little has happened")
	}
}
