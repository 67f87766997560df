package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
)

// thinking counts how bots think. The labels are as many as there are
// opponents on this server.
type thinking struct {
	known     map[string]bool
	answers   *prometheus.CounterVec
	fallbacks *prometheus.CounterVec
	cancelled *prometheus.CounterVec
	nodes     *prometheus.CounterVec
	waited    prometheus.Histogram
	thought   *prometheus.HistogramVec
}

func newThinking(engines map[string]func() ai.Engine, reg prometheus.Registerer) *thinking {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "gomokud_bots_" + name, Help: help}, labels)
	}
	t := &thinking{
		known:     map[string]bool{},
		answers:   counter("answers_total", "Bot turns that were answered.", "bot"),
		fallbacks: counter("fallbacks_total", "Bot turns that the fallback answered, by what was wrong.", "bot", "failure"),
		cancelled: counter("cancelled_total", "Bot turns that were called off: a game ended, a move was taken back.", "bot"),
		nodes:     counter("nodes_total", "Positions that engines looked at.", "bot"),
		waited: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "gomokud_bots_waited_seconds", Help: "Time that bot turns waited until somebody thought about them.",
			Buckets: prometheus.ExponentialBuckets(0.001, 3, 10),
		}),
		thought: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "gomokud_bots_thought_seconds", Help: "Time that engines thought.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2.5, 11),
		}, []string{"bot"}),
	}
	for bot := range engines {
		t.known[bot] = true
	}
	reg.MustRegister(t.answers, t.fallbacks, t.cancelled, t.nodes, t.waited, t.thought)
	return t
}

// observe counts a job that has come to its end.
func (t *thinking) observe(o ai.Outcome) {
	bot := o.Bot
	if !t.known[bot] {
		bot = "unknown" // of a game that is older than this server's list
	}
	t.waited.Observe(o.Waited.Seconds())
	if o.Thought > 0 {
		t.thought.WithLabelValues(bot).Observe(o.Thought.Seconds())
	}
	t.nodes.WithLabelValues(bot).Add(float64(o.Nodes))
	switch {
	case o.Cancelled:
		t.cancelled.WithLabelValues(bot).Inc()
	default:
		t.answers.WithLabelValues(bot).Inc()
		if o.Failure != "" {
			t.fallbacks.WithLabelValues(bot, string(o.Failure)).Inc()
		}
	}
}

// poolMetrics tells how the pool is.
func poolMetrics(pool *ai.Pool) []prometheus.Collector {
	gauge := func(name, help string, value func(ai.Stats) int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "gomokud_bots_" + name, Help: help},
			func() float64 { return float64(value(pool.Stats())) })
	}
	return []prometheus.Collector{
		gauge("waiting", "Bot turns that wait.", func(s ai.Stats) int { return s.Waiting }),
		gauge("running", "Engines that think.", func(s ai.Stats) int { return s.Running }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "gomokud_bots_refused_total", Help: "Bot turns refused for a full queue."},
			func() float64 { return float64(pool.Stats().Refused) }),
	}
}
