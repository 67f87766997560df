package redisstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"gomokud/internal/store"
	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
	"gomokud/internal/store/storetest"
)

// crew is a store with workers' hands on it.
type crew struct {
	*redisstore.Store
	*redisstore.Jobs
	t *testing.T
}

func newCrew(t *testing.T) (crew, *redistest.Server) {
	t.Helper()
	server := redistest.Start(t)
	st := open(t, server.URL, redisstore.Options{})
	return crew{st, st.Jobs(""), t}, server
}

func (c crew) enlist(name string, threads int, claims ...string) {
	c.t.Helper()
	w := store.Worker{Name: name, Threads: threads, Bots: []string{"b", "influence"}}
	if err := c.Enlist(c.t.Context(), w, time.Minute, claims); err != nil {
		c.t.Fatal(err)
	}
}

// ask hands the turn at the version out.
func (c crew) ask(room string, version int) (left time.Duration, fresh bool, err error) {
	return c.Ask(c.t.Context(), store.Hint{Room: room, Version: version, Bot: "b"}, 5*time.Second)
}

func (c crew) mustAsk(room string, version int) {
	c.t.Helper()
	if _, fresh, err := c.ask(room, version); err != nil || !fresh {
		c.t.Fatalf("ask: fresh %v, %v", fresh, err)
	}
}

func (c crew) take(name string, most int) []store.Claim {
	c.t.Helper()
	claims, err := c.Take(c.t.Context(), name, most, time.Millisecond)
	if err != nil {
		c.t.Fatal(err)
	}
	return claims
}

func (c crew) takeOver(name string) []store.Claim {
	c.t.Helper()
	claims, err := c.TakeOver(c.t.Context(), name, 10, 0)
	if err != nil {
		c.t.Fatal(err)
	}
	return claims
}

