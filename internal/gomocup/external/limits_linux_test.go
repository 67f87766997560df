package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gomokud/internal/ai"
)

func TestTheLimitsOfAProcess(t *testing.T) {
	p := cast(t, "plays", func(c *Config) { c.Memory = 1 << 40 })
	p.mustThink(square())
	pid := p.pids()[0]
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"Max data size": "1099511627776", "Max file size": "67108864", "Max core file size": "0"} {
		_, line, _ := strings.Cut(string(text), name)
		if fields := strings.Fields(line); len(fields) < 2 || fields[0] != want || fields[1] != want {
			t.Errorf("%s: %q, want %s", name, fields, want)
		}
	}
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil || len(threads) == 0 {
		t.Fatalf("threads %v, %v", threads, err)
	}
	for _, name := range threads {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(rest) // from the third on, the state
		if group, nice := fields[2], fields[16]; group != fmt.Sprint(pid) || nice != "19" {
			t.Errorf("%s: group %s and niceness %s, want %d and 19", name, group, nice, pid)
		}
	}
}

// A shell as a program: it takes twice the memory again and again.
func TestAProgramThatEatsMemoryEnds(t *testing.T) {
	glutton := `while read -r line; do case $line in
		START*) echo OK;;
		BEGIN*) x=xxxxxxxx; while :; do x=$x$x; done;;
	esac; done`
	p := cast(t, "glutton", func(c *Config) {
		c.Path, c.Args, c.Memory = "/bin/sh", []string{"-c", glutton}, 64<<20
	})
	if _, err := p.think(square()); !errors.Is(err, ErrGone) {
		t.Errorf("error %v, want %v", err, ErrGone)
	}
}

func TestTheChildrenOfAProcessEndWithIt(t *testing.T) {
	p := cast(t, "mother")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		waitFor(func() bool { return len(p.pids()) == 2 })
		cancel()
	}()
	if _, err := p.Think(ctx, square(), ai.Budget{Time: time.Minute}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
	waitFor(func() bool { return !slices.ContainsFunc(p.pids(), func(pid int) bool { return running(t, pid) }) })
}

// Minds give their threads up when they end; no process may end with one.
func TestAProcessOutlivesTheThreadThatAsked(t *testing.T) {
	p := cast(t, "plays")
	var proc *process
	thread := onAThread(func() {
		var err error
		if proc, err = p.take(); err != nil {
			t.Error(err)
		}
	})
	if t.Failed() {
		return
	}
	waitFor(func() bool {
		_, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", thread))
		return err != nil
	})
	if err := p.put(proc, true, nil); err != nil {
		t.Fatal(err)
	}
	p.mustThink(square("h8"))
	if pids := p.pids(); len(pids) != 1 {
		t.Errorf("processes %v, want one", pids)
	}
}

// onAThread runs fn on a thread that ends after it, and returns its id.
func onAThread(fn func()) (id int) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good
		if id = unix.Gettid(); id == os.Getpid() {
			id = onAThread(fn) // the first thread does not end
			runtime.UnlockOSThread()
			return
		}
		fn()
	}()
	<-done
	return id
}

// Even if we are killed. A program that heeds neither END nor the end of its
// input would otherwise stay for ever.
func TestNoProcessOutlivesUs(t *testing.T) {
	p := player{t: t, diary: filepath.Join(t.TempDir(), "diary")}
	manager := exec.Command(os.Args[0], manage, "deaf", p.diary)
	manager.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	out, err := manager.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := manager.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "<nil>\n" {
		t.Errorf("it answers %q, %v", line, err)
	}
	if pids := p.pids(); len(pids) != 1 || !running(t, pids[0]) {
		t.Errorf("processes %v, want one that runs", pids)
	}
	manager.Process.Kill()
	manager.Wait()
	waitFor(func() bool { return !running(t, p.pids()[0]) })
}

func TestWhatTheDeadLeftIsTidiedUp(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	p := cast(t, "environment")
	p.mustThink(square())
	mine := p.lines("folder")[0]
	folder := func(name string) string {
		dir := filepath.Join(os.TempDir(), name)
		if err := os.MkdirAll(filepath.Join(dir, "book"), 0o700); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	left, fresh, other := folder(folders+"left"), folder(folders+"fresh"), folder("gomokud-else")
	for _, dir := range []string{mine, left, other} {
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := Tidy(); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{mine: true, left: false, fresh: true, other: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(dir), err == nil, want)
		}
	}
}
