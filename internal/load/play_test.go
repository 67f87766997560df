package load

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"
)

// own is this process in the place of a child.
func own(addr string) *process {
	return &process{addr: addr, pid: os.Getpid()}
}

// TestPlay plays whole games over the relay, in a closed loop and at a rate,
// with spectators, past the end of a game.
func TestPlay(t *testing.T) {
	for name, cfg := range map[string]Config{
		"closed loop": {Games: 4, Moves: 2000},
		"at a rate":   {Games: 3, Moves: 60, Rate: 600, Spectators: 5},
		"one game":    {Games: 1, Moves: 500, Spectators: 2, Clock: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			cfg.Duration = 30 * time.Second
			got, err := play(t.Context(), floor{clock: cfg.Clock}, cfg, own(relayAddr(t)))
			if err != nil {
				t.Fatal(err)
			}
			if got.Moves < cfg.Moves || got.PerSecond <= 0 || got.There.P50 <= 0 || got.There.P99 < got.There.P50 || got.Back.P50 <= 0 {
				t.Errorf("measured %+v", got)
			}
			if got.Deliveries < got.Moves {
				t.Errorf("%d deliveries of %d moves", got.Deliveries, got.Moves)
			}
		})
	}
}

// TestPlayInterrupted: a run that is called off ends, and says so.
func TestPlayInterrupted(t *testing.T) {
	called := errors.New("called off")
	ctx, cancel := context.WithCancelCause(t.Context())
	cfg := Config{Games: 4, Duration: time.Minute, Rate: 1, Spectators: 4}
	time.AfterFunc(50*time.Millisecond, func() { cancel(called) })
	if _, err := play(ctx, floor{}, cfg, own(relayAddr(t))); !errors.Is(err, called) {
		t.Fatalf("got %v, want %v", err, called)
	}
}

// TestServiceGone: a server that hangs up ends the run with an error.
func TestServiceGone(t *testing.T) {
	relay, addr := startRelay(t)
	cfg := Config{Games: 4, Duration: time.Minute, Rate: 100}
	time.AfterFunc(100*time.Millisecond, relay.Close)
	if _, err := play(t.Context(), floor{}, cfg, own(addr)); err == nil {
		t.Fatal("no error")
	}
}

// TestBadConfig: what cannot be measured is refused before anything starts.
func TestBadConfig(t *testing.T) {
	good := Config{Games: 1, Duration: time.Second, Store: "embedded"}
	for name, spoil := range map[string]func(*Config){
		"nothing to do":   func(c *Config) { c.Games = 0 },
		"too many games":  func(c *Config) { c.Games = maxGames + 1 },
		"negative idle":   func(c *Config) { c.Idle = -1 },
		"nobody to watch": func(c *Config) { c.Games, c.Idle, c.Spectators = 0, 2, 2 },
		"no time":         func(c *Config) { c.Duration = 0 },
		"too long":        func(c *Config) { c.Duration = 2 * maxDuration },
		"negative rate":   func(c *Config) { c.Rate = -1 },
		"no such store":   func(c *Config) { c.Store = "floppy" },
	} {
		cfg := good
		spoil(&cfg)
		if _, err := Run(t.Context(), cfg); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestBadBotsConfig: nor is what RunBots cannot measure.
func TestBadBotsConfig(t *testing.T) {
	good := Config{Games: 1, Rate: 1, Duration: time.Second, Store: "embedded", Bots: 1, Bot: "b"}
	for name, spoil := range map[string]func(*Config){
		"no bots":      func(c *Config) { c.Bots = 0 },
		"a bad name":   func(c *Config) { c.Bot = "\"" },
		"nobody plays": func(c *Config) { c.Games = 0 },
		"no rate":      func(c *Config) { c.Rate = 0 },
		"no time":      func(c *Config) { c.Duration = 0 },
	} {
		cfg := good
		spoil(&cfg)
		if _, err := RunBots(t.Context(), cfg); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
