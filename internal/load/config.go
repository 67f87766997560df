package load

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Config is what to measure. Zero means none, where nothing else is said.
type Config struct {
	Scenarios   []string // their names, or All
	Sizes                // of the scenarios; Own: as each has it
	Duration    time.Duration
	Moves       int64         // end a measurement after so many
	Clock       time.Duration // main time of each player; 0: no clock
	Store       string        // Embedded, OwnRedis, or a redis:// URL, which may hold a password
	ServerProcs int           // GOMAXPROCS of servers; 0: as they find it

	Bot  string // whom people play, for RunBots
	Bots int    // games against it at once

	Exe       string   // this program
	Env       []string // of its children, beside our own
	Folder    string   // where temporary stores are made; empty: the system's place
	Profile   string   // file for gomokud's processor profile
	ServerCPU int      // the processor that servers and our Redis are bound to; negative: any
	ClientCPU int      // likewise of this process
}

// Stores that are no URL.
const (
	Embedded = "embedded" // in a temporary folder
	OwnRedis = "redis"    // a redis-server that is started for the measurement
)

// Bounds of what can be asked for.
const (
	maxGames       = 20_000
	maxConnections = 50_000
	maxRate        = 1_000_000
	maxDuration    = time.Hour
)

// ErrConfig is wrapped by what Run returns if it cannot do what is asked for.
var ErrConfig = errors.New("bad configuration")

func badConfig(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrConfig}, args...)...)
}

// check is for what does not depend on the scenarios.
func (c Config) check() error {
	switch {
	case c.Duration <= 0 || c.Duration > maxDuration:
		return badConfig("duration: must be above 0 and at most %s", maxDuration)
	case c.Store != Embedded && c.Store != OwnRedis && !strings.HasPrefix(c.Store, "redis://") && !strings.HasPrefix(c.Store, "rediss://"):
		return badConfig("store: must be '%s', '%s' or a redis:// URL", Embedded, OwnRedis)
	case c.Moves < 0 || c.Clock < 0:
		return badConfig("moves, clock: must not be negative")
	case c.ServerProcs < 0:
		return badConfig("server-procs: must not be negative")
	}
	if c.Store == OwnRedis {
		if _, err := exec.LookPath(redisServer); err != nil {
			return badConfig("store: %w; or give the redis:// URL of a server that runs", err)
		}
	}
	return nil
}

// plan is which scenarios are run, each with a configuration of its own.
func (c Config) plan() ([]trial, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	chosen, err := c.chosen()
	if err != nil {
		return nil, err
	}
	if err := c.Sizes.check(chosen); err != nil {
		return nil, err
	}
	var trials []trial
	for _, s := range chosen {
		sized := c
		sized.Sizes = s.own.with(c.Sizes)
		if sized.Sizes.lacks(s.own) {
			continue
		}
		if s.store != "" {
			sized.Store = s.store
		}
		if err := sized.Sizes.checkFiles(); err != nil {
			return nil, badConfig("%s: %w", s.name, err)
		}
		trials = append(trials, trial{scenario: s, cfg: sized})
	}
	if len(trials) == 0 {
		return nil, badConfig("scenario: there is nothing to measure")
	}
	played := slices.DeleteFunc(slices.Clone(trials), func(t trial) bool { return t.cfg.Games == 0 })
	if c.Profile != "" && len(played) != 1 {
		return nil, badConfig("cpuprofile: choose one scenario with games")
	}
	return trials, nil
}

// chosen are the scenarios that are asked for.
func (c Config) chosen() ([]scenario, error) {
	var names []string
	for _, s := range scenarios {
		if slices.Contains(c.Scenarios, All) && !(s.redisOnly && c.Store == Embedded) && !slices.Contains(c.Scenarios, s.name) {
			names = append(names, s.name)
		}
	}
	var chosen []scenario
	for _, name := range append(slices.Clone(c.Scenarios), names...) {
		i := slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == name })
		switch {
		case name == All:
			continue
		case i < 0:
			return nil, badConfig("scenario: there is no %q", name)
		case scenarios[i].redisOnly && c.Store == Embedded:
			return nil, badConfig("scenario: %s is only measured beside a store in Redis", name)
		}
		chosen = append(chosen, scenarios[i])
	}
	return chosen, nil
}

// checkBots is for RunBots.
func (c Config) checkBots() error {
	switch {
	case c.Bots < 1 || c.Bots > maxGames:
		return badConfig("bots: must be from 1 to %d", maxGames)
	case c.Bot == "" || strings.ContainsAny(c.Bot, `"\`):
		return badConfig("bot: must be an opponent's name")
	case c.Games <= 0 || c.Games > maxGames || c.Rate <= 0 || c.Rate > maxRate:
		return badConfig("games, rate: people must play, at a fixed rate")
	}
	return c.check()
}

// storeKind names the store without its address.
func (c Config) storeKind() string {
	if c.Store == Embedded {
		return Embedded
	}
	return "Redis"
}

// notes say what the figures do not.
func (c Config) notes() (notes []string) {
	folder := c.Folder
	if folder == "" {
		folder = os.TempDir()
	}
	if inMemory(folder) && (c.Store == Embedded || c.Store == OwnRedis) {
		notes = append(notes, folder+" is kept in memory: to store costs less than on a disk.")
	}
	if c.Store != Embedded {
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
