package hub

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/match"
)

// metrics is everything that a hub counts, under names that begin with
// gomokud_.
type metrics struct {
	commands  *prometheus.CounterVec // by type and answer: ok or an error's code
	stones    prometheus.Counter     // of them: type place, answer ok
	events    prometheus.Counter     // stored by this node
	conflicts prometheus.Counter     // another node's commit was first
	store     prometheus.Histogram   // seconds from a commit to its being stored
	moves     prometheus.Histogram   // seconds from a stone's arrival to its acknowledgement
	relays    prometheus.Histogram   // seconds from another node's event to its being shown here
	closes    *prometheus.CounterVec // connections that this node closed, by code
	paired    prometheus.Counter     // rooms made for two who searched
	outages   prometheus.Gauge       // of the last day
	mends     *prometheus.CounterVec // logs that went backwards, by outcome
}

func newMetrics(h *Hub, reg prometheus.Registerer) *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: "gomokud_" + name, Help: help})
	}
	gauge := func(name, help string, value func() int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "gomokud_" + name, Help: help},
			func() float64 { return float64(value()) })
	}
	m := &metrics{
		commands: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gomokud_commands_total", Help: "Commands of clients, by type and answer.",
		}, []string{"type", "answer"}),
		events:    counter("events_total", "Events that this node stored."),
		conflicts: counter("conflicts_total", "Commits that another node's forestalled."),
		store: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "gomokud_commit_seconds", Help: "Time from a commit to its being stored.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 2.5, 12),
		}),
		moves: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "gomokud_move_seconds", Help: "Time from a stone's arrival to its being sent, as stored, to all who watch on this node.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 2.5, 12),
		}),
		relays: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "gomokud_relay_seconds", Help: "Time from what happened through another node to its being sent to those who watch on this one.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2.5, 10), // the events' own times are milliseconds
		}),
		closes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gomokud_closes_total", Help: "Connections that this node closed, by close code.",
		}, []string{"code"}),
		paired: counter("paired_total", "Rooms made for two players who searched."),
		outages: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "gomokud_outages", Help: "Outages of the last day that are on record.",
		}),
		mends: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gomokud_backward_logs_total",
			Help: "Logs that came back with less than they had, by outcome: repaired from this node's copy, or lost.",
		}, []string{"outcome"}),
	}
	m.stones = m.commands.WithLabelValues("place", "ok")
	for _, outcome := range []string{"repaired", "lost"} {
		m.mends.WithLabelValues(outcome) // so that there is a zero to compare with
	}
	reg.MustRegister(m.commands, m.events, m.conflicts, m.store, m.moves, m.relays, m.closes, m.paired, m.outages, m.mends,
		gauge("connections", "Open connections of this node.", h.clients.size),
		gauge("online", "Players connected to any node, as this one last heard.", func() int { return int(h.online.Load()) }),
		gauge("players", "Players connected to this node.", h.visitors.online),
		gauge("rooms", "Rooms in this node's memory.", h.registry.size),
		gauge("seekers", "Players who search for an opponent from this node.", func() int { return len(h.pairing.all()) }),
		gauge("store_trouble", "1 while the store cannot be reached.", func() int {
			if h.trouble.Load() {
				return 1
			}
			return 0
		}),
	)
	return m
}

// answered counts a command; types that are none of ours are counted as one.
func (m *metrics) answered(kind string, err error, began time.Time) {
	if kind == "place" && err == nil { // nearly always: the labels need not be looked up
		m.moves.Observe(time.Since(began).Seconds())
		m.stones.Inc()
		return
	}
	answer := "ok"
	if err != nil {
		answer = refusalOf(err).code
		if answer == "unknown_type" {
			kind = "unknown"
		}
	}
	m.commands.WithLabelValues(kind, answer).Inc()
}

func (m *metrics) stored(events int, since time.Time) {
	m.events.Add(float64(events))
	m.store.Observe(time.Since(since).Seconds())
}

// relayed notes how old an event of another node was when it was shown; clocks
// are never quite the same.
func (m *metrics) relayed(age match.Millis) { m.relays.Observe(max(0, float64(age)/1000)) }

func (m *metrics) closed(code int) { m.closes.WithLabelValues(strconv.Itoa(code)).Inc() }

func (m *metrics) mended(outcome string) { m.mends.WithLabelValues(outcome).Inc() }
