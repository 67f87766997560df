package load

import (
	"bytes"
	"strings"
	"testing"
)

// outcome is a scenario with made-up results.
func outcome(t *testing.T, name, store string, results ...Result) Outcome {
	t.Helper()
	for _, s := range scenarios {
		if s.name == name {
			o := Outcome{Scenario: name, Store: store, Sizes: s.own, Without: s.without, Results: results}
			o.compare(s)
			return o
		}
	}
	t.Fatalf("no scenario %s", name)
	return Outcome{}
}

func verdict(t *testing.T, o Outcome, figure string) (string, bool) {
	t.Helper()
	for _, l := range o.Lines {
		if l.Figure == figure {
			if l.Aim == nil {
				return "", false
			}
			return l.Aim.Aim, l.Aim.Holds
		}
	}
	t.Fatalf("%s has no line %s", o.Scenario, figure)
	return "", false
}

// TestAims judges figures just within an aim and just outside.
func TestAims(t *testing.T) {
	played := func(service string, p Play) Result { return Result{Service: service, Play: &p} }
	for name, test := range map[string]struct {
		scenario, store, figure string
		results                 []Result
		want                    string
		holds                   bool
	}{
		"at least, holds": {"closed", "Redis", "moves_per_second", []Result{
			played(bareFloor, Play{PerSecond: 9000}), played(durableFloor, Play{PerSecond: 1000}), played(ours, Play{PerSecond: 901}),
		}, "≥ 0.9 × durable floor", true},
		"at least, misses": {"closed", "Redis", "moves_per_second", []Result{
			played(durableFloor, Play{PerSecond: 1000}), played(ours, Play{PerSecond: 899}),
		}, "≥ 0.9 × durable floor", false},
		"at most, holds": {"closed", "Redis", "server_cpu_per_move", []Result{
			played(durableFloor, Play{ServerCPU: 100}), played(ours, Play{ServerCPU: 109}),
		}, "≤ 1.1 × durable floor", true},
		"at most, misses": {"closed", "Redis", "server_cpu_per_move", []Result{
			played(durableFloor, Play{ServerCPU: 100}), played(ours, Play{ServerCPU: 111}),
		}, "≤ 1.1 × durable floor", false},
		"an embedded store's": {"closed", Embedded, "moves_per_second", []Result{
			played(bareFloor, Play{PerSecond: 1000}), played(ours, Play{PerSecond: 501}),
		}, "≥ 0.5 × floor", true},
		"absolute": {"idle", Embedded, "memory_per_connection", []Result{
			{Service: bareFloor, Memory: &Memory{PerConnection: 9}}, {Service: ours, Memory: &Memory{PerConnection: 12}},
		}, "≤ 11.5", false},
		"a change": {"nodes", "Redis", "server_cpu_per_move_change", []Result{
			{Service: ours, Play: &Play{ServerCPU: 139}, Without: &Play{ServerCPU: 100}},
		}, "≤ 1.4", true},
		"no durable floor, no aim": {"storm", Embedded, "all_back", []Result{
			{Service: bareFloor, Storm: &Storm{Seconds: 1}}, {Service: ours, Storm: &Storm{Seconds: 2}},
		}, "", false},
	} {
		if got, holds := verdict(t, outcome(t, test.scenario, test.store, test.results...), test.figure); got != test.want || holds != test.holds {
			t.Errorf("%s: %q, %v", name, got, holds)
		}
	}
}

// TestTable: a line for each figure, with the columns that somebody is in.
func TestTable(t *testing.T) {
	r := Report{Setting: Setting{Store: "Redis", Notes: []string{"a word."}}, Scenarios: []Outcome{
		outcome(t, "closed", "Redis",
			Result{Service: bareFloor, Play: &Play{PerSecond: 90_000}},
			Result{Service: durableFloor, Play: &Play{PerSecond: 40_000}},
			Result{Service: ours, Play: &Play{PerSecond: 20_000}, Procs: 2}),
		outcome(t, "nodes", "Redis", Result{Service: ours, Play: &Play{ServerCPU: 30}, Without: &Play{ServerCPU: 20}}),
	}}
	r.noteProcs(1)
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range [][]string{
		{"", "floor", "durable floor", "gomokud", "÷ floor", "÷ durable floor", "aim"},
		{"closed: 200 games, opponents answer at once"},
		{"moves a second", "90000", "40000", "20000", "0.22", "0.50", "≥ 0.9 × durable floor: misses"},
		{"nodes: 2000 games, 5000 moves/s; without: one node"},
		{"server CPU a move, of that without", "-", "-", "1.50", "-", "-", "≤ 1.4: misses"},
		{"Note: a word."},
		{"Note: gomokud was started with GOMAXPROCS=1 and ran with 2."},
	} {
		if !hasLine(text.String(), want) {
			t.Errorf("no line %q in\n%s", want, &text)
		}
	}
	r.Scenarios = r.Scenarios[1:]
	text.Reset()
	if err := r.WriteText(&text); err != nil || strings.Contains(text.String(), "floor") {
		t.Errorf("floors that nobody asked for, %v:\n%s", err, &text)
	}
}

// hasLine looks for a line whose columns, two blanks or more apart, or at
// their ends, are those.
func hasLine(text string, columns []string) bool {
	for line := range strings.Lines(text) {
		rest, found := strings.TrimRight(line, "\n"), true
		for _, c := range columns {
			var here bool
			rest, here = strings.CutPrefix(strings.TrimLeft(rest, " "), c)
			found = found && here
		}
		if found && strings.TrimSpace(rest) == "" {
			return true
		}
	}
	return false
}
