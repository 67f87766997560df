package load

import (
	"fmt"
	"runtime"
	"time"
)

// Report is what one run found.
type Report struct {
	Setting
	Scenarios []Outcome `json:"scenarios"`
}

// Setting is what all figures of a run were measured in.
type Setting struct {
	Store      string   `json:"store"`
	Seconds    float64  `json:"seconds"`
	Clock      float64  `json:"clock_seconds"`
	Processors int      `json:"processors"`
	Go         string   `json:"go"`
	Notes      []string `json:"notes,omitempty"`
}

// Outcome is what one scenario found.
type Outcome struct {
	Scenario string   `json:"scenario"`
	Store    string   `json:"store"`
	Sizes    Sizes    `json:"sizes"`
	Without  string   `json:"without,omitempty"` // what 'without' means below
	Results  []Result `json:"results"`           // the floors first, gomokud last
	Lines    []Line   `json:"lines"`
}

// Result is what one service did. What does not belong to the scenario, or
// cannot be measured here, is nil.
type Result struct {
	Service string  `json:"service"`
	Procs   int     `json:"gomaxprocs,omitempty"` // 0: it does not tell
	Play    *Play   `json:"play,omitempty"`
	Without *Play   `json:"without,omitempty"`
	Memory  *Memory `json:"memory,omitempty"`
	Storm   *Storm  `json:"storm,omitempty"`
}

// Play is what games cost. Times are in microseconds; those of the processors
// are zero where the operating system does not tell.
type Play struct {
	Moves          int64   `json:"moves"`
	PerSecond      float64 `json:"moves_per_second"`
	Deliveries     int64   `json:"deliveries"` // of moves, to players and spectators
	There          Times   `json:"to_opponent_us"`
	Back           Times   `json:"to_acknowledgement_us"`
	ServerCPU      float64 `json:"server_cpu_us_per_move"` // of all nodes
	RedisCPU       float64 `json:"redis_cpu_us_per_move"`  // 0: it is not ours
	DeliveryCPU    float64 `json:"server_cpu_us_per_delivery"`
	GeneratorCPU   float64 `json:"generator_cpu_us_per_move"`
	ServerCores    float64 `json:"server_cores"`
	GeneratorCores float64 `json:"generator_cores"`
}

// Times are the quantiles of a latency in microseconds.
type Times struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
}

// Memory is what idle connections cost the server.
type Memory struct {
	Connections   int     `json:"connections"`
	PerConnection float64 `json:"kib_per_connection"`
}

// Storm is how clients came back who had been cut off at once.
type Storm struct {
	Clients   int     `json:"clients"`
	Storms    int     `json:"storms"`
	Seconds   float64 `json:"seconds"` // until the last was back, in the median storm
	Slowest   float64 `json:"slowest_seconds"`
	Busy      int64   `json:"busy"` // times that somebody was told to ask again
	ReturnCPU float64 `json:"server_cpu_us_per_return"`
}

func newSetting(cfg Config) Setting {
	return Setting{
		Store: cfg.storeKind(), Notes: cfg.notes(), Seconds: cfg.Duration.Seconds(), Clock: cfg.Clock.Seconds(),
		Processors: runtime.NumCPU(), Go: runtime.Version(),
	}
}

// noteProcs says if gomokud did not run as it was asked to.
func (r *Report) noteProcs(asked int) {
	for _, o := range r.Scenarios {
		if got := o.Results[len(o.Results)-1].Procs; asked > 0 && got > 0 && got != asked {
			r.Notes = append(r.Notes, fmt.Sprintf("gomokud was started with GOMAXPROCS=%d and ran with %d.", asked, got))
			return
		}
	}
}

// newPlay reads a meter after a measurement.
func newPlay(m *meter, used spent) *Play {
	p := &Play{
		Moves: m.moves.Load(), Deliveries: m.deliveries.Load(),
		There: timesOf(&m.there), Back: timesOf(&m.back),
	}
	p.PerSecond = float64(p.Moves) / used.wall.Seconds()
	p.ServerCPU = micros(used.server) / float64(max(1, p.Moves))
	p.RedisCPU = micros(used.redis) / float64(max(1, p.Moves))
	p.DeliveryCPU = micros(used.server) / float64(max(1, p.Deliveries))
	p.GeneratorCPU = micros(used.generator) / float64(max(1, p.Moves))
	p.ServerCores = used.server.Seconds() / used.wall.Seconds()
	p.GeneratorCores = used.generator.Seconds() / used.wall.Seconds()
	return p
}

func timesOf(h *histogram) Times {
	return Times{P50: micros(h.quantile(0.50)), P99: micros(h.quantile(0.99))}
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
