// Command gomokud is a place to play five-in-a-row: one program that serves the
// pages, the games and the computer opponents.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// commands is the command line. Every flag may come from the environment.
type commands struct {
	Serve   serve   `cmd:"" default:"withargs" help:"Serve the pages and the games (the default)."`
	Worker  worker  `cmd:"" help:"Think for the bots of the servers that share a store, and do nothing else."`
	Healthy healthy `cmd:"" help:"Ask a running server whether it serves: exit code 0 if so. For containers."`
	Version version `cmd:"" help:"Print what this program was built from."`
	Bench   bench   `cmd:"" help:"Measure it: many games at once, beside a bare relay."`
	Brain   thinker `cmd:"" help:"Play as a program of the Gomocup (Piskvork) protocol, on standard input and output."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends it at once
	os.Exit(run(ctx, os.Args[1:]))
}

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func run(ctx context.Context, args []string) int {
	var cli commands
	exited, code := false, exitOK
	parser, err := kong.New(&cli,
		kong.Name("gomokud"),
		kong.Description("Five-in-a-row for everybody: play each other, play the computer, watch."),
		kong.DefaultEnvars("GOMOKUD"),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Exit(func(c int) { exited, code = true, c }), // after --help
	)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gomokud:", err)
		return exitFailed
	}
	kctx, err := parser.Parse(args)
	if exited {
		return code
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gomokud:", err)
		return exitUsage
	}
	kctx.BindTo(ctx, (*context.Context)(nil))
	if err := kctx.Run(); err != nil {
		var usage usageError
		if errors.As(err, &usage) {
			fmt.Fprintln(os.Stderr, "gomokud:", err)
			return exitUsage
		}
		slog.Error("gomokud failed", "err", err)
		return exitFailed
	}
	return exitOK
}

// usageError is a flag with a wrong value.
type usageError struct{ error }
