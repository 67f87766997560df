package ai

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"gomokud/internal/rules"
)

// A deaf engine thinks for a minute whatever ctx says; see engines.
func TestAnEngineThatDoesNotStopBlocksNobodyElse(t *testing.T) {
	running(t, PoolConfig{Workers: 1}, func(p *Pool) {
		began := time.Now()
		<-submit(t, p, job("r", "deaf"))
		if b := <-submit(t, p, job("other", "quick")); b.Err != nil || b.Move != tengen {
			t.Errorf("answer %+v", b)
		}
		if took, most := time.Since(began), 4*time.Second; took > most {
			t.Errorf("the next room waited %v, want at most %v", took, most)
		}

		began = time.Now()
		<-submit(t, p, job("r", "deaf"))
		if took := time.Since(began); took != 0 {
			t.Errorf("an engine that still thinks was asked again, for %v", took)
		}
		synctest.Wait()
		if s := p.Stats(); s.Fallbacks != 2 || s.Running != 0 {
			t.Errorf("stats %+v", s)
		}

		time.Sleep(time.Minute) // it comes back
		began = time.Now()
		<-submit(t, p, job("r", "deaf"))
		if took := time.Since(began); took == 0 {
			t.Error("an engine that came back is not asked any more")
		}
	})
}

func TestACancelledEngineThatDoesNotStopIsGivenUp(t *testing.T) {
	running(t, PoolConfig{Workers: 1}, func(p *Pool) {
		submit(t, p, job("r", "deaf"))
		synctest.Wait()
		p.Cancel("r")
		began := time.Now()
		<-submit(t, p, job("other", "quick"))
		if took := time.Since(began); took != time.Second {
			t.Errorf("the next room waited %v, want the patience of a second", took)
		}
	})
}

func TestRunDoesNotWaitForADeafEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(PoolConfig{Workers: 1, Engines: engines(), Log: slog.New(slog.DiscardHandler)})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- p.Run(ctx) }()
		submit(t, p, job("r", "deaf"))
		synctest.Wait()
		began := time.Now()
		stop()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run: %v", err)
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("Run ended after %v, want the patience of a second", took)
		}
		if err := p.Submit(job("r", "quick"), func(Answer) {}); !errors.Is(err, ErrBusy) {
			t.Errorf("Submit to a stopped pool: %v, want ErrBusy", err)
		}
		time.Sleep(2 * time.Minute) // the deaf engine ends
	})
}

func TestThatThereIsNoMoveIsBelievedOnlyIfTrue(t *testing.T) {
	running(t, PoolConfig{Workers: 1}, func(p *Pool) {
		if a := <-submit(t, p, job("r", "lost")); a.Err != nil || a.Move != tengen {
			t.Errorf("on an empty board: %+v", a)
		}
		full := job("r", "lost")
		full.Position.Size = rules.Size{Width: 5, Height: 5}
		for at := range full.Position.Size.All() {
			full.Position.Stones = append(full.Position.Stones, Stone{at, rules.White})
		}
		if a := <-submit(t, p, full); !errors.Is(a.Err, ErrNoMove) {
			t.Errorf("on a full board: %+v", a)
		}
		full.Bot = "panicking"
		if a := <-submit(t, p, full); !errors.Is(a.Err, ErrNoMove) {
			t.Errorf("on a full board, of an engine that panics: %+v", a)
		}
	})
}

func TestAPositionThatCannotBeIsRefused(t *testing.T) {
	p := NewPool(PoolConfig{})
	center := Stone{tengen, rules.Black}
	for name, spoil := range map[string]func(*Position){
		"two stones on a point":  func(p *Position) { p.Stones = []Stone{center, center} },
		"a stone off the board":  func(p *Position) { p.Stones = []Stone{{rules.Point{X: 15}, rules.Black}} },
		"a stone of no colour":   func(p *Position) { p.Stones = []Stone{{tengen, rules.Empty}} },
		"a board that is none":   func(p *Position) { p.Size = rules.Size{Width: 4, Height: 15} },
		"nobody is to move":      func(p *Position) { p.ToMove = rules.Empty },
		"an impossible opponent": func(p *Position) { p.ToMove = 7 },
	} {
		j := job("r", "quick")
		spoil(&j.Position)
		if err := p.Submit(j, func(Answer) {}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestANewerJobKeepsThePlaceInTheQueue(t *testing.T) {
	running(t, PoolConfig{Workers: 1}, func(p *Pool) {
		var order []string
		submit := func(room, name string) {
			if err := p.Submit(job(room, "slow"), func(Answer) { order = append(order, name) }); err != nil {
				t.Fatal(err)
			}
		}
		submit("first", "first")
		synctest.Wait()
		submit("a", "old a")
		submit("b", "b")
		submit("a", "new a")
		time.Sleep(time.Minute)
		synctest.Wait()
		if got, want := len(order), 3; got != want {
			t.Fatalf("%d answers, want %d: %v", got, want, order)
		}
		if order[1] != "new a" || order[2] != "b" {
			t.Errorf("answered in the order %v", order)
		}
	})
}
