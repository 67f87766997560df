package hub

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	runtimemetrics "runtime/metrics"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// level is how hard pressed a node is. What is shed at one level is shed at
// those above it, too; moves never are.
type level int32

const (
	calm           level = iota
	noThumbnails         // the lobby stands still
	slowSpectators       // who has no seat hears of a game now and then, and nobody else comes to watch
	noNewGames
)

// pressure measures how hard pressed the node is: by how late its goroutines
// run, and by how much of its memory is in use.
type pressure struct {
	level atomic.Int32
	late  atomic.Int64 // nanoseconds, of a usual probe
	shed  *prometheus.CounterVec

	// The measuring goroutine's own:
	since   time.Time // the level was last confirmed or changed
	probes  [probes]time.Duration
	probed  int
	cycles  uint64 // of the collector, when last seen to run
	cleaned time.Time
}

const (
	probeEvery = 100 * time.Millisecond
	probes     = 9               // of which the median counts: a pause, however long, is no pressure
	relief     = 2 * time.Second // below a level until it is left
)

// at reports whether what is shed at a level is to be shed now.
func (p *pressure) at(l level) bool { return level(p.level.Load()) >= l }

// lateLevel is the pressure of goroutines that run so late.
func lateLevel(late, after time.Duration) level {
	switch {
	case late >= 4*after:
		return noNewGames
	case late >= 2*after:
		return slowSpectators
	case late >= after:
		return noThumbnails
	}
	return calm
}

// memoryLevel is the pressure of so many bytes that live, under a limit. The
// collector works the harder the less the limit leaves beside them.
func memoryLevel(live, limit uint64) level {
	switch share := float64(live) / float64(limit); {
	case share >= 0.9:
		return noNewGames
	case share >= 0.8:
		return slowSpectators
	case share >= 0.7:
		return noThumbnails
	}
	return calm
}

// watchPressure measures until ctx ends.
func (h *Hub) watchPressure(ctx context.Context) {
	p := &h.pressure
	for begun := time.Now(); sleep(ctx, probeEvery); begun = time.Now() {
		p.probes[p.probed%probes] = time.Since(begun) - probeEvery
		p.probed++
		late := p.median()
		p.late.Store(int64(late))
		live, limit := h.cfg.memory()
		ofMemory := memoryLevel(live, limit)
		if ofMemory > calm {
			p.clean(time.Now())
		}
		before, now := level(p.level.Load()), p.follow(max(lateLevel(late, h.cfg.LateAfter), ofMemory), time.Now())
		if before != now {
			h.log.Warn("the pressure on this node has changed", "level", int(now), "late", late.Round(time.Millisecond), "live", live, "limit", limit)
		}
		h.visitors.tidy()
	}
}

// median is how late a usual one of the latest probes was.
func (p *pressure) median() time.Duration {
	sorted := p.probes
	slices.Sort(sorted[:])
	return sorted[probes/2]
}

// follow rises with what was measured at once, and falls a step at a time.
func (p *pressure) follow(measured level, now time.Time) level {
	l := level(p.level.Load())
	switch {
	case measured >= l:
		l, p.since = measured, now
	case now.Sub(p.since) >= relief:
		l, p.since = l-1, now
	}
	p.level.Store(int32(l))
	return l
}

// clean runs the collector if it has not run for a while: only then it is known
// what lives, and a node on which nothing happens any more would stay pressed.
func (p *pressure) clean(now time.Time) {
	const seldom = 5 * time.Second
	sample := []runtimemetrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	runtimemetrics.Read(sample)
	if cycles := sample[0].Value.Uint64(); cycles != p.cycles {
		p.cycles, p.cleaned = cycles, now
		return
	}
	if now.Sub(p.cleaned) >= seldom {
		runtime.GC()
	}
}

// memoryInUse is what was alive when the collector last looked, with all stacks,
// and the limit that the operator has set (GOMEMLIMIT).
func memoryInUse() (live, limit uint64) {
	samples := []runtimemetrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	runtimemetrics.Read(samples)
	for _, s := range samples {
		live += s.Value.Uint64()
	}
	limit = math.MaxInt64
	if set := debug.SetMemoryLimit(-1); set > 0 {
		limit = uint64(set)
	}
	return live, limit
}

// init prepares what is counted.
func (p *pressure) init(reg prometheus.Registerer) {
	p.shed = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "gomokud_shed_total", Help: "What was shed under pressure: rounds of thumbnails, updates and newcomers among spectators, new games.",
	}, []string{"what"})
	for _, what := range []string{"thumbnails", "updates", "spectators", "games"} {
		p.shed.WithLabelValues(what) // so that there is a zero to compare with
	}
	reg.MustRegister(p.shed,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "gomokud_pressure", Help: "0: calm; 1: no thumbnails; 2: spectators are told now and then; 3: no new games.",
		}, func() float64 { return float64(p.level.Load()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "gomokud_late_seconds", Help: "How late a goroutine of this node usually runs.",
		}, func() float64 { return time.Duration(p.late.Load()).Seconds() }),
	)
}

// sheds reports whether something is to be shed, and counts it if so.
func (p *pressure) sheds(l level, what string) bool {
	if !p.at(l) {
		return false
	}
	p.shed.WithLabelValues(what).Inc()
	return true
}
