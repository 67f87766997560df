package boltstore_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gomokud/internal/store"
	"gomokud/internal/store/boltstore"
	"gomokud/internal/store/storetest"
)

// crashDir, in the environment, makes this test binary the child that is
// killed: see TestKillDashNine.
const crashDir = "BOLTSTORE_CRASH_DIR"

const crashRooms = 16

// A child process appends to some rooms and prints each version once it is
// acknowledged, until it is killed. Whatever it printed must be there.
func TestKillDashNine(t *testing.T) {
	if dir := os.Getenv(crashDir); dir != "" {
		appendForever(t, dir)
		return
	}
	dir := t.TempDir()
	acknowledged := make([]int, crashRooms)
	for round := range 5 {
		lines := 300 * (round + 1)
		killAfter(t, dir, lines, acknowledged)
		s, err := boltstore.Open(dir, crashOptions)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for r := range crashRooms {
			room := roomName(r)
			tail, err := s.Read(t.Context(), room, 0)
			if err != nil && !errors.Is(err, store.ErrNotFound) || tail.Version < acknowledged[r] {
				t.Fatalf("round %d: room %s has %d events, %d were acknowledged, %v", round, room, tail.Version, acknowledged[r], err)
			}
			if tail.Version > 0 {
				storetest.CheckLog(t, s, room, tail.Version)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// The journal is short, so that the kill may hit its moving on, too.
var crashOptions = boltstore.Options{JournalBytes: 8 << 10}

// killAfter runs a child, kills it after so many lines, and reads the rest.
func killAfter(t *testing.T, dir string, lines int, acknowledged []int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKillDashNine$", "-test.v")
	cmd.Env = append(os.Environ(), crashDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for in := bufio.NewScanner(out); in.Scan(); {
		line := in.Text()
		var r, version int
		if n, _ := fmt.Sscanf(line, "room %d version %d.", &r, &version); n != 2 || !strings.HasSuffix(line, ".") {
			if strings.Contains(line, "FAIL") || strings.Contains(line, "_test.go") {
				t.Errorf("the child says: %s", line)
			}
			continue
		}
		acknowledged[r] = max(acknowledged[r], version)
		if seen++; seen == lines {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait() // it was killed
	if seen < lines {
		t.Fatalf("the child ended after %d appends", seen)
	}
}

// appendForever is the child.
func appendForever(t *testing.T, dir string) {
	s, err := boltstore.Open(dir, crashOptions)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var wg sync.WaitGroup
	for r := range crashRooms {
		wg.Go(func() {
			room := roomName(r)
			tail, err := s.Read(t.Context(), room, 1<<30)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				t.Error(err)
				return
			}
			for v := tail.Version; v < 1_000_000; v++ {
				c := store.Commit{Room: room, Expected: v, Events: storetest.Events(room, v, v+1)}
				if err := s.Append(t.Context(), c); err != nil {
					t.Error(err)
					return
				}
				// One write is one line, and a killed process cannot take it back.
				fmt.Fprintf(os.Stdout, "room %d version %d.\n", r, v+1)
			}
		})
	}
	wg.Wait()
}

// With no room for more bytes, appends fail without a trace; when there is
// room again, they work again.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, boltstore.Options{JournalBytes: 64 << 10})
	version := 0
	appendOne := func() error {
		err := s.Append(t.Context(), store.Commit{
			Room: "r", Expected: version, Events: [][]byte{storetest.Event("r", version)}, Index: &store.Index{Live: true},
		})
		if err == nil {
			version++
		}
		return err
	}
	for range 100 {
		if err := appendOne(); err != nil {
			t.Fatal(err)
		}
	}
	lift := limitFileSize(t, filepath.Join(dir, "journal-0"))
	var err error
	fill := 0
	for ; err == nil && fill < 1000; fill++ {
		err = s.Append(t.Context(), store.Commit{Room: "fill", Expected: fill, Events: [][]byte{make([]byte, 1<<20)}})
	}
	if !errors.Is(err, store.ErrUnavailable) {
		t.Fatalf("with a full disk: %v after %d MiB", err, fill)
	}
	for range 100 { // a few may find room between what is there
		if err := appendOne(); err != nil && !errors.Is(err, store.ErrUnavailable) {
			t.Fatalf("with a full disk: %v", err)
		}
		storetest.CheckLog(t, s, "r", version)
	}
	if _, err := s.Beat(t.Context(), 1000, time.Second); err != nil && !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("beat with a full disk: %v", err)
	}
	lift()
	for range 100 {
		if err := appendOne(); err != nil {
			t.Fatalf("with room on the disk again: %v", err)
		}
	}
	storetest.CheckLog(t, s, "r", version)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	storetest.CheckLog(t, open(t, dir, boltstore.Options{}), "r", version)
}

// limitFileSize keeps this process from making any file longer than this one
// is. No other test may run meanwhile.
func limitFileSize(t *testing.T, path string) (lift func()) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ) // then the write fails instead
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	set := func(cur uint64) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: cur, Max: old.Max}); err != nil {
			t.Fatalf("limit the size of files: %v", err)
		}
	}
	set(uint64(info.Size()))
	lift = sync.OnceFunc(func() {
		set(old.Cur)
		signal.Reset(syscall.SIGXFSZ)
	})
	t.Cleanup(lift)
	return lift
}
