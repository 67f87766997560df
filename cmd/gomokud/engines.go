package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"gomokud/internal/gomocup/external"
)

// engineName is what bots are called, in at most longestName characters.
var engineName = regexp.MustCompile(`^[a-z0-9-]+$`)

const longestName = 32

// parseGuests reads the flags about programs: opponents that somebody else
// wrote, with their memory in MiB.
func parseGuests(engines []string, memory int64) ([]external.Config, error) {
	var all []external.Config
	taken := catalogue(nil).own
	for _, text := range separate(engines) {
		guest, err := parseGuest(text)
		if _, is := taken[guest.Name]; is {
			err = errors.New("there is an opponent of that name")
		}
		if err != nil {
			return nil, fmt.Errorf("--engine %q: %w", text, err)
		}
		guest.Memory = memory << 20
		taken[guest.Name] = nil
		all = append(all, guest)
	}
	return all, nil
}

// separate takes apart what came from the environment, where commas stand
// between programs; a flag is one program, whatever its arguments are.
func separate(engines []string) []string {
	text, set := os.LookupEnv("GOMOKUD_ENGINE")
	switch {
	case !set || !slices.Equal(engines, []string{text}):
		return engines
	case text == "":
		return nil
	}
	return strings.Split(text, ",")
}

// parseGuest reads "name=/path/to/program argument…".
func parseGuest(text string) (external.Config, error) {
	name, command, _ := strings.Cut(text, "=")
	words := strings.Fields(command)
	switch {
	case len(words) == 0:
		return external.Config{}, errors.New("must be like name=/path/to/program")
	case len(name) > longestName:
		return external.Config{}, fmt.Errorf("the name has %d characters, and may have %d", len(name), longestName)
	case !engineName.MatchString(name):
		return external.Config{}, errors.New("the name must be of lower-case letters, digits and dashes")
	}
	path, err := filepath.Abs(words[0]) // it works in a folder of its own
	if err == nil {
		_, err = exec.LookPath(path)
	}
	return external.Config{Name: name, Path: path, Args: words[1:]}, err
}

// firstTrials is how long the guests are waited for, so that who comes first finds
// them there.
const firstTrials = 3 * time.Second

// invite returns the guests' programs, which are tried until they work, and what
// closes them.
func invite(guests []external.Config, log *slog.Logger) (programs []*external.Program, closeAll func()) {
	if len(guests) > 0 {
		if err := external.Tidy(); err != nil {
			log.Warn("could not remove what external engines left behind", "err", err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, guest := range guests {
		guest.Log = log
		p := external.New(guest)
		programs = append(programs, p)
		running.Go(func() { p.Watch(ctx) })
	}
	waiting, cancel := context.WithTimeout(ctx, firstTrials)
	defer cancel()
	for _, p := range programs {
		select {
		case <-p.Tried():
		case <-waiting.Done():
		}
	}
	return programs, func() {
		stop()
		for _, p := range programs {
			running.Go(p.Close)
		}
		running.Wait()
	}
}
