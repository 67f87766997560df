package ai

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"gomokud/internal/rules"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(echoAddress); address != "" {
		if err := beThePerson(address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// engine makes one of a function.
type engine func(context.Context, Position, Budget) (Thought, error)

func (e engine) Think(ctx context.Context, p Position, b Budget) (Thought, error) {
	return e(ctx, p, b)
}

var tengen = rules.Point{X: 7, Y: 7}

// engines are the ways in which an engine behaves or misbehaves.
func engines() map[string]func() Engine {
	make := func(think engine) func() Engine { return func() Engine { return think } }
	return map[string]func() Engine{
		"quick": make(func(context.Context, Position, Budget) (Thought, error) {
			return Thought{Move: tengen, Nodes: 3}, nil
		}),
		"slow": make(func(ctx context.Context, _ Position, _ Budget) (Thought, error) {
			select {
			case <-time.After(time.Second):
				return Thought{Move: tengen}, nil
			case <-ctx.Done():
				return Thought{}, ctx.Err()
			}
		}),
		"deaf": make(func(context.Context, Position, Budget) (Thought, error) {
			time.Sleep(time.Minute)
			return Thought{Move: tengen}, nil
		}),
		"panicking": make(func(context.Context, Position, Budget) (Thought, error) { panic("oh") }),
		"illegal": make(func(_ context.Context, p Position, _ Budget) (Thought, error) {
			return Thought{Move: rules.Point{X: 99, Y: 0}}, nil
		}),
		"resting": make(func(context.Context, Position, Budget) (Thought, error) {
			return Thought{}, fmt.Errorf("not now: %w", Resting)
		}),
		"sorry": make(func(context.Context, Position, Budget) (Thought, error) { return Thought{}, errors.New("sorry") }),
		"tired": make(func(context.Context, Position, Budget) (Thought, error) { return Thought{}, context.DeadlineExceeded }),
		"lost":  make(func(context.Context, Position, Budget) (Thought, error) { return Thought{}, ErrNoMove }),
	}
}

// running runs fn beside a pool inside a bubble of fake time.
func running(t *testing.T, cfg PoolConfig, fn func(*Pool)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if cfg.Engines == nil {
			cfg.Engines = engines()
		}
		cfg.Log = slog.New(slog.DiscardHandler)
		p := NewPool(cfg)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- p.Run(ctx) }()
		fn(p)
		stop()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run: %v", err)
		}
		time.Sleep(2 * time.Minute) // the deaf engine ends, if it was asked
	})
}

func job(room, bot string) Job {
	return Job{Room: room, Version: 5, Bot: bot, Position: Position{Size: rules.Size{Width: 15, Height: 15}, ToMove: rules.Black}, Budget: Budget{Time: 2 * time.Second}}
}

// submit hands in a job and returns where its answer comes.
func submit(t *testing.T, p *Pool, j Job) <-chan Answer {
	t.Helper()
	answers := make(chan Answer, 1)
	if err := p.Submit(j, func(a Answer) { answers <- a }); err != nil {
		t.Fatal(err)
	}
	return answers
}

func TestAnAnswerNamesWhatItAnswers(t *testing.T) {
	var got []Outcome
	observe := func(o Outcome) { got = append(got, o) }
	running(t, PoolConfig{Workers: 1, Observe: observe}, func(p *Pool) {
		a := <-submit(t, p, job("r", "quick"))
		if a.Room != "r" || a.Version != 5 || a.Move != tengen || a.Err != nil {
			t.Errorf("answer %+v", a)
		}
		synctest.Wait()
		if s := p.Stats(); s.Answers != 1 || s.Fallbacks != 0 || s.Running != 0 {
			t.Errorf("stats %+v", s)
		}
		if want := (Outcome{Bot: "quick", Nodes: 3}); len(got) != 1 || got[0] != want {
			t.Errorf("observed %+v, want %+v", got, want)
		}
	})
}

func TestAnEngineThatFailsCostsOneAnswer(t *testing.T) {
	for _, bot := range []string{"panicking", "illegal", "unknown", "deaf"} {
		t.Run(bot, func(t *testing.T) {
			running(t, PoolConfig{Workers: 1}, func(p *Pool) {
				began := time.Now()
				a := <-submit(t, p, job("r", bot))
				if a.Err != nil || a.Move != tengen { // the centre is the fallback's first
					t.Errorf("answer %+v", a)
				}
				if took := time.Since(began); took > 2*time.Second+10*time.Millisecond {
					t.Errorf("it took %v", took)
				}
				if b := <-submit(t, p, job("other", "quick")); b.Err != nil {
					t.Errorf("the next answer %+v", b)
				}
				synctest.Wait()
				if s := p.Stats(); s.Fallbacks != 1 || s.Answers != 2 {
					t.Errorf("stats %+v", s)
				}
			})
		})
	}
}

