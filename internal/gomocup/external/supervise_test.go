package external

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

func TestACrashCostsOneAnswer(t *testing.T) {
	p := cast(t, "crash at move 3")
	p.mustThink(square("h8"))
	p.mustThink(square("h8"))
	if _, err := p.think(square("h8")); !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), "exit status 3") {
		t.Fatalf("error %v, want %v with its status", err, ErrGone)
	}
	p.mustThink(square("h8"))
	if pids := p.pids(); len(pids) != 2 {
		t.Errorf("processes %v, want two", pids)
	}
}

func TestWhatKeepsFailingRests(t *testing.T) {
	p := cast(t, "lame")
	for range enough {
		if _, err := p.think(square()); !errors.Is(err, ErrGone) {
			t.Fatal(err)
		}
	}
	if _, err := p.think(square()); !errors.Is(err, ErrResting) {
		t.Fatalf("error %v, want %v", err, ErrResting)
	}
	if err := os.WriteFile(p.diary+".crutch", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	waitFor(func() bool { _, err := p.think(square()); return err == nil })
}

// Failures are forgotten slowly: too many among the latest answers are too many,
// also with good ones between them.
func TestHowManyFailuresAreTooMany(t *testing.T) {
	for answers, want := range map[string]bool{
		"x": false, "xx": false, "xxx": true, "x.x.x": true, "x....x...x": true, "x........xx": false, "x....x....x....x....x": false,
		"xx.........x": false,
	} {
		p := New(Config{})
		for _, a := range answers {
			if a == 'x' {
				p.failed(ErrGone)
			} else {
				p.mu.Lock()
				p.answered(0)
				p.mu.Unlock()
			}
		}
		if rests := !p.resting.IsZero(); rests != want {
			t.Errorf("%s: it rests: %v, want %v", answers, rests, want)
		}
		p.Close()
	}
}

func TestTheRestsGrowUntilItDoesWellForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(Config{})
		defer p.Close()
		fail := func() time.Duration {
			p.failed(ErrGone)
			rest := time.Until(p.resting)
			time.Sleep(rest)
			return rest
		}
		fail()
		fail()
		for n, last := 0, time.Duration(0); n < 20; n++ {
			rest := fail()
			if want := min(max(2*last, firstRest), longestRest); rest != want {
				t.Fatalf("rest %d takes %v, want %v", n, rest, want)
			}
			last = rest
		}
		for range window {
			p.mu.Lock()
			p.answered(0)
			p.mu.Unlock()
		}
		fail()
		fail()
		if rest := fail(); rest != firstRest {
			t.Errorf("after %d good answers it rests %v, want %v", window, rest, firstRest)
		}
	})
}

func TestAProgramThatIsNotThere(t *testing.T) {
	p := cast(t, "nobody", func(c *Config) { c.Path = filepath.Join(t.TempDir(), "nobody") })
	if _, err := p.think(square()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want %v", err, os.ErrNotExist)
	}
	waitFor(func() bool { _, err := p.think(square()); return errors.Is(err, ErrResting) })
}

func TestWhatHangsIsKilledAtTheDeadline(t *testing.T) {
	p := cast(t, "hang")
	_, err := p.Think(t.Context(), square(), ai.Budget{Time: 300 * time.Millisecond})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want %v", err, context.DeadlineExceeded)
	}
	waitFor(func() bool { return !slices.ContainsFunc(p.pids(), func(pid int) bool { return running(t, pid) }) })
}

// Whoever reads the log learns what it said in place of an answer.
func TestWhatASilentProgramSaidBefore(t *testing.T) {
	p := cast(t, "mumbles")
	_, err := p.Think(t.Context(), square(), ai.Budget{Time: 2 * time.Second})
	if !errors.Is(err, ErrLate) {
		t.Fatalf("error %v, want %v", err, ErrLate)
	}
	for _, said := range []string{`"hello"`, `"\x1b[31m;;;"`, `"` + strings.Repeat("x", oddBytes) + `"`} {
		if !strings.Contains(err.Error(), said) {
			t.Errorf("error %v, want %s in it", err, said)
		}
	}
	if strings.Contains(err.Error(), "too much") {
		t.Errorf("error %v", err)
	}
}

