package ai

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gomokud/internal/rules"
)

var corner = rules.Point{X: 0, Y: 0}

// punctual plays a corner when its time is over, as the contract asks.
func punctual(ctx context.Context, _ Position, _ Budget) (Thought, error) {
	<-ctx.Done()
	return Thought{Move: corner}, nil
}

// only is a pool's engines with one bot named "bot".
func only(e engine) map[string]func() Engine {
	return map[string]func() Engine{"bot": func() Engine { return e }}
}

func TestAnEngineIsReplacedTenMillisecondsAfterItsLimit(t *testing.T) {
	for name, c := range map[string]struct {
		after time.Duration // the limit, until the engine moves
		took  time.Duration
		move  rules.Point
		why   Failure
	}{
		"on time":        {0, 0, corner, ""},
		"a little late":  {9 * time.Millisecond, 9 * time.Millisecond, corner, ""},
		"too late":       {11 * time.Millisecond, 10 * time.Millisecond, tengen, Late},
		"far too late":   {900 * time.Millisecond, 10 * time.Millisecond, tengen, Late},
		"not in a while": {time.Minute, 10 * time.Millisecond, tengen, Late},
	} {
		t.Run(name, func(t *testing.T) {
			think := func(ctx context.Context, p Position, b Budget) (Thought, error) {
				<-ctx.Done()
				time.Sleep(c.after)
				return Thought{Move: corner}, nil
			}
			var got Outcome
			observe := func(o Outcome) { got = o }
			running(t, PoolConfig{Workers: 1, Engines: only(think), Observe: observe}, func(p *Pool) {
				began := time.Now()
				a := <-submit(t, p, job("r", "bot"))
				if took := time.Since(began) - 2*time.Second; took != c.took || a.Move != c.move {
					t.Errorf("moved to %v %v after the limit, want %v and %v", a.Move, took, c.move, c.took)
				}
				time.Sleep(2 * time.Second)
				synctest.Wait()
				if got.Failure != c.why {
					t.Errorf("the failure is %q, want %q", got.Failure, c.why)
				}
			})
		})
	}
}

func TestAJobsTimeRunsWhileItWaits(t *testing.T) {
	for _, c := range []struct{ limit, waits, left time.Duration }{
		{2 * time.Second, 0, 2 * time.Second},
		{2 * time.Second, 1500 * time.Millisecond, 500 * time.Millisecond},
		{2 * time.Second, 1990 * time.Millisecond, 50 * time.Millisecond},
		{2 * time.Second, time.Minute, 50 * time.Millisecond},
		{20 * time.Millisecond, time.Minute, 20 * time.Millisecond},
		{0, 4 * time.Second, 6 * time.Second}, // 10 s are the longest
	} {
		t.Run(fmt.Sprint(c.limit, " after ", c.waits), func(t *testing.T) {
			var got, deadline time.Duration
			engines := only(func(ctx context.Context, _ Position, b Budget) (Thought, error) {
				by, _ := ctx.Deadline()
				got, deadline = b.Time, time.Until(by)
				return Thought{Move: corner}, nil
			})
			engines["before"] = func() Engine {
				return engine(func(context.Context, Position, Budget) (Thought, error) {
					time.Sleep(c.waits)
					return Thought{Move: corner}, nil
				})
			}
			running(t, PoolConfig{Workers: 1, Engines: engines}, func(p *Pool) {
				long := job("first", "before")
				long.Budget.Time = time.Hour
				submit(t, p, long)
				j := job("r", "bot")
				j.Budget.Time = c.limit
				<-submit(t, p, j)
				if got != c.left || deadline != c.left {
					t.Errorf("its budget is %v and its deadline in %v, want %v", got, deadline, c.left)
				}
			})
		})
	}
}

