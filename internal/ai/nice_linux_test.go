package ai

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gomokud/internal/rules"
)

// niceOf reads the nice value out of a thread's stat file.
func niceOf(t *testing.T, stat string) string {
	t.Helper()
	text, err := os.ReadFile(stat)
	if os.IsNotExist(err) {
		return "" // the thread has ended
	}
	if err != nil {
		t.Log(err) // it ends just now
		return ""
	}
	_, fields, _ := strings.Cut(string(text), ") ") // after pid and name
	return strings.Fields(fields)[16]
}

// niced counts the threads of this process that have the engines' priority.
func niced(t *testing.T) (n int) {
	t.Helper()
	threads, err := filepath.Glob("/proc/self/task/*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, stat := range threads {
		if niceOf(t, stat) == fmt.Sprint(niceness) {
			n++
		}
	}
	return n
}

func TestOnlyEnginesHaveTheirPriorityAndTheirThreadEnds(t *testing.T) {
	if niceOf(t, "/proc/thread-self/stat") != "0" {
		t.Skip("the tests themselves run at another priority")
	}
	awaitNoneNiced(t) // those of other tests
	during := make(chan int)
	own := make(chan string, 1)
	think := engine(func(context.Context, Position, Budget) (Thought, error) {
		own <- niceOf(t, "/proc/thread-self/stat")
		during <- niced(t)
		return Thought{Move: tengen}, nil
	})
	p := NewPool(PoolConfig{Workers: 1, Engines: map[string]func() Engine{"engine": func() Engine { return think }}})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- p.Run(ctx) }()

	answered := make(chan string, 1)
	pos := Position{Size: rules.Size{Width: 15, Height: 15}, ToMove: rules.Black}
	err := p.Submit(Job{Room: "r", Bot: "engine", Position: pos}, func(Answer) {
		answered <- niceOf(t, "/proc/thread-self/stat")
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := <-own, fmt.Sprint(niceness); got != want {
		t.Errorf("the engine thinks at %s, want %s", got, want)
	}
	if got := <-during; got != 1 {
		t.Errorf("%d threads have the engines' priority, want 1", got)
	}
	if got := <-answered; got != "0" {
		t.Errorf("the answer is given at %s, want 0", got)
	}
	stop()
	<-done
	awaitNoneNiced(t)
}

// awaitNoneNiced waits for the threads of minds that have ended: the system
// takes them down a moment later.
func awaitNoneNiced(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); niced(t) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d threads kept the engines' priority", niced(t))
		}
	}
}