func TestACancelledThoughtIsNoFailure(t *testing.T) {
	p := cast(t, "hang")
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		asked := len(p.lines(">"))
		go func() {
			waitFor(func() bool { return slices.Contains(p.lines(">")[min(asked, len(p.lines(">"))):], "BEGIN") })
			cancel()
		}()
		if _, err := p.Think(ctx, square(), ai.Budget{Time: time.Minute}); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v, want %v", err, context.Canceled)
		}
		cancel()
	}
	p.Close()
	if pids := p.pids(); len(pids) != 3 || p.recent != 0 {
		t.Errorf("processes %v, failures %b", pids, p.recent)
	}
}

// A program may take longer to get ready than a move may take: it is not asked
// before it is, and it is not begun anew each time.
func TestASluggishProgramGetsReadyBetweenTheMoves(t *testing.T) {
	p := cast(t, "sluggish")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		waitFor(func() bool { return len(p.lines(">")) > 0 })
		cancel()
	}()
	if _, err := p.Think(ctx, square(), ai.Budget{Time: time.Minute}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
	if err := os.WriteFile(p.diary+".wake", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	waitFor(func() bool { return len(p.idleOnes()) == 1 })
	p.mustThink(square("h8"))
	starts := 0
	for _, line := range p.lines(">") {
		if line == "START 15" {
			starts++
		}
	}
	if pids := p.pids(); len(pids) != 1 || starts != 1 {
		t.Errorf("processes %v, begun %d times", pids, starts)
	}
}

func TestOneThatCannotBeginAgainIsReplaced(t *testing.T) {
	p := cast(t, "once")
	for _, pos := range []ai.Position{square("h8"), square("a1"), square("b2")} {
		p.mustThink(pos)
	}
	if pids := p.pids(); len(pids) != 3 {
		t.Errorf("processes %v, want three", pids)
	}
}

func TestWhoRefusesASizeStillPlaysOnOthers(t *testing.T) {
	p := cast(t, "picky")
	for range 3 {
		if _, err := p.think(position(rules.Freestyle, rules.Size{Width: 20, Height: 20})); !errors.Is(err, ErrRefused) {
			t.Fatalf("error %v, want %v", err, ErrRefused)
		}
	}
	p.mustThink(square())
	if pids := p.pids(); len(pids) != 1 {
		t.Errorf("processes %v, want one", pids)
	}
}

func TestEachWhoAsksHasAProcess(t *testing.T) {
	p := cast(t, "plays", func(c *Config) { c.Processes = 2 })
	var asking sync.WaitGroup
	for range 6 {
		asking.Go(func() {
			for range 5 {
				if _, err := p.think(square("h8")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	asking.Wait()
	if pids := p.pids(); len(pids) > 2 {
		t.Errorf("processes %v, at most two may be", pids)
	}
}

func TestIdleProcessesEnd(t *testing.T) {
	p := cast(t, "plays", func(c *Config) { c.Idle = 10 * time.Millisecond })
	for n := 1; n <= 2; n++ {
		p.mustThink(square())
		waitFor(func() bool {
			return len(p.pids()) == n && !slices.ContainsFunc(p.pids(), func(pid int) bool { return running(t, pid) })
		})
	}
	if ends := slices.DeleteFunc(p.lines(">"), func(line string) bool { return line != "END" }); len(ends) != 2 {
		t.Errorf("it was told to end %d times, want 2", len(ends))
	}
}

func TestClosing(t *testing.T) {
	p := cast(t, "hang")
	thinking := make(chan error)
	go func() {
		_, err := p.think(square())
		thinking <- err
	}()
	waitFor(func() bool { return slices.Contains(p.lines(">"), "BEGIN") })
	for range 2 {
		p.Close()
	}
	if err := <-thinking; err == nil {
		t.Error("who was asking was answered")
	}
	if _, err := p.think(square()); !errors.Is(err, ErrClosed) {
		t.Errorf("error %v, want %v", err, ErrClosed)
	}
}

func TestWhatItLearnsOfUs(t *testing.T) {
	t.Setenv("GOMOKUD_SECRET", "not for everybody")
	p := cast(t, "environment")
	p.mustThink(square())
	folder := p.lines("folder")[0]
	if told := p.lines(">"); !slices.Contains(told, "INFO folder "+folder) {
		t.Errorf("it works in %s, but was told %q", folder, told)
	}
	if env := p.lines("environment")[0]; strings.Contains(env, "SECRET") || !strings.Contains(env, "PATH=") {
		t.Errorf("environment %s", env)
	}
	p.Close()
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder is left: %v", err)
	}
}
