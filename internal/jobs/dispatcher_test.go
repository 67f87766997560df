package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
	"gomokud/internal/jobs"
	"gomokud/internal/store"
)

// board is a queue in a bubble of fake time, on which nobody works: tests that
// need workers have a real one.
type board struct {
	mu    sync.Mutex
	crew  store.Crew
	deaf  bool // nothing is answered
	known map[store.Hint]time.Time
	full  bool
	slow  time.Duration // the queue's clock is behind by so much
	asked int
}

var errDeaf = errors.Join(store.ErrUnavailable, errors.New("made to fail"))

func (b *board) Ask(ctx context.Context, h store.Hint, limit time.Duration) (time.Duration, bool, error) {
	b.mu.Lock()
	if b.deaf {
		b.mu.Unlock()
		<-ctx.Done()
		return 0, false, ctx.Err()
	}
	defer b.mu.Unlock()
	b.asked++
	switch deadline, known := b.known[h]; {
	case known:
		return time.Until(deadline) + b.slow, false, nil
	case b.full:
		return 0, false, store.ErrNoWorker
	}
	b.known[h] = time.Now().Add(limit)
	return limit, true, nil
}

func (b *board) Crew(context.Context) (store.Crew, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.deaf {
		return store.Crew{}, errDeaf
	}
	return b.crew, nil
}

// works changes who works.
func (b *board) works(crew ...store.Worker) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.crew = store.Crew{Workers: crew}
}

func able(bots ...string) store.Worker { return store.Worker{Name: "w", Threads: 1, Bots: bots} }

// notebook is a local thinker that writes down what it is asked.
type notebook struct {
	mu     sync.Mutex
	jobs   []ai.Job
	called []string // off
	busy   error
}

func (n *notebook) Submit(job ai.Job, answer func(ai.Answer)) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.busy == nil {
		n.jobs = append(n.jobs, job)
		go answer(ai.Answer{Room: job.Room, Version: job.Version})
	}
	return n.busy
}

func (n *notebook) Cancel(room string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.called = append(n.called, room)
}

// node is a dispatcher and what it stands on.
type node struct {
	*jobs.Dispatcher
	t       *testing.T
	board   *board
	book    *notebook
	counted *prometheus.Registry
	answers chan ai.Answer
	stop    func()
}

// dispatching runs fn beside a dispatcher that has seen one worker, which knows
// bot b.
func dispatching(t *testing.T, fn func(*node)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := &node{
			t: t, board: &board{known: map[store.Hint]time.Time{}}, book: &notebook{}, counted: prometheus.NewRegistry(),
			answers: make(chan ai.Answer, 16),
		}
		n.board.works(able("b"))
		n.Dispatcher = jobs.NewDispatcher(n.board, n.book, slog.New(slog.DiscardHandler), n.counted)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); n.Run(ctx) }()
		n.stop = func() { cancel(); <-done }
		defer n.stop()
		synctest.Wait()
		fn(n)
	})
}

// submit asks for the turn at the version.
func (n *node) submit(version int, limit time.Duration) {
	n.t.Helper()
	synctest.Wait() // else the dispatcher may not have seen who works
	job := ai.Job{Room: "r", Version: version, Bot: "b", Budget: ai.Budget{Time: limit}}
	if err := n.Submit(job, func(a ai.Answer) { n.answers <- a }); err != nil {
		n.t.Fatal(err)
	}
	synctest.Wait()
}

// thought checks how long the local thinker may think for each of its jobs.
func (n *node) thought(when string, limits ...time.Duration) {
	n.t.Helper()
	synctest.Wait()
	n.book.mu.Lock()
	defer n.book.mu.Unlock()
	ok := len(n.book.jobs) == len(limits)
	for i := range min(len(limits), len(n.book.jobs)) {
		ok = ok && n.book.jobs[i].Budget.Time == limits[i]
	}
	if !ok {
		n.t.Errorf("%s: the node thinks about %+v, want %v", when, n.book.jobs, limits)
	}
}

// counts checks a metric without labels.
func (n *node) counts(name string, want float64) {
	n.t.Helper()
	if got := value(n.t, n.counted, "gomokud_jobs_"+name); got != want {
		n.t.Errorf("%s is %v, want %v", name, got, want)
	}
}

func value(t *testing.T, counted prometheus.Gatherer, name string) float64 {
	t.Helper()
	return valueOf(t, counted, name, "")
}

