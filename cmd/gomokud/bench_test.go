package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
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

// TestBench plays a few games against both services, past the end of a game.
func TestBench(t *testing.T) {
	cmd, temp, out, said := program(t, "bench", "--games=4", "--moves=1200", "--duration=1m", "--idle=20", "--spectators=3", "--json")
	if err := cmd.Run(); err != nil {
		t.Fatalf("bench: %v\n%s", err, said)
	}
	var report load.Report
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if len(report.Results) != 2 || report.Results[0].Service != "floor" || report.Results[1].Service != "gomokud" {
		t.Fatalf("results of %+v", report.Results)
	}
	for _, r := range report.Results {
		if r.Play == nil || r.Play.Moves < 1200 || r.Play.Deliveries < r.Play.Moves {
			t.Errorf("%s played %+v", r.Service, r.Play)
		}
	}
	if report.Ratios["moves_per_second"] <= 0 {
		t.Errorf("ratios %v", report.Ratios)
	}
	var text bytes.Buffer
	if err := report.WriteText(&text); err != nil || !strings.Contains(text.String(), "moves a second") {
		t.Errorf("%v\n%s", err, &text)
	}
	nothingLeft(t, temp)
}

// TestBenchBots: people play, alone and beside more bots than can think.
func TestBenchBots(t *testing.T) {
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
	cmd, temp, _, said := program(t, "bench", "--games=4", "--rate=40", "--duration=1m", "--idle=0")
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
	for _, args := range [][]string{{"bench", "--games=-1"}, {"bench", "--store=floppy"}, {"bench", "--games=0", "--idle=0"}, {"bench", "bots", "--against=0"}, {"bench", "bots", "--rate=0"}} {
		if code := run(t.Context(), args); code != exitUsage {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
}