func TestAnEngineIsKeptUntilItFails(t *testing.T) {
	made := 0
	engines := map[string]func() Engine{}
	for _, bot := range []string{"one", "other"} {
		engines[bot] = func() Engine {
			made++
			asked, name := 0, made
			return engine(func(_ context.Context, _ Position, b Budget) (Thought, error) {
				switch asked++; b.Depth {
				case 1:
					panic("oh")
				case 2:
					return Thought{Move: rules.Point{X: 99}}, nil
				case 3:
					time.Sleep(time.Minute)
				case 4:
					return Thought{}, context.DeadlineExceeded
				}
				return Thought{Move: corner, Nodes: int64(asked), Depth: name}, nil
			})
		}
	}
	running(t, PoolConfig{Workers: 1, Engines: engines}, func(p *Pool) {
		ask := func(bot string, spoil int) (engine, asked int) {
			j := job("r", bot)
			j.Budget.Depth = spoil
			a := <-submit(t, p, j)
			time.Sleep(2 * time.Minute) // one that hangs comes back
			return a.Thought.Depth, int(a.Thought.Nodes)
		}
		for i, c := range []struct {
			bot           string
			spoil         int
			engine, asked int
		}{
			{"one", 0, 1, 1},
			{"one", 0, 1, 2},
			{"other", 0, 2, 1},
			{"one", 0, 1, 3},
			{"one", 1, 0, 0}, // panics
			{"one", 0, 3, 1},
			{"other", 0, 2, 2}, // it had nothing to do with that
			{"one", 2, 0, 0},   // an illegal move
			{"one", 0, 4, 1},
			{"one", 3, 0, 0}, // hangs, and takes the worker's mind with it
			{"one", 0, 5, 1},
			{"other", 0, 6, 1},
		} {
			if engine, asked := ask(c.bot, c.spoil); engine != c.engine || asked != c.asked {
				t.Fatalf("answer %d is the %d. of engine %d, want the %d. of engine %d", i, asked, engine, c.asked, c.engine)
			}
		}
	})
}

// closer is an engine that counts how often it was closed.
type closer struct {
	engine
	closed *atomic.Int32
	err    error // of closing; errPanic makes it panic
}

var errPanic = errors.New("panic")

func (c closer) Close() error {
	c.closed.Add(1)
	if c.err == errPanic {
		panic(c.err)
	}
	return c.err
}

func TestAnEngineIsClosedOnceItsWorkerIsDoneWithIt(t *testing.T) {
	for name, err := range map[string]error{"well": nil, "with an error": errors.New("odd"), "with a panic": errPanic} {
		t.Run(name, func(t *testing.T) {
			var made, closed atomic.Int32
			engines := map[string]func() Engine{"bot": func() Engine {
				made.Add(1)
				think := func(_ context.Context, _ Position, b Budget) (Thought, error) {
					switch b.Depth {
					case 1:
						panic("oh")
					case 2:
						time.Sleep(time.Minute)
					}
					return Thought{Move: corner}, nil
				}
				return closer{think, &closed, err}
			}}
			running(t, PoolConfig{Workers: 1, Engines: engines}, func(p *Pool) {
				for i, c := range []struct{ spoil, made, closed int32 }{
					{0, 1, 0},
					{0, 1, 0},
					{1, 1, 1}, // one that panicked is closed,
					{0, 2, 1},
					{2, 2, 2}, // and one that hung as soon as it comes back
					{0, 3, 2},
				} {
					j := job("r", "bot")
					j.Budget.Depth = int(c.spoil)
					<-submit(t, p, j)
					time.Sleep(2 * time.Minute)
					if made.Load() != c.made || closed.Load() != c.closed {
						t.Fatalf("after answer %d: %d made and %d closed, want %d and %d", i, made.Load(), closed.Load(), c.made, c.closed)
					}
				}
			})
			if closed.Load() != made.Load() {
				t.Errorf("at the end: %d made and %d closed", made.Load(), closed.Load())
			}
		})
	}
}

func TestAnEngineThatDoesNotCloseHoldsNobodyUp(t *testing.T) {
	engines := engines()
	engines["bot"] = func() Engine {
		return slowToClose{func(context.Context, Position, Budget) (Thought, error) { panic("oh") }}
	}
	running(t, PoolConfig{Workers: 1, Engines: engines}, func(p *Pool) {
		began := time.Now()
		<-submit(t, p, job("r", "bot"))
		if late := time.Since(began) - 2*time.Second; late > 10*time.Millisecond {
			t.Errorf("it was replaced %v after the limit", late)
		}
		<-submit(t, p, job("other", "quick"))
		if took := time.Since(began) - 2*time.Second; took > 2*time.Second {
			t.Errorf("the next room waited for %v", took)
		}
	})
}

