package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gomokud/internal/load"
)

// asProgram in the environment makes the test binary be gomokud itself.
const asProgram = "BE_THE_PROGRAM"

func init() {
	if os.Getenv(asProgram) != "" {
		main()
	}
}

// program is gomokud with the arguments, and with a folder of its own for what
// is temporary.
func program(t *testing.T, args ...string) (cmd *exec.Cmd, temp string, out, said *bytes.Buffer) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	temp, out, said = t.TempDir(), new(bytes.Buffer), new(bytes.Buffer)
	cmd = exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "TMPDIR="+temp)
	cmd.Stdout, cmd.Stderr = out, said
	cmd.WaitDelay = time.Minute
	return cmd, temp, out, said
}

// nothingLeft checks that a run has left no file and no process behind.
func nothingLeft(t *testing.T, temp string) {
	t.Helper()
	if entries, err := os.ReadDir(temp); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	environs, _ := filepath.Glob("/proc/[0-9]*/environ") // none but on Linux
	for _, file := range environs {
		if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte("TMPDIR="+temp+"\x00")) {
			t.Errorf("still running: %s", file)
		}
	}
}

// benched runs 'bench' and returns its report, after a look at the table.
func benched(t *testing.T, args ...string) *load.Report {
	t.Helper()
	cmd, temp, out, said := program(t, append([]string{"bench", "--json", "--duration=1m"}, args...)...)
	if err := cmd.Run(); err != nil {
		t.Fatalf("bench: %v\n%s", err, said)
	}
	report := new(load.Report)
	if err := json.Unmarshal(out.Bytes(), report); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	var text bytes.Buffer
	if err := report.WriteText(&text); err != nil {
		t.Error(err)
	}
	for _, o := range report.Scenarios {
		if len(o.Lines) == 0 || !strings.Contains(text.String(), "\n"+o.Scenario+": ") {
			t.Errorf("%s is not in the table:\n%s", o.Scenario, &text)
		}
	}
	nothingLeft(t, temp)
	return report
}

// measured are the scenarios of a report, each with the services in it.
func measured(report *load.Report) (all []string) {
	for _, o := range report.Scenarios {
		line := o.Scenario + ":"
		for _, r := range o.Results {
			line += " " + r.Service
		}
		all = append(all, line)
	}
	return all
}

// TestBench plays a few games against both services, past the end of a game.
func TestBench(t *testing.T) {
	t.Parallel()
	report := benched(t, "--scenario=closed,crowd", "--games=4", "--moves=1200", "--spectators=3", "--rate=2000")
	if got, want := measured(report), []string{"closed: floor gomokud", "crowd: floor gomokud"}; !slices.Equal(got, want) {
		t.Fatalf("measured %q, want %q", got, want)
	}
	for _, o := range report.Scenarios {
		for _, r := range o.Results {
			if r.Play == nil || r.Play.Moves < 1200 {
				t.Errorf("%s: %s played %+v", o.Scenario, r.Service, r.Play)
			}
		}
		if o.Lines[0].Ratios["floor"] <= 0 {
			t.Errorf("%s: %+v", o.Scenario, o.Lines)
		}
	}
}

// TestBenchByDefault: games in a closed loop and idle connections, against both
// services.
func TestBenchByDefault(t *testing.T) {
	t.Parallel()
	report := benched(t, "--games=2", "--moves=100", "--idle=20")
	if got, want := measured(report), []string{"closed: floor gomokud", "idle: floor gomokud"}; !slices.Equal(got, want) {
		t.Fatalf("measured %q, want %q", got, want)
	}
	for _, r := range report.Scenarios[1].Results {
		if r.Memory == nil || r.Memory.Connections != 20 {
			t.Errorf("%s has %+v", r.Service, r.Memory)
		}
	}
}

