package load

import "fmt"

// Line is one figure of a scenario: what each service has, and what is aimed at.
type Line struct {
	Figure string             `json:"figure"`
	Of     map[string]float64 `json:"of"`     // by service
	Ratios map[string]float64 `json:"ratios"` // of gomokud's to each floor's
	Aim    *Verdict           `json:"aim,omitempty"`
}

// Verdict is an aim for gomokud, and whether it holds.
type Verdict struct {
	Aim   string `json:"aim"`
	Holds bool   `json:"holds"`
}

// aim is a bound of one of gomokud's figures in a scenario.
type aim struct {
	scenario, figure string
	atLeast          bool // or else at most
	bound            float64
	of               string // the service whose figure is multiplied by the bound; none: it is absolute
	embedded         bool   // for that store only
}

var aims = []aim{
	{scenario: "closed", figure: "moves_per_second", atLeast: true, bound: 0.9, of: durableFloor},
	{scenario: "closed", figure: "moves_per_second", atLeast: true, bound: 0.5, of: bareFloor, embedded: true},
	{scenario: "closed", figure: "server_cpu_per_move", bound: 1.1, of: durableFloor},
	{scenario: "rate", figure: "server_cpu_per_move", bound: 1.15, of: durableFloor},
	{scenario: "rate", figure: "to_opponent_p99", bound: 1.5, of: durableFloor},
	{scenario: "rate", figure: "to_acknowledgement_p99", bound: 1.5, of: durableFloor},
	{scenario: "embedded", figure: "moves_per_second", atLeast: true, bound: 0.5, of: bareFloor},
	{scenario: "idle", figure: "memory_per_connection", bound: 11.5},
	{scenario: "crowd", figure: "server_cpu_per_delivery", bound: 1.05, of: bareFloor},
	{scenario: "crowd", figure: "to_opponent_p50_change", bound: 1.1},
	{scenario: "crowd", figure: "to_acknowledgement_p50_change", bound: 1.1},
	{scenario: "storm", figure: "all_back", bound: 1.5, of: durableFloor},
	{scenario: "nodes", figure: "server_cpu_per_move_change", bound: 1.4},
}

// compare draws up the lines of a scenario from its results.
func (o *Outcome) compare(s scenario) {
	for _, name := range s.figures {
		f := figureOf(name)
		line := Line{Figure: name, Of: map[string]float64{}, Ratios: map[string]float64{}}
		for i := range o.Results {
			if v := f.of(&o.Results[i]); v != 0 {
				line.Of[o.Results[i].Service] = v
			}
		}
		if len(line.Of) == 0 {
			continue
		}
		for _, floor := range []string{bareFloor, durableFloor} {
			if line.Of[ours] != 0 && line.Of[floor] != 0 {
				line.Ratios[floor] = line.Of[ours] / line.Of[floor]
			}
		}
		line.judge(o)
		o.Lines = append(o.Lines, line)
	}
}

// judge finds the aim of a line, if both sides of it were measured.
func (l *Line) judge(o *Outcome) {
	for _, a := range aims {
		if a.scenario != o.Scenario || a.figure != l.Figure || a.embedded && o.Store != Embedded {
			continue
		}
		value, of := l.Of[ours], ""
		if a.of != "" {
			value, of = l.Ratios[a.of], " × "+a.of
		}
		if value == 0 {
			continue
		}
		sign, holds := "≤", value <= a.bound
		if a.atLeast {
			sign, holds = "≥", value >= a.bound
		}
		l.Aim = &Verdict{Aim: fmt.Sprintf("%s %g%s", sign, a.bound, of), Holds: holds}
	}
}
