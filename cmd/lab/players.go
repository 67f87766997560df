package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/ai/opponents"
	"gomokud/internal/ai/tengen"
	"gomokud/internal/gomocup/external"
	"gomokud/internal/lab"
	"gomokud/internal/rules"
)

// playersHelp explains the names of players.
const playersHelp = `Players are "tengen" (our engine at full strength) and all that "lab players" names, "tengen-3" for instance. ` +
	`After a colon may come a budget of their own, in the place of that of the match, and for tengen threads and the memory of its table in MiB: ` +
	`"tengen:nodes=2000", "backtrack:time=50ms", "tengen:time=1s,threads=2,memory=64"; and for tengen a network for the rule of the match, ` +
	`"new=tengen:network=/tmp/renju.net", as "lab train" writes it. "label=" before a name tells two players of one name apart. ` +
	`"label=/path/to/program argument…" is a program that speaks the Gomocup protocol, such as another build of ours: "old=/tmp/gomokud brain".`

// parsePlayer reads a player for a rule; those of our engine share the library,
// but for who has a network of their own.
func parsePlayer(text string, rule rules.Rule, library *tengen.Library) (lab.Player, error) {
	if label, command, _ := strings.Cut(text, "="); strings.HasPrefix(command, "/") && !strings.Contains(label, ":") {
		return parseProgram(label, command)
	}
	name, options, _ := strings.Cut(text, ":")
	label, base, labelled := strings.Cut(name, "=")
	if !labelled {
		label, base = text, name
	}
	p := lab.Player{Name: label}
	var cfg tengen.Config
	for option := range strings.SplitSeq(options, ",") {
		if options == "" {
			break
		}
		if err := setOption(option, rule, &p.Budget, &cfg); err != nil {
			return lab.Player{}, usageError{fmt.Errorf("player %s: %w", text, err)}
		}
	}
	if base == "tengen" {
		if cfg.Library == nil {
			cfg.Library = library
		}
		p.New = func() ai.Engine { return tengen.New(cfg) }
		return p, nil
	}
	o, ok := opponents.Find(base, library)
	switch {
	case !ok:
		return lab.Player{}, usageError{fmt.Errorf("player %s: there is nobody of that name", text)}
	case cfg != (tengen.Config{}):
		return lab.Player{}, usageError{fmt.Errorf("player %s: only tengen has threads, memory and a network", text)}
	}
	p.New = o.New
	return p, nil
}

// parseProgram reads a program, which is started for each of its games.
func parseProgram(label, command string) (lab.Player, error) {
	words := strings.Fields(command)
	if _, err := exec.LookPath(words[0]); err != nil {
		return lab.Player{}, usageError{fmt.Errorf("player %s: %w", label, err)}
	}
	cfg := external.Config{Name: label, Path: words[0], Args: words[1:], Processes: 1}
	return lab.Player{Name: label, New: func() ai.Engine { return external.New(cfg) }}, nil
}

// setOption reads one key=value.
func setOption(option string, rule rules.Rule, budget *ai.Budget, cfg *tengen.Config) (err error) {
	key, value, _ := strings.Cut(option, "=")
	switch key {
	case "time":
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return fmt.Errorf("no time: %q", value)
		}
		budget.Time = d
		return nil
	case "network":
		cfg.Library, err = taught(rule, value)
		return err
	}
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n <= 0 {
		return fmt.Errorf("no positive number: %q", option)
	}
	switch key {
	case "nodes":
		budget.Nodes = n
	case "depth":
		budget.Depth = int(n)
	case "threads":
		cfg.Threads = int(n)
	case "memory":
		cfg.Memory = n << 20
	default:
		return fmt.Errorf("no option: %q", key)
	}
	return nil
}

// taught returns a library with the network of a file.
func taught(rule rules.Rule, file string) (*tengen.Library, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l := new(tengen.Library)
	if err := l.Teach(rule, bufio.NewReader(f)); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return l, nil
}

// parsePlayers reads players for a rule, whose names must differ.
func parsePlayers(texts []string, rule rules.Rule) ([]lab.Player, error) {
	var all []lab.Player
	seen, library := map[string]bool{}, &tengen.Library{}
	library.Prepare() // off the clock
	for _, text := range texts {
		p, err := parsePlayer(text, rule, library)
		if err != nil {
			return nil, err
		}
		if seen[p.Name] {
			return nil, usageError{fmt.Errorf("%s plays twice: put a label= before the name", p.Name)}
		}
		seen[p.Name] = true
		all = append(all, p)
	}
	return all, nil
}
