// Command lab is the laboratory of the engines: it plays them against each
// other and says how strong they are, and whether they keep the rules.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// commands is the command line, each command in a file of its own.
type commands struct {
	Match      match      `cmd:"" help:"Play two players against each other and say how much stronger one is."`
	Roundrobin roundrobin `cmd:"" help:"Play all against all and rate them on one scale."`
	Torture    torture    `cmd:"" help:"Play many quick games on all boards under all rules; exit with 1 after any fault."`
	Openings   openings   `cmd:"" help:"Draw balanced openings and print them."`
	Players    list       `cmd:"" help:"Print the names of the players."`
	Fit        fit        `cmd:"" help:"Fit the weights of our engine's evaluation to games."`
	Train      train      `cmd:"" help:"Train the network of our engine's evaluation on games."`
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
		kong.Name("lab"),
		kong.Description("The laboratory of the engines.\n\n"+playersHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Exit(func(c int) { exited, code = true, c }), // after --help
	)
	if err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		return exitFailed
	}
	kctx, err := parser.Parse(args)
	if exited {
		return code
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		return exitUsage
	}
	kctx.BindTo(ctx, (*context.Context)(nil))
	if err := kctx.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		if usage := (usageError{}); errors.As(err, &usage) {
			return exitUsage
		}
		return exitFailed
	}
	return exitOK
}

// usageError is a flag with a wrong value.
type usageError struct{ error }
