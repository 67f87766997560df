package external

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"gomokud/internal/ai"
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
	for _, part := range []string{"plays 7,7", "chatty", "picky"} {
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
	for _, part := range []string{"stillborn", "hang", "garbage"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			p, log := watched(t, part)
			waitFor(func() bool { return log.says("does not work and is not offered") })
			if p.Works() {
				t.Error("it works though it cannot")
			}
			p.Close()
		})
	}
}

// What fails now and then works; what fails again and again does no longer.
func TestWhatWorksNoLongerIsFoundOut(t *testing.T) {
	p, _ := watched(t, "plays 7,7")
	waitFor(p.Works)
	for n := range enough {
		if !p.Works() {
			t.Fatalf("after %d failures it works no longer", n)
		}
		p.failed(ErrGone)
	}
	asked := len(p.lines(">"))
	waitFor(func() bool { return p.Works() && len(p.lines(">")) > asked }) // by the trial
	if _, err := p.Think(t.Context(), square(), ai.Budget{Time: time.Minute}); err != nil {
		t.Error(err)
	}
}

// Nobody has to end the watch over a program that is closed.
func TestTheWatchEndsWithTheProgram(t *testing.T) {
	for part, sign := range map[string]string{"plays 7,7": "works and is offered", "stillborn": "does not work and is not offered"} {
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