// TestBenchOnRedis runs every scenario on a Redis that the bench starts.
func TestBenchOnRedis(t *testing.T) {
	t.Parallel()
	report := benched(t, "--scenario=all", "--store=redis", "--games=4", "--rate=400", "--moves=100", "--spectators=6", "--idle=10", "--clients=10", "--server-procs=2")
	want := []string{
		"closed: floor durable floor gomokud", "rate: floor durable floor gomokud", "embedded: floor gomokud",
		"idle: floor durable floor gomokud", "crowd: floor durable floor gomokud", "storm: floor durable floor gomokud",
		"nodes: gomokud",
	}
	if got := measured(report); !slices.Equal(got, want) {
		t.Fatalf("measured %q, want %q", got, want)
	}
	for _, o := range report.Scenarios {
		for _, r := range o.Results {
			name := o.Scenario + ": " + r.Service
			switch o.Scenario {
			case "idle":
				if r.Memory == nil || r.Memory.Connections != 10 {
					t.Errorf("%s has %+v", name, r.Memory)
				}
			case "storm":
				if r.Storm == nil || r.Storm.Clients != 10 || r.Storm.Seconds <= 0 {
					t.Errorf("%s: %+v", name, r.Storm)
				}
			default:
				if r.Play == nil || r.Play.Moves < 100 || r.Play.There.P99 <= 0 || r.Play.Back.P99 <= 0 {
					t.Errorf("%s played %+v", name, r.Play)
				}
			}
			if (o.Scenario == "crowd" || o.Scenario == "nodes") && (r.Without == nil || r.Without.Moves < 100) {
				t.Errorf("%s played %+v before", name, r.Without)
			}
			// Three or four deliveries a move, and two; a few more or less, as the measurement begins and ends at any moment.
			if o.Scenario == "crowd" && (2*r.Play.Deliveries < 5*r.Play.Moves || 2*r.Without.Deliveries > 5*r.Without.Moves) {
				t.Errorf("%s: %d deliveries of %d moves; without a crowd %d of %d", name,
					r.Play.Deliveries, r.Play.Moves, r.Without.Deliveries, r.Without.Moves)
			}
			if r.Service == "gomokud" && r.Procs != 2 {
				t.Errorf("%s ran with GOMAXPROCS=%d", name, r.Procs)
			}
		}
	}
}

// TestBenchBots: people play, alone and beside more bots than can think.
func TestBenchBots(t *testing.T) {
	t.Parallel()
	cmd, temp, out, said := program(t, "bench", "bots", "--games=4", "--rate=40", "--duration=2s", "--against=4", "--bot=backtrack", "--json")
	if err := cmd.Run(); err != nil {
		t.Fatalf("bench bots: %v\n%s", err, said)
	}
	var report load.BotsReport
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	for name, play := range map[string]*load.Play{"alone": report.Alone, "beside bots": report.Beside} {
		if play == nil || play.Moves == 0 || play.There.P99 <= 0 {
			t.Errorf("%s: %+v", name, play)
		}
	}
	if report.BotMoves <= 0 || report.Running <= 0 || report.Ratios["to_opponent_p99"] <= 0 {
		t.Errorf("the bots did %v moves a second, %v at a time; ratios %v", report.BotMoves, report.Running, report.Ratios)
	}
	var text bytes.Buffer
	if err := report.WriteText(&text); err != nil || !strings.Contains(text.String(), "beside bots") {
		t.Errorf("%v\n%s", err, &text)
	}
	nothingLeft(t, temp)
}

// TestBenchInterrupted: an interrupt ends the run and its children.
func TestBenchInterrupted(t *testing.T) {
	t.Parallel()
	cmd, temp, _, said := program(t, "bench", "--scenario=rate", "--games=4", "--rate=40", "--duration=1m")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if found, _ := filepath.Glob(filepath.Join(temp, "*")); len(found) > 0 {
			break
		}
		if time.Since(begun) > 30*time.Second {
			t.Fatal("it does not begin")
		}
	}
	cmd.Process.Signal(syscall.SIGINT)
	if err := cmd.Wait(); err == nil {
		t.Errorf("it ended well\n%s", said)
	}
	nothingLeft(t, temp)
}

// TestBenchUsage: what cannot be measured is a wrong use.
func TestBenchUsage(t *testing.T) {
	for _, args := range [][]string{{"bench", "--games=-2"}, {"bench", "--store=floppy"}, {"bench", "--scenario=tea"}, {"bench", "--scenario=nodes"}, {"bench", "--rate=5"}, {"bench", "--games=0", "--idle=0"}, {"bench", "bots", "--against=0"}, {"bench", "bots", "--rate=0"}} {
		if code := run(t.Context(), args); code != exitUsage {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
}