// slowToClose is an engine that takes a minute to close.
type slowToClose struct{ engine }

func (slowToClose) Close() error {
	time.Sleep(time.Minute)
	return nil
}

func TestTheFallbackIsABotAndTheNearestPointIsItsOwn(t *testing.T) {
	errOdd := errors.New("odd")
	for name, c := range map[string]struct {
		fallback engine
		move     rules.Point
	}{
		"it moves":  {func(context.Context, Position, Budget) (Thought, error) { return Thought{Move: corner}, nil }, corner},
		"it panics": {func(context.Context, Position, Budget) (Thought, error) { panic("oh") }, tengen},
		"it errs":   {func(context.Context, Position, Budget) (Thought, error) { return Thought{}, errOdd }, tengen},
		"it is illegal": {func(context.Context, Position, Budget) (Thought, error) {
			return Thought{Move: rules.Point{X: -1}}, nil
		}, tengen},
		"it gives up": {func(context.Context, Position, Budget) (Thought, error) { return Thought{}, ErrNoMove }, tengen},
		"it is slow": {func(ctx context.Context, _ Position, _ Budget) (Thought, error) {
			<-ctx.Done()
			return Thought{}, ctx.Err()
		}, tengen},
		"it is deaf": {func(context.Context, Position, Budget) (Thought, error) {
			time.Sleep(time.Minute)
			return Thought{Move: corner}, nil
		}, tengen},
	} {
		t.Run(name, func(t *testing.T) {
			fallback := func() Engine { return c.fallback }
			running(t, PoolConfig{Workers: 1, Fallback: fallback}, func(p *Pool) {
				for _, bot := range []string{"panicking", "illegal", "unknown", "deaf"} {
					began := time.Now()
					a := <-submit(t, p, job(bot, bot))
					if a.Move != c.move || a.Err != nil {
						t.Errorf("for the %s one it moved to %v, %v; want %v", bot, a.Move, a.Err, c.move)
					}
					if late := time.Since(began) - 2*time.Second; late > 10*time.Millisecond {
						t.Errorf("for the %s one it moved %v after the limit", bot, late)
					}
				}
			})
		})
	}
}

func TestEveryJobIsObservedOnce(t *testing.T) {
	var got []Outcome
	observe := func(o Outcome) { got = append(got, o) }
	running(t, PoolConfig{Workers: 1, Observe: observe}, func(p *Pool) {
		submit(t, p, job("running", "slow"))
		synctest.Wait()
		submit(t, p, job("waiting", "slow"))
		submit(t, p, job("waiting", "quick")) // the first is withdrawn
		time.Sleep(300 * time.Millisecond)
		p.Cancel("running")
		synctest.Wait()
		<-submit(t, p, job("next", "panicking"))
		synctest.Wait()
		ms := time.Millisecond
		want := []Outcome{
			{Bot: "slow", Cancelled: true},
			{Bot: "slow", Thought: 300 * ms, Cancelled: true},
			{Bot: "quick", Waited: 300 * ms, Nodes: 3},
			{Bot: "panicking", Failure: Panicked},
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("observed\n%+v, want\n%+v", got, want)
		}
	})
}

func TestOneWithManyRoomsMakesNobodyWait(t *testing.T) {
	running(t, PoolConfig{Workers: 1, Engines: only(punctual)}, func(p *Pool) {
		for i := range 20 {
			j := job(fmt.Sprint(i), "bot")
			j.Owner, j.Budget.Time = "greedy", time.Second
			submit(t, p, j)
		}
		synctest.Wait() // the first is thought about
		j := job("ann's", "bot")
		j.Owner = "ann"
		began := time.Now()
		<-submit(t, p, j)
		// The one that is thought about, one of the others that was there before, hers.
		if took, most := time.Since(began), 2*time.Second+50*time.Millisecond; took > most {
			t.Errorf("she waited %v, want at most %v", took, most)
		}
	})
}
