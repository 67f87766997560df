package main

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"

	"gomokud/internal/ai"
	"gomokud/internal/ai/bots"
	"gomokud/internal/ai/opponents"
	"gomokud/internal/ai/tengen"
	"gomokud/internal/gomocup/brain"
)

// thinker makes an opponent a program for tournament managers and board
// programs.
type thinker struct {
	Bot     string `help:"Who plays, one of --list; our own engine at its full strength if nobody is named." xor:"who"`
	Level   int    `help:"Our own engine at a level from 1 to 10." xor:"who"`
	Threads int    `default:"1" help:"Threads that our own engine thinks with, unless the manager says."`
	Memory  int64  `default:"64" help:"MiB for what our own engine remembers, unless the manager says."`
	List    bool   `help:"Print everybody who can play, a line each."`
}

// fullStrength is the name of our own engine without a level.
const fullStrength = "tengen"

// Run speaks the protocol on standard input and output; the log is elsewhere.
func (b *thinker) Run(ctx context.Context) error {
	if b.List {
		fmt.Println(fullStrength)
		for _, o := range opponents.All(nil) {
			fmt.Println(o.Name)
		}
		return nil
	}
	cfg, err := b.config()
	if err != nil {
		return usageError{err}
	}
	// While the engine thinks, somebody must listen and look at the clock.
	runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), b.Threads+1))
	return brain.Run(ctx, cfg, os.Stdin, os.Stdout)
}

// config says who plays.
func (b *thinker) config() (brain.Config, error) {
	library := new(tengen.Library) // an engine made anew has it at once
	cfg := brain.Config{
		Name: fullStrength, Version: buildVersion(), Memory: b.Memory << 20, Threads: b.Threads,
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		New: func(s brain.Settings) ai.Engine {
			return tengen.New(tengen.Config{Threads: s.Threads, Memory: s.Memory, Library: library})
		},
		Spare: func() ai.Engine { return bots.ShapeDictionary{} },
	}
	levels := tengen.Levels()
	switch {
	case b.Threads < 1 || b.Threads > 256:
		return cfg, fmt.Errorf("--threads %d: must be from 1 to 256", b.Threads)
	case b.Memory < 1 || b.Memory > 1<<20:
		return cfg, fmt.Errorf("--memory %d: must be from 1 to %d", b.Memory, 1<<20)
	case b.Level < 0 || b.Level > len(levels):
		return cfg, fmt.Errorf("--level %d: must be from 1 to %d", b.Level, len(levels))
	case b.Level > 0:
		level := levels[b.Level-1]
		cfg.Name = fmt.Sprintf("%s-%d", fullStrength, b.Level)
		cfg.New = func(s brain.Settings) ai.Engine {
			return tengen.New(tengen.Config{Threads: s.Threads, Memory: s.Memory, Level: level, Library: library})
		}
	case b.Bot != "" && b.Bot != fullStrength:
		bot, ok := opponents.Find(b.Bot, nil)
		if !ok {
			return cfg, fmt.Errorf("--bot %q: nobody of that name; see --list", b.Bot)
		}
		cfg.Name = bot.Name
		cfg.New = func(brain.Settings) ai.Engine { return bot.New() }
	}
	if cfg.Name != fullStrength {
		cfg.Seed = rand.Uint64 // a weak player is no machine
	}
	return cfg, nil
}

// buildVersion is the version that this program was built from.
func buildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "unknown"
}
