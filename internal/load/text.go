package load

import (
	"fmt"
	"io"
	"strings"
)

// figure is one line of the table.
type figure struct {
	name     string // in the ratios of the JSON
	title    string
	decimals int
	compared bool
	of       func(Result) float64 // 0: not measured
}

var figures = []figure{
	{"moves_per_second", "moves a second", 0, true, inPlay(func(p *Play) float64 { return p.PerSecond })},
	{"to_opponent_p50", "send to opponent, p50 (ms)", 3, true, inPlay(func(p *Play) float64 { return p.There.P50 / 1000 })},
	{"to_opponent_p99", "send to opponent, p99 (ms)", 3, true, inPlay(func(p *Play) float64 { return p.There.P99 / 1000 })},
	{"to_acknowledgement_p50", "send to acknowledgement, p50 (ms)", 3, true, inPlay(func(p *Play) float64 { return p.Back.P50 / 1000 })},
	{"to_acknowledgement_p99", "send to acknowledgement, p99 (ms)", 3, true, inPlay(func(p *Play) float64 { return p.Back.P99 / 1000 })},
	{"server_cpu_per_move", "server CPU a move (µs)", 1, true, inPlay(func(p *Play) float64 { return p.ServerCPU })},
	{"server_cpu_per_delivery", "server CPU a delivery (µs)", 1, true, inPlay(func(p *Play) float64 { return p.DeliveryCPU })},
	{"memory_per_connection", "server memory a connection (KiB)", 1, true, func(r Result) float64 {
		if r.Memory == nil {
			return 0
		}
		return r.Memory.PerConnection
	}},
	{"server_cores", "server, cores in use", 2, false, inPlay(func(p *Play) float64 { return p.ServerCores })},
	{"generator_cores", "load generator, cores in use", 2, false, inPlay(func(p *Play) float64 { return p.GeneratorCores })},
	{"generator_cpu_per_move", "load generator, CPU a move (µs)", 1, false, inPlay(func(p *Play) float64 { return p.GeneratorCPU })},
}

func inPlay(of func(*Play) float64) func(Result) float64 {
	return func(r Result) float64 {
		if r.Play == nil {
			return 0
		}
		return of(r.Play)
	}
}

// WriteText writes the report as a table, one column for each service.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintln(&b, r.heading())
	fmt.Fprintf(&b, "\n%-34s", "")
	for _, result := range r.Results {
		fmt.Fprintf(&b, " %12s", result.Service)
	}
	fmt.Fprintf(&b, " %8s\n", "ratio")
	for _, f := range figures {
		r.line(&b, f)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "\nNote: %s", note)
	}
	if len(r.Notes) > 0 {
		fmt.Fprintln(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) heading() string {
	var parts []string
	c := r.Config
	if c.Games > 0 {
		pace := "closed loop"
		if c.Rate > 0 {
			pace = fmt.Sprintf("%g moves/s asked for", c.Rate)
		}
		parts = append(parts, fmt.Sprintf("%d games, %s, %gs", c.Games, pace, r.Seconds))
	}
	if c.Spectators > 0 {
		parts = append(parts, fmt.Sprintf("%d spectators", c.Spectators))
	}
	if c.Idle > 0 {
		parts = append(parts, fmt.Sprintf("memory with %d idle connections", c.Idle))
	}
	return strings.Join(append(parts, r.Store+" store", fmt.Sprintf("%d processors, %s", r.Processors, r.Go)), "; ")
}

// line writes a figure of every service, unless nobody has it.
func (r *Report) line(b *strings.Builder, f figure) {
	any := false
	for _, result := range r.Results {
		any = any || f.of(result) != 0
	}
	if !any {
		return
	}
	fmt.Fprintf(b, "%-34s", f.title)
	for _, result := range r.Results {
		text := "-"
		if v := f.of(result); v != 0 {
			text = fmt.Sprintf("%.*f", f.decimals, v)
		}
		fmt.Fprintf(b, " %12s", text)
	}
	if ratio, ok := r.Ratios[f.name]; ok {
		fmt.Fprintf(b, " %8.2f", ratio)
	}
	fmt.Fprintln(b)
}
