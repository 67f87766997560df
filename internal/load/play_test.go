package load

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"
)

// here is a site whose only node is this process.
func here(addr string) *site {
	return &site{nodes: []*process{{addr: addr, pid: os.Getpid()}}}
}

// TestPlay plays whole games over the relay, in a closed loop and at a rate,
// with spectators, past the end of a game.
func TestPlay(t *testing.T) {
	for name, cfg := range map[string]Config{
		"closed loop": {Sizes: Sizes{Games: 4}, Moves: 2000},
		"at a rate":   {Sizes: Sizes{Games: 3, Rate: 600}, Moves: 60},
		"one game":    {Sizes: Sizes{Games: 1}, Moves: 500, Clock: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			cfg.Duration = 30 * time.Second
			got, err := play(t.Context(), floor{clock: cfg.Clock}, cfg, here(relayAddr(t)))
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
	cfg := Config{Sizes: Sizes{Games: 4, Rate: 1}, Duration: time.Minute}
	time.AfterFunc(50*time.Millisecond, func() { cancel(called) })
	if _, err := play(ctx, floor{}, cfg, here(relayAddr(t))); !errors.Is(err, called) {
		t.Fatalf("got %v, want %v", err, called)
	}
}

// TestServiceGone: a server that hangs up ends the run with an error.
func TestServiceGone(t *testing.T) {
	relay, addr := startRelay(t)
	cfg := Config{Sizes: Sizes{Games: 4, Rate: 100}, Duration: time.Minute}
	time.AfterFunc(100*time.Millisecond, func() { relay.Close() })
	if _, err := play(t.Context(), floor{}, cfg, here(addr)); err == nil {
		t.Fatal("no error")
	}
}

// TestBadBotsConfig: nor is what RunBots cannot measure.
func TestBadBotsConfig(t *testing.T) {
	good := Config{Sizes: Sizes{Games: 1, Rate: 1}, Duration: time.Second, Store: "embedded", Bots: 1, Bot: "b"}
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
