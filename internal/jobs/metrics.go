package jobs

import (
	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/store"
)

// dispatcherMetrics is what a node counts.
type dispatcherMetrics struct {
	handedOut, joined, settled, takenBack prometheus.Counter
	kept                                  *prometheus.CounterVec // by why
}

func newDispatcherMetrics(d *Dispatcher, reg prometheus.Registerer) *dispatcherMetrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: "gomokud_jobs_" + name, Help: help})
	}
	gauge := func(name, help string, value func(store.Crew) int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "gomokud_" + name, Help: help}, func() float64 {
			d.mu.Lock()
			defer d.mu.Unlock()
			return float64(value(d.crew))
		})
	}
	m := &dispatcherMetrics{
		handedOut: counter("handed_out_total", "Bot turns that this node handed out to workers."),
		joined:    counter("joined_total", "Bot turns that workers had been asked about when this node asked."),
		settled:   counter("settled_total", "Bot turns with the workers that were over in time: a worker moved, or nobody wanted the move any more."),
		takenBack: counter("taken_back_total", "Bot turns that no worker played in time; this node thought itself."),
		kept: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gomokud_jobs_kept_total", Help: "Bot turns that workers could not take, by why; this node thought itself.",
		}, []string{"why"}),
	}
	reg.MustRegister(m.handedOut, m.joined, m.settled, m.takenBack, m.kept,
		gauge("jobs_waiting", "Bot turns that no worker has taken yet, of all nodes.", func(c store.Crew) int { return c.Waiting }),
		gauge("jobs_taken", "Bot turns that workers have taken, of all nodes.", func(c store.Crew) int { return c.Taken }),
		gauge("workers", "Workers that live.", func(c store.Crew) int { return len(c.Workers) }),
		gauge("workers_threads", "Bot turns that workers take at a time.", func(c store.Crew) int {
			n := 0
			for _, w := range c.Workers {
				n += w.Threads
			}
			return n
		}),
	)
	return m
}

// workerMetrics is what a worker counts.
type workerMetrics struct {
	turns     *prometheus.CounterVec // by end
	takenOver prometheus.Counter
}

func newWorkerMetrics(w *Worker, reg prometheus.Registerer) *workerMetrics {
	m := &workerMetrics{
		turns: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gomokud_worker_turns_total", Help: "Bot turns that this worker took, by their end: played, void (the position had changed), late, failed.",
		}, []string{"end"}),
		takenOver: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "gomokud_worker_taken_over_total", Help: "Bot turns that this worker took over from a dead one.",
		}),
	}
	reg.MustRegister(m.turns, m.takenOver, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "gomokud_worker_turns", Help: "Bot turns under way.",
	}, func() float64 { return float64(len(w.claims())) }))
	return m
}
