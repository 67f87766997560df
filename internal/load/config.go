package load

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// Config is what to measure. Zero means none, where nothing else is said.
type Config struct {
	Games      int           `json:"games"`      // played at once
	Duration   time.Duration `json:"-"`          // of the measurement, after a warm-up
	Moves      int64         `json:"-"`          // end the measurement after so many
	Rate       float64       `json:"rate"`       // moves a second over all games; 0: the opponent answers at once
	Clock      time.Duration `json:"-"`          // main time of each player; 0: no clock
	Idle       int           `json:"idle"`       // connections that only sit at a table, to measure memory
	Spectators int           `json:"spectators"` // spread over the games
	Store      string        `json:"-"`          // "embedded" or a redis:// URL, which may hold a password

	Bot  string `json:"bot,omitempty"`  // whom people play, for RunBots
	Bots int    `json:"bots,omitempty"` // games against it at once

	Exe       string   `json:"-"` // this program
	Env       []string `json:"-"` // of its children, beside our own
	Folder    string   `json:"-"` // where temporary stores are made; empty: the system's place
	Profile   string   `json:"-"` // file for gomokud's processor profile
	ServerCPU int      `json:"-"` // the processor that servers are bound to; negative: any
	ClientCPU int      `json:"-"` // likewise of this process
}

// Bounds of what can be asked for.
const (
	maxGames       = 20_000
	maxConnections = 50_000
	maxDuration    = time.Hour
)

// ErrConfig is wrapped by what Run returns if it cannot do what is asked for.
var ErrConfig = errors.New("bad configuration")

func (c Config) validate() error {
	if err := c.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return nil
}

func (c Config) check() error {
	switch {
	case c.Games < 0 || c.Games > maxGames:
		return fmt.Errorf("games: must be from 0 to %d", maxGames)
	case c.Idle < 0 || c.Idle > maxConnections, c.Spectators < 0 || c.Spectators > maxConnections:
		return fmt.Errorf("idle, spectators: must be from 0 to %d", maxConnections)
	case c.Spectators > 0 && c.Games == 0:
		return errors.New("spectators: there is no game to watch")
	case c.Games == 0 && c.Idle == 0:
		return errors.New("games, idle: there is nothing to measure")
	case c.Duration <= 0 || c.Duration > maxDuration:
		return fmt.Errorf("duration: must be above 0 and at most %s", maxDuration)
	case c.Store != "embedded" && !strings.HasPrefix(c.Store, "redis://") && !strings.HasPrefix(c.Store, "rediss://"):
		return errors.New("store: must be 'embedded' or a redis:// URL")
	case c.Rate < 0 || c.Moves < 0 || c.Clock < 0:
		return errors.New("rate, moves, clock: must not be negative")
	}
	return nil
}

// checkBots is for RunBots.
func (c Config) checkBots() error {
	switch {
	case c.Bots < 1 || c.Bots > maxGames:
		return fmt.Errorf("%w: bots: must be from 1 to %d", ErrConfig, maxGames)
	case c.Bot == "" || strings.ContainsAny(c.Bot, `"\`):
		return fmt.Errorf("%w: bot: must be an opponent's name", ErrConfig)
	case c.Games == 0 || c.Rate == 0:
		return fmt.Errorf("%w: games, rate: people must play, at a fixed rate", ErrConfig)
	}
	return c.validate()
}

// storeKind names the store without its address.
func (c Config) storeKind() string {
	if c.Store == "embedded" {
		return "embedded"
	}
	return "Redis"
}

// notes say what the figures do not.
func (c Config) notes() (notes []string) {
	folder := c.Folder
	if folder == "" {
		folder = os.TempDir()
	}
	if c.Store == "embedded" && inMemory(folder) {
		notes = append(notes, folder+" is kept in memory: to store costs less than on a disk.")
	}
	if c.Store != "embedded" {
		notes = append(notes, "the processor time of Redis is not in the server's.")
	}
	if c.ServerCPU >= 0 {
		notes = append(notes, fmt.Sprintf("servers are bound to processor %d.", c.ServerCPU))
	}
	if c.ClientCPU >= 0 {
		notes = append(notes, fmt.Sprintf("the load generator is bound to processor %d.", c.ClientCPU))
	}
	if c.Profile != "" {
		notes = append(notes, "gomokud was profiled, which costs it a little.")
	}
	if runtime.GOOS != "linux" {
		notes = append(notes, "processor time and memory are only measured on Linux.")
	}
	return notes
}

// pause is the time between two moves of one game.
func (c Config) pause() time.Duration {
	if c.Rate == 0 {
		return 0
	}
	return time.Duration(float64(c.Games) / c.Rate * float64(time.Second))
}

// warmUp is how long games run before they are measured.
func (c Config) warmUp() time.Duration { return min(c.Duration/4, 2*time.Second) }
