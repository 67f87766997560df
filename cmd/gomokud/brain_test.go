package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"gomokud/internal/ai/opponents"
	"gomokud/internal/gomocup"
	"gomokud/internal/rules"
)

// brainProcess is a running `gomokud brain`.
type brainProcess struct {
	t    *testing.T
	name string
	in   io.Writer
	out  *bufio.Scanner
	wait func() error
	said *bytes.Buffer
	temp string
}

// startBrain starts one, which must be ended.
func startBrain(t *testing.T, args ...string) brainProcess {
	t.Helper()
	cmd, temp, _, said := program(t, append([]string{"brain"}, args...)...)
	in, errIn := cmd.StdinPipe()
	cmd.Stdout = nil
	out, errOut := cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	return brainProcess{
		t: t, name: strings.Join(args, " "), in: in, out: bufio.NewScanner(out),
		wait: cmd.Wait, said: said, temp: temp,
	}
}

// end says END, leaves the pipe open, and waits for the end.
func (b brainProcess) end() {
	fmt.Fprint(b.in, "END\r\n")
	for b.out.Scan() {
		b.t.Errorf("%s: at the end it says %q", b.name, b.out.Text())
	}
	if err := b.wait(); err != nil || b.said.Len() > 0 {
		b.t.Errorf("%s: %v\n%s", b.name, err, b.said)
	}
	nothingLeft(b.t, b.temp)
}

// ask says lines and returns the next answer.
func (b brainProcess) ask(lines ...string) string {
	b.t.Helper()
	fmt.Fprint(b.in, strings.Join(lines, "\r\n")+"\r\n")
	for b.out.Scan() {
		if line := b.out.Text(); !strings.HasPrefix(line, "MESSAGE ") {
			return line
		}
	}
	b.t.Fatalf("%s: no answer to %q", b.name, lines)
	return ""
}

// TestBrain plays whole games between two processes, as a manager.
func TestBrain(t *testing.T) {
	for _, rule := range []rules.Rule{rules.Freestyle, rules.Standard, rules.Renju, rules.Caro} {
		t.Run(rule.String(), func(t *testing.T) {
			board := rules.NewBoard(rules.Size{Width: 11, Height: 9})
			brains := map[rules.Color]brainProcess{
				rules.Black: startBrain(t, "--bot=seven-step"),
				rules.White: startBrain(t, "--bot=shape-dictionary"),
			}
			for _, b := range brains {
				defer b.end()
				if got := b.ask("INFO timeout_turn 1000", fmt.Sprint("INFO rule ", gomocup.RuleNumber(rule)), "RECTSTART 11,9"); got != "OK" {
					t.Fatalf("%s: RECTSTART: %q", b.name, got)
				}
			}
			request := "BEGIN"
			for side := rules.Black; !board.Full(); side = side.Opponent() {
				answer := brains[side].ask(request)
				p, err := gomocup.ParsePoint(board.Size(), answer)
				if err != nil && rule == rules.Renju && strings.HasPrefix(answer, "ERROR ") {
					if len(rules.AppendForbidden(nil, board))+board.Stones() < board.Size().Points() {
						t.Errorf("%s gives up", side)
					}
					return
				}
				if err != nil || board.At(p) != rules.Empty || rule == rules.Renju && side == rules.Black && rules.Forbidden(board, p) != rules.NoFoul {
					t.Fatalf("%s plays %q (%v) on\n%v", side, answer, err, board)
				}
				board.Place(p, side)
				if rule.Wins(board, p) {
					return
				}
				request = "TURN " + answer
			}
		})
	}
}

// TestBrains: everybody who is listed can play, and says who it is.
func TestBrains(t *testing.T) {
	cmd, _, out, said := program(t, "brain", "--list")
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	names := strings.Fields(out.String())
	want := []string{"tengen"}
	for _, o := range opponents.All(nil) {
		want = append(want, o.Name)
	}
	if !slices.Equal(names, want) {
		t.Fatalf("the list is %q, want %q", names, want)
	}
	for _, name := range names {
		b := startBrain(t, "--bot="+name, "--memory=4")
		if got := b.ask("ABOUT"); !strings.HasPrefix(got, `name="`+name+`", version="`) {
			t.Errorf("%s says %q", name, got)
		}
		if strings.HasPrefix(name, "tengen-") && name != "tengen-1" {
			b.end() // its tables are those of the others, and take their time here
			continue
		}
		if got := b.ask("START 15"); got != "OK" {
			t.Errorf("%s: START: %q", name, got)
		}
		if got := b.ask("INFO timeout_turn 300", "TURN 7,7"); !strings.Contains(got, ",") {
			t.Errorf("%s plays %q", name, got)
		}
		b.end()
	}
	b := startBrain(t, "--level=3", "--threads=2")
	defer b.end()
	if got := b.ask("ABOUT"); !strings.HasPrefix(got, `name="tengen-3"`) {
		t.Errorf("level 3 says %q", got)
	}
}

// TestBrainUsage: who does not exist cannot play.
func TestBrainUsage(t *testing.T) {
	for _, args := range [][]string{
		{"--bot=deep-thought"}, {"--level=11"}, {"--level=-1"}, {"--threads=0"}, {"--memory=0"}, {"--bot=seven-step", "--level=1"},
	} {
		if code := run(t.Context(), append([]string{"brain"}, args...)); code != exitUsage {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
}
