package tengen

import (
	"math/rand/v2"
	"testing"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// middlegame is a position with about 30 stones, whose lines are neither empty
// nor full.
func middlegame(rule rules.Rule) ai.Position {
	random := rand.New(rand.NewPCG(8, 8))
	for {
		if from := dense(random, rule, side(15)); len(from.Stones) > 25 && len(from.Stones) < 35 {
			return from
		}
	}
}

// BenchmarkPlayUndo plays a stone near others and takes it back.
func BenchmarkPlayUndo(b *testing.B) {
	for _, rule := range allRules {
		b.Run(rule.String(), func(b *testing.B) {
			p := loaded(middlegame(rule))
			list := p.appendNear(nil)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				p.play(list[i%len(list)].square)
				p.undo()
			}
		})
	}
}

// BenchmarkNodes searches with one thread and a node budget.
func BenchmarkNodes(b *testing.B) {
	for _, rule := range allRules {
		b.Run(rule.String(), func(b *testing.B) {
			e := New(Config{Memory: 1 << 24, Library: &common})
			var all []ai.Position
			for _, from := range fingerprinted(b) {
				if from.Rule == rule {
					all = append(all, from)
				}
			}
			nodes := int64(0)
			for b.Loop() {
				for _, from := range all {
					e.Forget()
					thought, err := e.Think(b.Context(), from, ai.Budget{Nodes: 100_000})
					if err != nil {
						b.Fatal(err)
					}
					nodes += thought.Nodes
				}
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}

// BenchmarkFourSearch solves the own suite, each problem without memory of the
// others.
func BenchmarkFourSearch(b *testing.B) {
	var all []*position
	for _, r := range records(b, "testdata/vcf.jsonl") {
		all = append(all, loaded(r.position()))
	}
	f := newFourSearch(nil, 1<<16)
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range all {
			clear(f.failed)
			f.p = p
			if _, won := f.win(maxFours, 100_000, false); !won {
				b.Fatalf("a problem is not solved\n%s", text(p.drawn()))
			}
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N*len(all)), "µs/problem")
}

// BenchmarkPublished reports how many of the published problems the engine claims
// as won within a time, on one thread, with nothing remembered from the others.
func BenchmarkPublished(b *testing.B) {
	for _, c := range []struct {
		name, file string
		time       time.Duration
		counts     func(record) bool
	}{
		{"of_up_to_ten_fours_in_100ms", "puzzles_vcf.jsonl", 100 * time.Millisecond, func(r record) bool { return r.AttackerMoves <= 10 }},
		{"of_up_to_four_threes_in_1s", "puzzles_vct.jsonl", time.Second, func(r record) bool { return r.ThreatMoves <= 4 }},
	} {
		b.Run(c.name, func(b *testing.B) {
			e := New(Config{Memory: 1 << 24, Library: &common})
			all, won := 0, 0
			longest := time.Duration(0)
			for b.Loop() {
				for _, r := range published(b, c.file) {
					if !c.counts(r) {
						continue
					}
					all++
					e.Forget()
					began := time.Now()
					thought, err := e.Think(b.Context(), r.position(), ai.Budget{Time: c.time})
					if err != nil {
						b.Fatal(err)
					}
					if thought.Mate > 0 {
						won++
						longest = max(longest, time.Since(began))
					}
				}
			}
			b.ReportMetric(float64(all)/float64(b.N), "problems")
			b.ReportMetric(float64(won)/float64(b.N), "solved")
			b.ReportMetric(float64(longest)/1e6, "ms-at-most")
		})
	}
}

// BenchmarkTwoThreads reports how much sooner two threads reach a depth than one.
// It means little where less than two processors are free, and varies: take the
// mean of some (-benchtime 4x).
func BenchmarkTwoThreads(b *testing.B) {
	var took [3]time.Duration
	for b.Loop() {
		for threads := 1; threads <= 2; threads++ {
			for _, from := range fingerprinted(b) {
				e := New(Config{Threads: threads, Memory: 1 << 24, Library: &common})
				began := time.Now()
				if _, err := e.Think(b.Context(), from, ai.Budget{Depth: 13}); err != nil {
					b.Fatal(err)
				}
				took[threads] += time.Since(began)
			}
		}
	}
	b.ReportMetric(took[1].Seconds()/took[2].Seconds(), "times-faster")
}

// The search allocates when it is set up and when it reports, never in its loop:
// twenty times the nodes are no more memory.
func TestTheSearchLoopDoesNotAllocate(t *testing.T) {
	for _, from := range fingerprinted(t) {
		e := newTestEngine(1)
		if _, err := e.Think(t.Context(), from, ai.Budget{Nodes: 1000}); err != nil {
			t.Fatal(err)
		}
		th := e.threads[0]
		th.limits = newLimits(t.Context(), ai.Budget{}, time.Now())
		th.limits.over.Store(false)
		nodes := th.p.nodes
		if n := testing.AllocsPerRun(3, func() {
			th.search(-infinite, infinite, 4, 0, false)
			th.fours.win(maxFours, 2000, false)
			th.threats.win(4, 2000)
		}); n > 0 {
			t.Errorf("%v allocations a search\n%s", n, text(from))
		}
		if th.p.nodes-nodes < 200 {
			t.Errorf("only %d nodes: nothing was searched\n%s", th.p.nodes-nodes, text(from))
		}
	}
}

func TestPlayAndUndoDoNotAllocate(t *testing.T) {
	for _, rule := range allRules {
		p := loaded(middlegame(rule))
		list := p.appendNear(nil)
		i := 0
		if n := testing.AllocsPerRun(200, func() {
			p.play(list[i%len(list)].square)
			p.undo()
			i++
		}); n > 0 {
			t.Errorf("%v: %v allocations", rule, n)
		}
	}
}
