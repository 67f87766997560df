package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
)

// poolMetrics tells what the pool counts by itself.
func poolMetrics(pool *ai.Pool) []prometheus.Collector {
	gauge := func(name, help string, value func(ai.Stats) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "gomokud_bots_" + name, Help: help},
			func() float64 { return value(pool.Stats()) })
	}
	counter := func(name, help string, value func(ai.Stats) float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "gomokud_bots_" + name, Help: help},
			func() float64 { return value(pool.Stats()) })
	}
	return []prometheus.Collector{
		gauge("waiting", "Bot turns that wait.", func(s ai.Stats) float64 { return float64(s.Waiting) }),
		gauge("running", "Engines that think.", func(s ai.Stats) float64 { return float64(s.Running) }),
		counter("answers_total", "Bot turns that were answered.", func(s ai.Stats) float64 { return float64(s.Answers) }),
		counter("fallbacks_total", "Bot turns that the fallback answered.", func(s ai.Stats) float64 { return float64(s.Fallbacks) }),
		counter("refused_total", "Bot turns refused for a full queue.", func(s ai.Stats) float64 { return float64(s.Refused) }),
		counter("waited_seconds_total", "Time that bot turns waited.", func(s ai.Stats) float64 { return s.Waited.Seconds() }),
		counter("thought_seconds_total", "Time that engines thought.", func(s ai.Stats) float64 { return s.Thought.Seconds() }),
		counter("nodes_total", "Positions that engines looked at.", func(s ai.Stats) float64 { return float64(s.Nodes) }),
	}
}
