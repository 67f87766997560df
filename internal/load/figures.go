package load

import "slices"

// figure is something that is measured of a service.
type figure struct {
	name     string
	title    string
	decimals int
	of       func(*Result) float64 // 0: not measured
}

var figures = []figure{
	{"moves_per_second", "moves a second", 0, inPlay(func(p *Play) float64 { return p.PerSecond })},
	{"server_cpu_per_move", "server CPU a move (µs)", 1, inPlay(func(p *Play) float64 { return p.ServerCPU })},
	{"server_cpu_per_move_change", "server CPU a move, of that without", 2, change(func(p *Play) float64 { return p.ServerCPU })},
	{"redis_cpu_per_move", "Redis CPU a move (µs)", 1, inPlay(func(p *Play) float64 { return p.RedisCPU })},
	{"redis_cpu_per_move_change", "Redis CPU a move, of that without", 2, change(func(p *Play) float64 { return p.RedisCPU })},
	{"server_cpu_per_delivery", "server CPU a delivery (µs)", 1, inPlay(func(p *Play) float64 { return p.DeliveryCPU })},
	{"to_opponent_p50", "send to opponent, p50 (ms)", 3, inPlay(func(p *Play) float64 { return p.There.P50 / 1000 })},
	{"to_opponent_p50_change", "send to opponent, p50, of that without", 2, change(func(p *Play) float64 { return p.There.P50 })},
	{"to_opponent_p99", "send to opponent, p99 (ms)", 3, inPlay(func(p *Play) float64 { return p.There.P99 / 1000 })},
	{"to_opponent_p99_change", "send to opponent, p99, of that without", 2, change(func(p *Play) float64 { return p.There.P99 })},
	{"to_acknowledgement_p50", "send to acknowledgement, p50 (ms)", 3, inPlay(func(p *Play) float64 { return p.Back.P50 / 1000 })},
	{"to_acknowledgement_p50_change", "send to acknowledgement, p50, of that without", 2, change(func(p *Play) float64 { return p.Back.P50 })},
	{"to_acknowledgement_p99", "send to acknowledgement, p99 (ms)", 3, inPlay(func(p *Play) float64 { return p.Back.P99 / 1000 })},
	{"memory_per_connection", "server memory a connection (KiB)", 1, func(r *Result) float64 {
		if r.Memory == nil {
			return 0
		}
		return r.Memory.PerConnection
	}},
	{"all_back", "all are back (s)", 3, inStorm(func(s *Storm) float64 { return s.Seconds })},
	{"all_back_slowest", "all are back, slowest storm (s)", 3, inStorm(func(s *Storm) float64 { return s.Slowest })},
	{"busy", "told to ask again", 0, inStorm(func(s *Storm) float64 { return float64(s.Busy) })},
	{"server_cpu_per_return", "server CPU a return (µs)", 1, inStorm(func(s *Storm) float64 { return s.ReturnCPU })},
	{"server_cores", "server, cores in use", 2, inPlay(func(p *Play) float64 { return p.ServerCores })},
	{"generator_cores", "load generator, cores in use", 2, inPlay(func(p *Play) float64 { return p.GeneratorCores })},
	{"generator_cpu_per_move", "load generator, CPU a move (µs)", 1, inPlay(func(p *Play) float64 { return p.GeneratorCPU })},
}

// figureOf is the figure of that name, which must be one of them.
func figureOf(name string) figure {
	return figures[slices.IndexFunc(figures, func(f figure) bool { return f.name == name })]
}

func inPlay(of func(*Play) float64) func(*Result) float64 {
	return func(r *Result) float64 {
		if r.Play == nil {
			return 0
		}
		return of(r.Play)
	}
}

func inStorm(of func(*Storm) float64) func(*Result) float64 {
	return func(r *Result) float64 {
		if r.Storm == nil {
			return 0
		}
		return of(r.Storm)
	}
}

// change is how many times as much it is as without what the scenario adds.
func change(of func(*Play) float64) func(*Result) float64 {
	return func(r *Result) float64 {
		if r.Play == nil || r.Without == nil || of(r.Without) == 0 {
			return 0
		}
		return of(r.Play) / of(r.Without)
	}
}