// work returns who works, and how many hints wait and are taken.
func (c crew) work() (workers []string, waiting, taken int) {
	c.t.Helper()
	crew, err := c.Crew(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	for _, w := range crew.Workers {
		workers = append(workers, w.Name)
	}
	slices.Sort(workers)
	return workers, crew.Waiting, crew.Taken
}

func TestAHintReachesOneWorkerOnce(t *testing.T) {
	c, _ := newCrew(t)
	c.enlist("w", 2)
	before, err := c.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.mustAsk("r", 7)
	claims := c.take("w", 10)
	if len(claims) != 1 || claims[0].Room != "r" || claims[0].Version != 7 || claims[0].Bot != "b" {
		t.Fatalf("took %+v", claims)
	}
	if d := claims[0].Deadline - before.UnixMilli(); d < 5000 || d > 5000+storetest.Patience.Milliseconds() {
		t.Errorf("the deadline is %d ms after the question", d)
	}
	if more := c.take("other", 10); len(more) != 0 {
		t.Errorf("another took %+v", more)
	}
	if _, waiting, taken := c.work(); waiting != 0 || taken != 1 {
		t.Errorf("%d wait, %d are taken", waiting, taken)
	}
	if err := c.Done(t.Context(), claims[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, waiting, taken := c.work(); waiting != 0 || taken != 0 {
		t.Errorf("done, but %d wait, %d are taken", waiting, taken)
	}
}

func TestATurnIsHandedOutOnceHoweverManyAsk(t *testing.T) {
	c, _ := newCrew(t)
	c.enlist("w", 100)
	var asking sync.WaitGroup
	var mu sync.Mutex
	fresh := 0
	for range 20 {
		asking.Go(func() {
			left, first, err := c.ask("r", 7)
			if err != nil || left <= 0 || left > 5*time.Second {
				t.Errorf("%v left, %v", left, err)
			}
			mu.Lock()
			defer mu.Unlock()
			if first {
				fresh++
			}
		})
	}
	asking.Wait()
	if claims := c.take("w", 100); fresh != 1 || len(claims) != 1 {
		t.Errorf("%d times fresh, %d hints", fresh, len(claims))
	}
	c.mustAsk("r", 8) // another position
	c.mustAsk("other", 7)
}

func TestAPassedDeadlineIsTold(t *testing.T) {
	c, _ := newCrew(t)
	c.enlist("w", 1)
	ask := func() time.Duration {
		left, _, err := c.Ask(t.Context(), store.Hint{Room: "r", Version: 7, Bot: "b"}, time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		return left
	}
	ask()
	wait(t, "the deadline to pass", func() bool { return ask() < 0 })
}

func TestNoMoreIsHandedOutThanWorkersCanTake(t *testing.T) {
	c, _ := newCrew(t)
	refused := func(why, bot string) {
		t.Helper()
		_, _, err := c.Ask(t.Context(), store.Hint{Room: why, Version: 1, Bot: bot}, time.Second)
		if !errors.Is(err, store.ErrNoWorker) {
			t.Errorf("%s: %v, want ErrNoWorker", why, err)
		}
	}
	refused("nobody works", "b")
	c.enlist("one", 1)
	c.enlist("two", 2)
	refused("nobody knows the bot", "stranger")
	for i := range 3 {
		c.mustAsk(fmt.Sprint(i), 1)
	}
	refused("all are busy", "b")
	claims := c.take("one", 1)
	refused("all are busy, one has begun", "b")
	if err := c.Done(t.Context(), claims[0].ID); err != nil {
		t.Fatal(err)
	}
	c.mustAsk("now", 1)
	c.enlist("two", 0) // drains
	refused("who drains takes no more", "b")
	if err := c.Leave(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	if names, _, _ := c.work(); fmt.Sprint(names) != "[two]" {
		t.Errorf("there work %v", names)
	}
}

// TestLanesAreSeparate: what one lane's workers have to do is nothing to another's.
func TestLanesAreSeparate(t *testing.T) {
	c, _ := newCrew(t)
	other := crew{c.Store, c.Store.Jobs("other"), t}
	c.enlist("w", 1)
	if _, _, err := other.ask("r", 1); !errors.Is(err, store.ErrNoWorker) {
		t.Errorf("ask in a lane without workers: %v, want ErrNoWorker", err)
	}
	other.enlist("w", 1)
	c.mustAsk("r", 1)
	other.mustAsk("s", 1)
	if claims := other.take("w", 10); len(claims) != 1 || claims[0].Room != "s" {
		t.Errorf("the other lane's worker took %+v", claims)
	}
	if _, waiting, taken := c.work(); waiting != 1 || taken != 0 {
		t.Errorf("%d wait, %d are taken in the first lane", waiting, taken)
	}
	if err := c.Leave(t.Context(), "w"); err != nil {
		t.Fatal(err)
	}
	if names, _, taken := other.work(); fmt.Sprint(names) != "[w]" || taken != 1 {
		t.Errorf("in the other lane work %v at %d", names, taken)
	}
}

func TestASilentWorkerIsDead(t *testing.T) {
	c, _ := newCrew(t)
	w := store.Worker{Name: "w", Threads: 1, Bots: []string{"b"}}
	if err := c.Enlist(t.Context(), w, 50*time.Millisecond, nil); err != nil {
		t.Fatal(err)
	}
	wait(t, "the worker to be dead", func() bool { names, _, _ := c.work(); return len(names) == 0 })
	if _, _, err := c.ask("r", 1); !errors.Is(err, store.ErrNoWorker) {
		t.Errorf("ask: %v, want ErrNoWorker", err)
	}
}

func TestAClaimIsTakenOverUnlessRenewed(t *testing.T) {
	c, _ := newCrew(t)
	c.enlist("dead", 2)
	c.enlist("alive", 2)
	c.mustAsk("r", 7)
	first := c.take("dead", 1)[0]
	if got, err := c.TakeOver(t.Context(), "alive", 10, time.Hour); err != nil || len(got) != 0 {
		t.Errorf("took over at once: %v, %v", got, err)
	}
	second := c.takeOver("alive")
	if len(second) != 1 || second[0] != first {
		t.Fatalf("took over %+v, want %+v", second, first)
	}
	c.enlist("dead", 2, first.ID) // it was only frozen; what it lost it does not get back
	claimed := func() time.Duration {
		name, idle, err := c.Claimed(t.Context(), first.ID)
		if err != nil || name != "alive" {
			t.Fatalf("claimed by %q, %v", name, err)
		}
		return idle
	}
	wait(t, "the claim to be idle", func() bool { return claimed() >= 20*time.Millisecond })
	wait(t, "the claim to be renewed", func() bool {
		before := claimed()
		c.enlist("alive", 2, first.ID)
		return claimed() < before
	})
}

// TestWhatIsOverIsNotCounted: a worker that died leaves its claims behind, and if
// there is no other nobody strikes them off.
func TestWhatIsOverIsNotCounted(t *testing.T) {
	t.Parallel()
	c, _ := newCrew(t)
	c.enlist("w", 4)
	c.mustAsk("long", 1)
	for version := range 2 {
		if _, _, err := c.Ask(t.Context(), store.Hint{Room: "short", Version: version, Bot: "b"}, 300*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	c.take("w", 2) // the long one and a short one
	wait(t, "the short ones to be over", func() bool {
		_, waiting, taken := c.work()
		return waiting == 0 && taken == 1
	})
	c.take("w", 1)
	if _, waiting, taken := c.work(); waiting != 0 || taken != 1 {
		t.Errorf("%d wait and %d are taken, want the long one alone", waiting, taken)
	}
}

func TestDeadWorkersAreForgottenOnceTheyLeaveNothing(t *testing.T) {
	c, _ := newCrew(t)
	for _, name := range []string{"idle", "busy", "me"} {
		c.enlist(name, 1)
		c.mustAsk(name, 1)
		claim := c.take(name, 1)[0]
		if name != "busy" {
			if err := c.Done(t.Context(), claim.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	wait(t, "the dead to be forgotten", func() bool {
		if err := c.EnlistForgetting(t.Context(), store.Worker{Name: "me", Threads: 1}); err != nil {
			t.Fatal(err)
		}
		names, err := c.Consumers(t.Context())
		slices.Sort(names)
		if err != nil || !slices.Contains(names, "busy") || !slices.Contains(names, "me") {
			t.Fatalf("left are %v, %v", names, err)
		}
		return len(names) == 2
	})
}

func TestTheQueueSurvivesAServerThatForgotIt(t *testing.T) {
	c, server := newCrew(t)
	c.enlist("w", 1)
	c.mustAsk("r", 7)
	claim := c.take("w", 1)[0]
	server.Do("FLUSHALL")
	if _, _, err := c.ask("r", 7); !errors.Is(err, store.ErrNoWorker) {
		t.Errorf("ask: %v, want ErrNoWorker", err)
	}
	c.enlist("w", 1, claim.ID)
	if claims := c.takeOver("w"); len(claims) != 0 {
		t.Errorf("took over %+v", claims)
	}
	if err := c.Done(t.Context(), claim.ID); err != nil {
		t.Error(err)
	}
	c.mustAsk("r", 7)
	if claims := c.take("w", 1); len(claims) != 1 {
		t.Errorf("took %+v", claims)
	}
}

func TestTheQueueInACluster(t *testing.T) {
	t.Parallel()
	st := open(t, redistest.StartCluster(t, 0).URL, redisstore.Options{})
	c := crew{st, st.Jobs("other"), t}
	c.enlist("first", 1)
	c.mustAsk("r", 7)
	first := c.take("first", 1)
	if second := c.takeOver("second"); len(first) != 1 || !slices.Equal(second, first) {
		t.Fatalf("took over %+v, want %+v", second, first)
	}
	if err := c.Done(t.Context(), first[0].ID); err != nil {
		t.Fatal(err)
	}
	if names, waiting, taken := c.work(); fmt.Sprint(names) != "[first]" || waiting+taken != 0 {
		t.Errorf("there work %v, with %d and %d hints", names, waiting, taken)
	}
	if _, err := c.Beat(t.Context(), 1000, time.Second); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Outages(t.Context(), 1000, time.Second); err != nil {
		t.Error(err)
	}
	if err := c.Leave(t.Context(), "first"); err != nil {
		t.Error(err)
	}
}

func TestTakeWaits(t *testing.T) {
	c, _ := newCrew(t)
	c.enlist("w", 1)
	took := make(chan int)
	go func() {
		n := 0
		for deadline := time.Now().Add(storetest.Patience); n == 0 && time.Now().Before(deadline); {
			claims, err := c.Take(t.Context(), "w", 1, time.Second)
			if err != nil {
				break
			}
			n = len(claims)
		}
		took <- n
	}()
	c.mustAsk("r", 7)
	if n := <-took; n != 1 {
		t.Errorf("took %d", n)
	}
}

func TestOutagesAreToldOnlyWhileANodeLives(t *testing.T) {
	c, _ := newCrew(t)
	ctx := context.Background()
	ask := func(now int64) ([]store.Outage, error) { return c.Outages(ctx, now, time.Second) }
	if _, err := ask(1000); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("before any beat: %v", err)
	}
	for _, beat := range []int64{1000, 5000} {
		if _, err := c.Beat(ctx, beat, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := ask(6000); err != nil || fmt.Sprint(got) != "[{1000 5000}]" {
		t.Errorf("outages %v, %v", got, err)
	}
	if _, err := ask(6001); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("with the last beat too long ago: %v", err)
	}
	if got, err := c.Beat(ctx, 6001, time.Second); err != nil || len(got) != 2 {
		t.Errorf("asking was a beat: %v, %v", got, err)
	}
}
