package external

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// watched is a program that is watched until the test ends, and its log.
func watched(t *testing.T, part string) (player, *journal) {
	t.Helper()
	log := new(journal)
	p := cast(t, part, func(c *Config) { c.Log = slog.New(slog.NewTextHandler(log, nil)) })
	if p.Works() {
		t.Error("it counts as working before it was tried")
	}
	ctx, stop := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { p.Watch(ctx) })
	t.Cleanup(func() {
		stop()
		watching.Wait()
	})
	return p, log
}

// journal is a log that can be read meanwhile.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(data []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(data)
}

func (j *journal) says(text string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Contains(j.text.String(), text)
}

func TestWhatPlaysWorks(t *testing.T) {
	for _, part := range []string{"plays", "chatty", "picky", "once"} {
		p, log := watched(t, part)
		<-p.Tried()
		if !p.Works() {
			t.Errorf("%q has been tried and does not work", part)
		}
		waitFor(func() bool { return log.says("works and is offered") })
	}
}

// What does not work is tried again, and offered once it works.
func TestWhatDoesNotWorkIsTriedAgain(t *testing.T) {
	p, log := watched(t, "lame")
	waitFor(func() bool { return log.says("does not work and is not offered") && len(p.pids()) > 1 })
	if p.Works() {
		t.Error("it works though it cannot")
	}
	if err := os.WriteFile(p.diary+".crutch", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	waitFor(p.Works)
	waitFor(func() bool { return log.says("works and is offered") })
}

func TestWhatNeverAnswersDoesNotWork(t *testing.T) {
	for _, part := range []string{"stillborn", "hang", "garbage", "opens only", "plays 7,7", "crash at move 2", "hangs over stones"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			p, log := watched(t, part)
			waitFor(func() bool { return log.says("does not work and is not offered") })
			if p.Works() {
				t.Error("it works though it cannot")
			}
			if log.says(ErrResting.Error()) {
				t.Error("it was tried while it rested")
			}
			p.Close()
		})
	}
}

// A trial asks as games do, so that who cannot play one is found out.
func TestATrialAsksAsGamesDo(t *testing.T) {
	p, _ := watched(t, "plays")
	<-p.Tried()
	var asked []string
	for _, line := range p.lines(">") {
		if word, _, _ := strings.Cut(line, " "); slices.Contains([]string{"BEGIN", "TURN", "BOARD"}, word) {
			asked = append(asked, word)
		}
	}
	if want := []string{"BEGIN", "TURN", "BOARD"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
}

// What fails now and then works; what fails too often does no longer, though it
// answers in between, until it has rested and stood its trial.
func TestWhatFailsTooOftenIsPutAside(t *testing.T) {
	p, log := watched(t, "plays")
	waitFor(p.Works)
	for n := range enough {
		if !p.Works() {
			t.Fatalf("after %d failures it works no longer", n)
		}
		p.mustThink(square("h8"))
		p.failed(ErrGone)
	}
	if p.Works() {
		t.Error("it is on offer after too many failures")
	}
	if _, err := p.think(square("h8")); !errors.Is(err, ErrResting) || !strings.Contains(err.Error(), ErrGone.Error()) {
		t.Errorf("asked at once: %v, want %v and why", err, ErrResting)
	}
	waitFor(func() bool { return log.says("fails too often and is not offered for a while") })
	asked := len(p.lines(">"))
	waitFor(func() bool { return p.Works() && len(p.lines(">")) > asked }) // by the trial
	p.mustThink(square("h8"))
}

// Nobody has to end the watch over a program that is closed.
func TestTheWatchEndsWithTheProgram(t *testing.T) {
	for part, sign := range map[string]string{"plays": "works and is offered", "stillborn": "does not work and is not offered"} {
		log := new(journal)
		p := cast(t, part, func(c *Config) { c.Log = slog.New(slog.NewTextHandler(log, nil)) })
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			p.Watch(ctx)
		}()
		waitFor(func() bool { return log.says(sign) })
		p.Close()
		<-ended
	}
}