// valueOf sums up a metric over all that have the label's value, if any is given.
func valueOf(t *testing.T, counted prometheus.Gatherer, name, label string) (sum float64) {
	t.Helper()
	found, err := counted.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range found {
		if family.GetName() == name {
			for _, m := range family.GetMetric() {
				has := label == ""
				for _, l := range m.GetLabel() {
					has = has || l.GetValue() == label
				}
				if !has {
					continue
				}
				sum += m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	return sum
}

const limit = 5 * time.Second

func TestWithoutWorkersTheNodeThinks(t *testing.T) {
	for name, crew := range map[string][]store.Worker{
		"nobody works":                  nil,
		"nobody knows the bot":          {able("other")},
		"one of them lacks the bot":     {able("b", "other"), able("other")},
		"the only one that can is done": {{Name: "drains", Bots: []string{"b"}}},
	} {
		t.Run(name, func(t *testing.T) {
			dispatching(t, func(n *node) {
				n.board.works(crew...)
				time.Sleep(time.Second)
				n.submit(7, limit)
				n.thought("at once", limit)
				if a := <-n.answers; a.Version != 7 || n.board.asked != 0 {
					t.Errorf("answered %+v; the queue was asked %d times", a, n.board.asked)
				}
			})
		})
	}
}

func TestWhatAWorkerPlaysIsNotThoughtAboutHere(t *testing.T) {
	dispatching(t, func(n *node) {
		n.submit(7, limit)
		time.Sleep(4 * time.Second)
		n.thought("while the worker thinks")
		n.Cancel("r") // the position has changed
		time.Sleep(time.Minute)
		n.thought("when it has moved")
		n.counts("handed_out_total", 1)
		n.counts("settled_total", 1)
		n.counts("taken_back_total", 0)
	})
}

func TestTheNodeThinksWhenAWorkerDoesNot(t *testing.T) {
	for _, c := range []struct{ limit, after, rescue time.Duration }{
		{5 * time.Second, 6 * time.Second, time.Second},
		{50 * time.Millisecond, 250 * time.Millisecond, 50 * time.Millisecond}, // on a short clock
	} {
		dispatching(t, func(n *node) {
			n.submit(7, c.limit)
			time.Sleep(c.after - time.Millisecond)
			n.thought("before")
			time.Sleep(time.Millisecond)
			n.thought("after", c.rescue)
			if a := <-n.answers; a.Room != "r" || a.Version != 7 || a.Err != nil {
				t.Errorf("answered %+v", a)
			}
			n.counts("taken_back_total", 1)
			n.Cancel("r")
			n.counts("settled_total", 0)
		})
	}
}

func TestWhenTheLastWorkerDiesNobodyWaitsForIt(t *testing.T) {
	dispatching(t, func(n *node) {
		n.submit(7, limit)
		n.board.works(store.Worker{Name: "w", Bots: []string{"b"}}) // drains: it still plays what it has
		time.Sleep(time.Second)
		n.thought("while it lives")
		n.board.works()
		time.Sleep(time.Second)
		n.thought("when it is dead", time.Second)
		n.counts("taken_back_total", 1)
	})
}

func TestBusyWorkersLeaveTheTurnToTheNode(t *testing.T) {
	dispatching(t, func(n *node) {
		n.board.full = true
		n.submit(7, limit)
		n.thought("at once", limit)
		n.counts("kept_total", 1)
	})
}

func TestAQueueThatHangsCostsASecond(t *testing.T) {
	dispatching(t, func(n *node) {
		n.board.deaf = true
		n.submit(7, limit)
		time.Sleep(time.Second)
		n.thought("after a second", limit-time.Second)
		n.submit(9, limit) // by now the crew is unknown
		n.thought("from then on", limit-time.Second, limit)
	})
}

func TestATurnThatIsAskedForAgainKeepsItsDeadline(t *testing.T) {
	dispatching(t, func(n *node) {
		n.submit(7, limit)
		n.Cancel("r")
		time.Sleep(3 * time.Second)
		n.submit(7, limit)
		n.counts("joined_total", 1)
		time.Sleep(3*time.Second - time.Millisecond)
		n.thought("before")
		time.Sleep(time.Millisecond)
		n.thought("a second after the first deadline", time.Second)
		time.Sleep(time.Minute)
		n.submit(7, limit)
		time.Sleep(time.Millisecond)
		n.thought("long after it", time.Second, time.Second)
	})
}

func TestAnotherClockOfTheQueueDoesNotKeepTheNodeWaiting(t *testing.T) {
	dispatching(t, func(n *node) {
		n.submit(7, limit)
		n.Cancel("r")
		n.board.slow = time.Hour
		n.submit(7, limit)
		time.Sleep(limit + time.Second)
		n.thought("after a whole turn", time.Second)
	})
}

func TestANewerTurnTakesThePlaceOfTheOlder(t *testing.T) {
	dispatching(t, func(n *node) {
		n.submit(7, limit)
		time.Sleep(time.Second)
		n.submit(9, limit)
		time.Sleep(time.Minute)
		n.thought("after both deadlines", time.Second)
		if a := <-n.answers; a.Version != 9 {
			t.Errorf("answered %+v", a)
		}
	})
}

func TestARefusalOfTheNodeIsAnAnswer(t *testing.T) {
	dispatching(t, func(n *node) {
		n.book.busy = ai.ErrBusy
		n.submit(7, limit)
		time.Sleep(time.Minute)
		if a := <-n.answers; !errors.Is(a.Err, ai.ErrBusy) || a.Room != "r" || a.Version != 7 {
			t.Errorf("answered %+v", a)
		}
	})
}

func TestADispatcherThatIsOverHandsNothingOut(t *testing.T) {
	dispatching(t, func(n *node) {
		n.submit(7, limit)
		n.stop()
		time.Sleep(time.Minute)
		n.thought("what was handed out")
		n.submit(9, limit)
		n.thought("what comes then", limit)
	})
}
