package load

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

var allOwn = Sizes{Games: Own, Rate: Own, Spectators: Own, Idle: Own, Clients: Own}

func planned(t *testing.T, cfg Config) (names []string, sizes map[string]Sizes) {
	t.Helper()
	trials, err := cfg.plan()
	if err != nil {
		t.Fatal(err)
	}
	sizes = map[string]Sizes{}
	for _, tr := range trials {
		names = append(names, tr.scenario.name)
		sizes[tr.scenario.name] = tr.cfg.Sizes
	}
	return names, sizes
}

// TestPlan: a scenario keeps its own sizes but for those that are given, and is
// left out where one of them is zero.
func TestPlan(t *testing.T) {
	const url = "redis://localhost"
	for name, test := range map[string]struct {
		scenarios []string
		store     string
		given     func(*Sizes)
		want      []string
	}{
		"in the order asked for":   {[]string{"storm", "closed"}, Embedded, func(*Sizes) {}, []string{"storm", "closed"}},
		"no idle connections":      {[]string{"closed", "idle"}, Embedded, func(s *Sizes) { s.Idle = 0 }, []string{"closed"}},
		"no games":                 {[]string{All}, Embedded, func(s *Sizes) { s.Games = 0 }, []string{"idle", "storm"}},
		"all of an embedded store": {[]string{All}, Embedded, func(*Sizes) {}, []string{"closed", "rate", "idle", "crowd", "storm"}},
		"all of Redis":             {[]string{All}, url, func(*Sizes) {}, []string{"closed", "rate", "embedded", "idle", "crowd", "storm", "nodes"}},
		"all, one of them first":   {[]string{"storm", All}, url, func(s *Sizes) { s.Games = 0 }, []string{"storm", "idle"}},
	} {
		cfg := Config{Scenarios: test.scenarios, Sizes: allOwn, Duration: time.Second, Store: test.store}
		test.given(&cfg.Sizes)
		if got, _ := planned(t, cfg); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}

	given := Sizes{Games: 7, Rate: 70, Spectators: 5, Idle: Own, Clients: Own}
	_, sizes := planned(t, Config{Scenarios: []string{"closed", "rate", "crowd", "storm"}, Sizes: given, Duration: time.Second, Store: Embedded})
	for name, want := range map[string]Sizes{
		"closed": {Games: 7}, "rate": {Games: 7, Rate: 70}, "crowd": {Games: 7, Rate: 70, Spectators: 5}, "storm": {Clients: 2000},
	} {
		if sizes[name] != want {
			t.Errorf("%s: %+v, want %+v", name, sizes[name], want)
		}
	}
}

// TestBadConfig: what cannot be measured is refused before anything starts.
func TestBadConfig(t *testing.T) {
	for name, spoil := range map[string]func(*Config){
		"nothing to do":        func(c *Config) { c.Games = 0 },
		"no scenario":          func(c *Config) { c.Scenarios = nil },
		"too many games":       func(c *Config) { c.Games = maxGames + 1 },
		"negative idle":        func(c *Config) { c.Idle = -2 },
		"nobody to watch":      func(c *Config) { c.Spectators = 2 },
		"a rate without use":   func(c *Config) { c.Rate = 5 },
		"no time":              func(c *Config) { c.Duration = 0 },
		"too long":             func(c *Config) { c.Duration = 2 * maxDuration },
		"negative rate":        func(c *Config) { c.Scenarios, c.Rate = []string{"rate"}, -2 },
		"an endless rate":      func(c *Config) { c.Scenarios, c.Rate = []string{"rate"}, math.Inf(1) },
		"no rate at all":       func(c *Config) { c.Scenarios, c.Rate = []string{"rate"}, math.NaN() },
		"no such store":        func(c *Config) { c.Store = "floppy" },
		"no such scenario":     func(c *Config) { c.Scenarios = []string{"tea"} },
		"nodes without Redis":  func(c *Config) { c.Scenarios = []string{"nodes"} },
		"negative processors":  func(c *Config) { c.ServerProcs = -1 },
		"two games to profile": func(c *Config) { c.Scenarios, c.Profile = []string{"closed", "rate"}, "x" },
		"no game to profile":   func(c *Config) { c.Scenarios, c.Profile = []string{"idle"}, "x" },
	} {
		cfg := Config{Scenarios: []string{"closed"}, Sizes: allOwn, Duration: time.Second, Store: Embedded}
		spoil(&cfg)
		if _, err := Run(t.Context(), cfg); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestTooFewFiles: connections that the system does not allow are refused, with
// how to allow them.
func TestTooFewFiles(t *testing.T) {
	lowerOpenFiles(t, 1000)
	cfg := Config{Scenarios: []string{"idle"}, Sizes: allOwn, Duration: time.Second, Store: Embedded}
	cfg.Idle = 10_000
	if _, err := Run(t.Context(), cfg); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "ulimit -n") {
		t.Errorf("got %v", err)
	}
}

// TestScenariosHaveFigures: whatever a scenario shows or aims at is measured,
// and each aim is one of a scenario's figures.
func TestScenariosHaveFigures(t *testing.T) {
	for _, s := range scenarios {
		for _, name := range s.figures {
			if f := figureOf(name); f.of == nil { // panics where there is none
				t.Errorf("%s: %s measures nothing", s.name, name)
			}
		}
	}
	for _, a := range aims {
		i := slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == a.scenario })
		if i < 0 || !slices.Contains(scenarios[i].figures, a.figure) {
			t.Errorf("the aim for %s of %s is never shown", a.figure, a.scenario)
		}
	}
}
