package main

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// engine makes one of a function.
type engine func(context.Context) (ai.Thought, error)

func (e engine) Think(ctx context.Context, _ ai.Position, _ ai.Budget) (ai.Thought, error) {
	return e(ctx)
}

// Programs that do not answer keep none of our own opponents from moving, however
// many play against them.
func TestOurOwnOpponentsDoNotWaitForPrograms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		corner := rules.Point{}
		r := roster{
			own: engineList{"own": func() ai.Engine {
				return engine(func(context.Context) (ai.Thought, error) { return ai.Thought{Move: corner}, nil })
			}},
			external: engineList{"hanging": func() ai.Engine {
				return engine(func(ctx context.Context) (ai.Thought, error) { <-ctx.Done(); return ai.Thought{}, ctx.Err() })
			}},
		}
		counted := prometheus.NewRegistry()
		all := newLanes(r, 1, 1024, slog.New(slog.DiscardHandler), counted)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { all.Run(ctx) })
		defer running.Wait()
		defer stop()
		ask := func(room, bot string) <-chan ai.Answer {
			t.Helper()
			answers := make(chan ai.Answer, 1)
			job := ai.Job{Room: room, Bot: bot, Budget: ai.Budget{Time: 5 * time.Second}, Position: ai.Position{Size: rules.Size{Width: 15, Height: 15}, ToMove: rules.Black}}
			if err := all.Submit(job, func(a ai.Answer) { answers <- a }); err != nil {
				t.Fatal(err)
			}
			return answers
		}
		places := all[1].places
		for n := range places + 3 {
			ask(string(rune('a'+n)), "hanging")
		}
		synctest.Wait()
		began := time.Now()
		if a := <-ask("room", "own"); a.Move != corner || a.Failure != "" || time.Since(began) != 0 {
			t.Errorf("answer %+v after %v", a, time.Since(began))
		}
		if a := <-ask("other", "stranger"); a.Failure != ai.Unknown {
			t.Errorf("for a bot that nobody knows: %+v", a)
		}
		for lane, want := range map[string]float64{"own": 0, "external": 3} {
			if got := gauge(t, counted, "gomokud_bots_waiting", lane); got != want {
				t.Errorf("%v turns wait in the lane %q, want %v", got, lane, want)
			}
		}
		called := ask("called off", "hanging")
		all.Cancel("called off")
		time.Sleep(time.Minute)
		select {
		case a := <-called:
			t.Errorf("called off, but answered %+v", a)
		default:
		}
	})
}

// gauge is what a lane's gauge shows.
func gauge(t *testing.T, counted prometheus.Gatherer, name, lane string) float64 {
	t.Helper()
	families, err := counted.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			for _, l := range m.GetLabel() {
				if family.GetName() == name && l.GetName() == "lane" && l.GetValue() == lane {
					return m.GetGauge().GetValue()
				}
			}
		}
	}
	t.Fatalf("nothing counts %s of the lane %q", name, lane)
	return 0
}

// Without programs there is no lane for them.
func TestNoProgramsNoLane(t *testing.T) {
	if all := newLanes(catalogue(nil), 1, 1, slog.New(slog.DiscardHandler), prometheus.NewRegistry()); len(all) != 1 {
		t.Errorf("%d lanes, want 1", len(all))
	}
}
