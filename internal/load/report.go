package load

import (
	"runtime"
	"time"
)

// Report is what one run found.
type Report struct {
	Config     Config             `json:"config"`
	Store      string             `json:"store"`
	Seconds    float64            `json:"seconds"`
	Clock      float64            `json:"clock_seconds"`
	Processors int                `json:"processors"`
	Go         string             `json:"go"`
	Notes      []string           `json:"notes,omitempty"`
	Results    []Result           `json:"results"` // the floor first
	Ratios     map[string]float64 `json:"ratios"`  // of the last result to the floor
}

// Result is what one service did. A scenario that was not asked for, or that
// cannot be measured here, is nil.
type Result struct {
	Service string  `json:"service"`
	Play    *Play   `json:"play,omitempty"`
	Memory  *Memory `json:"memory,omitempty"`
}

// Play is what games cost. Times are in microseconds; those of the processors
// are zero where the operating system does not tell.
type Play struct {
	Moves          int64   `json:"moves"`
	PerSecond      float64 `json:"moves_per_second"`
	Deliveries     int64   `json:"deliveries"` // of moves, to players and spectators
	There          Times   `json:"to_opponent_us"`
	Back           Times   `json:"to_acknowledgement_us"`
	ServerCPU      float64 `json:"server_cpu_us_per_move"`
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

func newReport(cfg Config) *Report {
	return &Report{
		Config: cfg, Store: cfg.storeKind(), Notes: cfg.notes(), Seconds: cfg.Duration.Seconds(), Clock: cfg.Clock.Seconds(),
		Processors: runtime.NumCPU(), Go: runtime.Version(), Ratios: map[string]float64{},
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

// add adds a service's result and sets it in relation to the floor.
func (r *Report) add(result Result) {
	r.Results = append(r.Results, result)
	first := r.Results[0]
	for _, f := range figures {
		a, b := f.of(first), f.of(result)
		if f.compared && a > 0 && b > 0 {
			r.Ratios[f.name] = b / a
		}
	}
}
