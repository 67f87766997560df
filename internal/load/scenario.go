package load

import (
	"context"
	"fmt"
)

// scenario is one way to load a service.
type scenario struct {
	name      string
	what      string // in a few words
	own       Sizes
	store     string // in place of the one that is asked for
	redisOnly bool   // it needs a store in Redis, or differs from others only beside one
	alone     bool   // the floors have nothing like it
	run       func(context.Context, *trial) (*Result, error)
	without   string   // what it is compared with, beside the floors
	figures   []string // that the table shows, beside those with an aim
}

// All, among the names of scenarios, stands for all that the store allows.
const All = "all"

// scenarios are what can be measured, in the order of the report.
var scenarios = []scenario{
	{
		name: "closed", what: "games in a closed loop", own: Sizes{Games: 200}, run: games,
		figures: []string{"moves_per_second", "server_cpu_per_move", "redis_cpu_per_move", "to_opponent_p50", "to_opponent_p99", "to_acknowledgement_p50", "to_acknowledgement_p99", "generator_cores"},
	},
	{
		name: "rate", what: "games at a fixed rate", own: Sizes{Games: 2000, Rate: 5000}, run: games,
		figures: []string{"moves_per_second", "server_cpu_per_move", "redis_cpu_per_move", "to_opponent_p50", "to_opponent_p99", "to_acknowledgement_p99"},
	},
	{
		name: "embedded", what: "games in a closed loop, kept in a file of the server's own", own: Sizes{Games: 200}, store: Embedded, redisOnly: true, run: games,
		figures: []string{"moves_per_second", "server_cpu_per_move", "to_opponent_p50", "to_opponent_p99", "generator_cores"},
	},
	{
		name: "idle", what: "connections that sit at a table and do nothing", own: Sizes{Idle: 1000}, run: idle,
		figures: []string{"memory_per_connection"},
	},
	{
		name: "crowd", what: "spectators, and what the players notice of them", own: Sizes{Games: 1, Rate: 5, Spectators: 5000}, run: crowd, without: "no spectators",
		figures: []string{"server_cpu_per_delivery", "to_opponent_p50", "to_opponent_p99", "to_opponent_p50_change", "to_opponent_p99_change", "to_acknowledgement_p50_change"},
	},
	{
		name: "storm", what: "clients drop and return at once, with the state of their room", own: Sizes{Clients: 2000}, run: storm,
		figures: []string{"all_back", "all_back_slowest", "busy", "server_cpu_per_return"},
	},
	{
		name: "nodes", what: "two nodes on one Redis, a player of every room on each", own: Sizes{Games: 2000, Rate: 5000}, redisOnly: true, alone: true, run: nodes, without: "one node",
		figures: []string{"moves_per_second", "server_cpu_per_move", "server_cpu_per_move_change", "redis_cpu_per_move_change", "to_opponent_p50_change", "to_opponent_p99_change"},
	},
}

// Scenarios are a line for each: its name, what it is, and how large.
func Scenarios() (lines []string) {
	for _, s := range scenarios {
		lines = append(lines, fmt.Sprintf("%s: %s (%s)", s.name, s.what, s.own))
	}
	return lines
}

// trial is a scenario for one service.
type trial struct {
	scenario scenario
	service  service
	cfg      Config
	procs    int // GOMAXPROCS of the service, where it tells
}

// on runs a part of the scenario against so many fresh nodes of the service
// with an empty store.
func (t *trial) on(ctx context.Context, nodes int, do func(*site) error) error {
	return withSite(ctx, t.service, t.cfg, nodes, func(at *site) (err error) {
		if t.procs, err = t.service.procs(ctx, at.nodes[0].addr); err != nil {
			return err
		}
		return do(at)
	})
}

// games measures games and nothing else.
func games(ctx context.Context, t *trial) (*Result, error) {
	var r Result
	err := t.on(ctx, 1, func(at *site) (err error) {
		r.Play, err = play(ctx, t.service, t.cfg, at)
		return err
	})
	return &r, err
}
