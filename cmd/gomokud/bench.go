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
	"time"

	"gomokud/internal/load"
)

// bench measures the service under load.
type bench struct {
	Run   benchRun   `cmd:"" default:"withargs" help:"Play many games through real sockets, beside a bare relay."`
	Bots  benchBots  `cmd:"" help:"Let people play beside bots that think all the time, and compare how long their moves take."`
	Relay benchRelay `cmd:"" hidden:"" help:"Be the bare relay that the service is compared with."`
}

type benchRun struct {
	Games      int           `default:"200" help:"Games played at once."`
	Duration   time.Duration `default:"10s" help:"How long each service is measured, after a warm-up."`
	Moves      int64         `default:"0" help:"End a measurement after so many moves; 0 is no such end."`
	Rate       float64       `default:"0" help:"Moves a second over all games; 0: opponents answer at once."`
	Clock      time.Duration `default:"1h" help:"Main time of each player; 0s is no clock."`
	Idle       int           `default:"1000" help:"Idle connections to measure memory with; 0 leaves that out."`
	Spectators int           `default:"0" help:"Spectators, spread over the games."`
	Store      string        `default:"embedded" help:"Where games are kept: 'embedded' (in a temporary folder) or a 'redis://' URL, whose database should be a throw-away one."`
	Folder     string        `name:"in" env:"GOMOKUD_BENCH_IN" type:"path" help:"Make the temporary folder in this one; it should be on the disk that is meant."`
	ServerCPU  int           `name:"server-cpu" default:"-1" help:"Processor that servers are bound to."`
	ClientCPU  int           `name:"client-cpu" default:"-1" help:"Processor that the load generator is bound to."`
	Profile    string        `name:"cpuprofile" type:"path" help:"Save a processor profile of the service under load to this file."`
	JSON       bool          `name:"json" help:"Print JSON instead of a table."`
}

// Run measures and prints.
func (b *benchRun) Run(ctx context.Context) error {
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	report, err := load.Run(ctx, load.Config{
		Games: b.Games, Duration: b.Duration, Moves: b.Moves, Rate: b.Rate, Clock: b.Clock,
		Idle: b.Idle, Spectators: b.Spectators, Store: b.Store, Exe: exe, Folder: b.Folder,
		Profile: b.Profile, ServerCPU: b.ServerCPU, ClientCPU: b.ClientCPU,
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
	Store     string        `default:"embedded" help:"Where games are kept: 'embedded' (in a temporary folder) or a 'redis://' URL, whose database should be a throw-away one."`
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
		Games: b.Games, Rate: b.Rate, Duration: b.Duration, Bots: b.Against, Bot: b.Bot, Clock: b.Clock,
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
type benchRelay struct{}

// Run serves on a free port of the loopback interface until ctx ends.
func (*benchRelay) Run(ctx context.Context) error {
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
	relay := load.NewRelay()
	mux := http.NewServeMux()
	mux.Handle("GET /ws", relay)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	log.Info("serving", "url", "http://"+listener.Addr().String())
	select {
	case <-ctx.Done():
		server.Close()
		<-served
	case err = <-served:
	}
	relay.Close()
	return err
}
