package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"gomokud/internal/load"
)

// bench measures the service under load.
type bench struct {
	Run   benchRun   `cmd:"" default:"withargs" help:"Play many games through real sockets, beside relays that do nothing else, and compare with what is aimed at."`
	Bots  benchBots  `cmd:"" help:"Let people play beside bots that think all the time, and compare how long their moves take."`
	Relay benchRelay `cmd:"" hidden:"" help:"Be the relay that the service is compared with."`
	Crowd benchCrowd `cmd:"" hidden:"" help:"Be the spectators."`
}

type benchRun struct {
	Scenario    []string      `default:"closed,idle" help:"What to measure, with commas between; 'all' is all that the store allows."`
	Games       int           `default:"-1" help:"Games played at once. Like the next four: -1 is the scenario's own number, 0 leaves out the scenarios that have one."`
	Rate        float64       `default:"-1" help:"Moves a second over all games."`
	Spectators  int           `default:"-1" help:"Spectators, spread over the games."`
	Idle        int           `default:"-1" help:"Idle connections to measure memory with."`
	Clients     int           `default:"-1" help:"Clients that drop and come back."`
	Duration    time.Duration `default:"10s" help:"How long games are measured, after a warm-up; for each service and scenario."`
	Moves       int64         `default:"0" help:"End a measurement after so many moves; 0 is no such end."`
	Clock       time.Duration `default:"1h" help:"Main time of each player; 0s is no clock."`
	Store       string        `default:"embedded" help:"Where games are kept: 'embedded' (in a temporary folder), 'redis' (a redis-server that is started for it) or a 'redis://' URL, whose database should be a throw-away one."`
	Folder      string        `name:"in" env:"GOMOKUD_BENCH_IN" type:"path" help:"Make the temporary folder in this one; it should be on the disk that is meant."`
	ServerProcs int           `default:"0" help:"GOMAXPROCS of servers; 0 leaves it to them."`
	ServerCPU   int           `name:"server-cpu" default:"-1" help:"Processor that servers, and the redis-server that is started for them, are bound to."`
	ClientCPU   int           `name:"client-cpu" default:"-1" help:"Processor that the load generator is bound to."`
	Profile     string        `name:"cpuprofile" type:"path" help:"Save a processor profile of the service under load to this file; for one scenario with games."`
	JSON        bool          `name:"json" help:"Print JSON instead of a table."`
}

// Help lists the scenarios.
func (*benchRun) Help() string { return "Scenarios:\n\n" + strings.Join(load.Scenarios(), "\n\n") }

// Run measures and prints.
func (b *benchRun) Run(ctx context.Context) error {
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	report, err := load.Run(ctx, load.Config{
		Scenarios: b.Scenario,
		Sizes:     load.Sizes{Games: b.Games, Rate: b.Rate, Spectators: b.Spectators, Idle: b.Idle, Clients: b.Clients},
		Duration:  b.Duration, Moves: b.Moves, Clock: b.Clock, Store: b.Store, Exe: exe, Folder: b.Folder,
		Profile: b.Profile, ServerProcs: b.ServerProcs, ServerCPU: b.ServerCPU, ClientCPU: b.ClientCPU,
	})
	return printReport(report, err, b.JSON)
}

type benchBots struct {
	Games     int           `default:"50" help:"Games of people played at once."`
	Rate      float64       `default:"100" help:"Moves a second over all of them."`
	Duration  time.Duration `default:"20s" help:"How long is measured, without bots and beside them, after a warm-up."`
	Against   int           `default:"16" help:"Games against the bot at once; more than the server has workers."`
	Bot       string        `default:"tengen-10" help:"The bot."`
	Clock     time.Duration `default:"1h" help:"Main time of each player in the games of people; 0s is no clock."`
	Store     string        `default:"embedded" help:"Where games are kept: 'embedded' (in a temporary folder), 'redis' (a redis-server that is started for it) or a 'redis://' URL, whose database should be a throw-away one."`
	Folder    string        `name:"in" env:"GOMOKUD_BENCH_IN" type:"path" help:"Make the temporary folder in this one; it should be on the disk that is meant."`
	ServerCPU int           `name:"server-cpu" default:"-1" help:"Processor that the server is bound to."`
	ClientCPU int           `name:"client-cpu" default:"-1" help:"Processor that the load generator is bound to."`
	JSON      bool          `name:"json" help:"Print JSON instead of a table."`
}

// Run measures and prints.
func (b *benchBots) Run(ctx context.Context) error {
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	report, err := load.RunBots(ctx, load.Config{
		Sizes: load.Sizes{Games: b.Games, Rate: b.Rate}, Duration: b.Duration, Bots: b.Against, Bot: b.Bot, Clock: b.Clock,
		Store: b.Store, Exe: exe, Folder: b.Folder, ServerCPU: b.ServerCPU, ClientCPU: b.ClientCPU,
	})
	return printReport(report, err, b.JSON)
}

// printReport prints what was found, or says why there is nothing.
func printReport(report interface{ WriteText(io.Writer) error }, err error, asJSON bool) error {
	if errors.Is(err, load.ErrConfig) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if asJSON {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		return out.Encode(report)
	}
	return report.WriteText(os.Stdout)
}

// benchRelay is a child process of benchRun.
type benchRelay struct {
	Store string `help:"Keep the moves in the Redis at this URL."`
}

// Run serves until ctx ends.
func (b *benchRelay) Run(ctx context.Context) (err error) {
	relay := load.NewRelay()
	if b.Store != "" {
		if relay, err = load.NewDurableRelay(ctx, b.Store); err != nil {
			return err
		}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /ws", relay)
	return errors.Join(serveChild(ctx, mux, nil), relay.Close())
}

// benchCrowd is another.
type benchCrowd struct {
	Floor      bool   `help:"The server is a relay."`
	Addr       string `help:"Where it serves."`
	Spectators int    `help:"How many there are."`
	Tables     int    `help:"How many games they watch."`
}

// Run serves until ctx ends or a spectator fails.
func (b *benchCrowd) Run(ctx context.Context) error {
	crowd, err := load.NewCrowd(b.Floor, b.Addr, b.Spectators, b.Tables)
	if err != nil {
		return usageError{err}
	}
	defer crowd.Close()
	return serveChild(ctx, crowd, crowd.Failed())
}

// serveChild serves on a free port of the loopback interface until ctx ends or
// something has failed, and says where.
func serveChild(ctx context.Context, handler http.Handler, failed <-chan error) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	stop, err := serveProfiles("127.0.0.1:0", log)
	if err != nil {
		return err
	}
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	log.Info("serving", "url", "http://"+listener.Addr().String())
	select {
	case <-ctx.Done():
	case err = <-failed:
	case err = <-served:
		return err
	}
	server.Close()
	<-served
	return err
}