func TestAnAnswerSaysWhyTheFallbackMoved(t *testing.T) {
	for bot, want := range map[string]Failure{
		"quick": "", "panicking": Panicked, "illegal": Illegal, "unknown": Unknown, "deaf": Late, "resting": Resting, "sorry": Failed, "tired": Late,
	} {
		var got []Outcome
		running(t, PoolConfig{Workers: 1, Observe: func(o Outcome) { got = append(got, o) }}, func(p *Pool) {
			if a := <-submit(t, p, job("r", bot)); a.Failure != want {
				t.Errorf("%s: the answer says %q, want %q", bot, a.Failure, want)
			}
		})
		if len(got) != 1 || got[0].Failure != want {
			t.Errorf("%s: observed %+v, want the failure %q", bot, got, want)
		}
	}
}

func TestARoomHasOneJobAndRoomsTakeTurns(t *testing.T) {
	running(t, PoolConfig{Workers: 1}, func(p *Pool) {
		var order []string
		record := func(name string) func(Answer) { return func(Answer) { order = append(order, name) } }
		for i := range 3 {
			if err := p.Submit(job("greedy", "slow"), record(fmt.Sprint("greedy ", i))); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		for _, room := range []string{"a", "b"} {
			if err := p.Submit(job(room, "slow"), record(room)); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if got := fmt.Sprint(order); got != "[greedy 2 a b]" {
			t.Errorf("answered in the order %s", got)
		}
	})
}

func TestACancelledJobIsNotAnsweredAndFreesItsWorker(t *testing.T) {
	running(t, PoolConfig{Workers: 1}, func(p *Pool) {
		running, waiting := submit(t, p, job("running", "slow")), submit(t, p, job("waiting", "slow"))
		synctest.Wait()
		began := time.Now()
		p.Cancel("running")
		p.Cancel("waiting")
		p.Cancel("nobody")
		<-submit(t, p, job("next", "quick"))
		if took := time.Since(began); took > 10*time.Millisecond {
			t.Errorf("the worker was free after %v", took)
		}
		time.Sleep(time.Minute)
		select {
		case a := <-running:
			t.Errorf("answered %+v", a)
		case a := <-waiting:
			t.Errorf("answered %+v", a)
		default:
		}
		if s := p.Stats(); s.Cancelled != 2 {
			t.Errorf("stats %+v", s)
		}
	})
}

func TestAFullQueueRefuses(t *testing.T) {
	running(t, PoolConfig{Workers: 1, Queue: 2}, func(p *Pool) {
		submit(t, p, job("a", "slow"))
		synctest.Wait() // a is being thought about
		submit(t, p, job("b", "slow"))
		submit(t, p, job("c", "slow"))
		if err := p.Submit(job("d", "slow"), func(Answer) {}); !errors.Is(err, ErrBusy) {
			t.Errorf("Submit: %v, want ErrBusy", err)
		}
		submit(t, p, job("c", "slow")) // takes its own place
		if s := p.Stats(); s.Waiting != 2 || s.Refused != 1 {
			t.Errorf("stats %+v", s)
		}
	})
}

func TestNoMoreEnginesThinkThanThereAreWorkers(t *testing.T) {
	running(t, PoolConfig{Workers: 2}, func(p *Pool) {
		began, left := time.Now(), 6
		done := make(chan struct{})
		for i := range left {
			j := job(fmt.Sprint(i), "slow")
			j.Budget.Time = time.Minute // enough to wait for the others
			err := p.Submit(j, func(Answer) { done <- struct{}{} })
			if err != nil {
				t.Fatal(err)
			}
		}
		for range left {
			<-done
		}
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("6 seconds of thinking by 2 workers took %v", took)
		}
	})
}

func TestTheNearestPointIsNeverForbidden(t *testing.T) {
	b, err := rules.ParseBoard(`
		. . . . . . .
		. . . . . . .
		. . . X . . .
		. . . X . . .
		. X X . . . .
		. . . . . . .
		. . . . . . .`)
	if err != nil {
		t.Fatal(err)
	}
	p := Position{Rule: rules.Renju, Size: b.Size(), ToMove: rules.Black}
	for at := range b.Size().All() {
		if b.At(at) != rules.Empty {
			p.Stones = append(p.Stones, Stone{Point: at, Color: rules.Black})
		}
	}
	thought, err := nearest{}.Think(t.Context(), p, Budget{})
	if err != nil || !MayPlay(b, p.Rule, p.ToMove, thought.Move) {
		t.Errorf("plays %s, %v", thought.Move, err)
	}
	full := Position{Size: rules.Size{Width: 5, Height: 5}, ToMove: rules.Black}
	for at := range full.Size.All() {
		full.Stones = append(full.Stones, Stone{Point: at, Color: rules.White})
	}
	if _, err := (nearest{}).Think(t.Context(), full, Budget{}); !errors.Is(err, ErrNoMove) {
		t.Errorf("on a full board: %v", err)
	}
}
