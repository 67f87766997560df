package brain

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gomokud/internal/ai"
)

// thorough thinks as long as it may, and then knows the first point.
func thorough(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
	<-ctx.Done()
	return first(ctx, p, b)
}

// stubborn thinks for an hour, whatever happens.
func stubborn(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
	time.Sleep(time.Hour)
	return first(ctx, p, b)
}

// homecoming waits until a stubborn engine has come back.
func homecoming() { time.Sleep(2 * time.Hour) }

// tolerance is how much later than its limit no answer may be.
const tolerance = 10 * time.Millisecond

// TestLimits: an answer is never late, and the time that there is gets used.
func TestLimits(t *testing.T) {
	const unlimited = "INFO time_left 2147483647"
	for _, c := range []struct {
		told        string
		least, most time.Duration // for the first move on 15x15
	}{
		{"INFO timeout_turn 20", 15 * time.Millisecond, 20 * time.Millisecond},
		{"INFO timeout_turn 200", 180 * time.Millisecond, 200 * time.Millisecond},
		{"INFO timeout_turn 5000", 4900 * time.Millisecond, 5 * time.Second},
		{"INFO timeout_turn 5000\n" + unlimited, 4900 * time.Millisecond, 5 * time.Second},
		{"INFO timeout_turn 0", 0, tolerance},
		{"INFO timeout_turn -1", 0, tolerance},
		{"INFO timeout_turn 5000\nINFO time_left 0", 0, tolerance},
		{"INFO timeout_turn 5000\nINFO time_left -300", 0, tolerance},
		{"INFO timeout_turn 5000\nINFO time_left 60000", time.Second, 3 * time.Second},
		{"INFO timeout_turn 100\nINFO time_left 60000", 90 * time.Millisecond, 100 * time.Millisecond},
		{"INFO timeout_turn 5000\nINFO timeout_match 60000", time.Second, 3 * time.Second},
		{"INFO timeout_turn 5000\nINFO timeout_match 0", 4900 * time.Millisecond, 5 * time.Second},
		{"INFO timeout_turn 5000\nINFO timeout_match 60000\n" + unlimited, 4900 * time.Millisecond, 5 * time.Second},
		{"INFO time_left 3000", 50 * time.Millisecond, 300 * time.Millisecond},
		{"INFO timeout_turn never", 100 * time.Millisecond, 5 * time.Second}, // and what nobody told
		{"INFO max_node 1000000", 10 * time.Second, 2 * time.Minute},
		{"INFO timeout_turn 99999999999999999999\nINFO time_left 99999999999", 24 * time.Hour, 1e4 * time.Hour},
	} {
		for name, think := range map[string]engine{"thorough": thorough, "stubborn": stubborn} {
			t.Run(strings.ReplaceAll(c.told, "\n", ", ")+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := talkTo(t, config(think))
					m.ask(strings.Split("START 15\n"+c.told, "\n")...)
					homecoming() // from the making of the board
					began := time.Now()
					m.ask("BEGIN")
					took, least, most := time.Since(began), c.least, c.most
					if name == "stubborn" {
						least = min(least, time.Hour)
						most = max(most, tolerance) + tolerance
					}
					if took < least || took > most {
						t.Errorf("it took %v, want %v to %v", took, least, most)
					}
					m.end()
					homecoming()
				})
			})
		}
	}
}

// TestAGameWithinItsTime: the time of a match suffices for a full board.
func TestAGameWithinItsTime(t *testing.T) {
	for _, c := range []struct {
		name string
		tell func(left time.Duration) string
	}{
		{"time_left", func(left time.Duration) string { return fmt.Sprint("INFO time_left ", left.Milliseconds()) }},
		{"timeout_match", func(time.Duration) string { return "INFO timeout_match 10000" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := talkTo(t, config(engine(thorough)))
				m.ask("START 15")
				m.say("INFO timeout_turn 1000")
				free := map[string]bool{}
				for i := range 225 {
					free[fmt.Sprintf("%d,%d", i%15, i/15)] = true
				}
				left := 10 * time.Second
				for len(free) > 1 {
					m.say(c.tell(left))
					time.Sleep(time.Second) // the opponent's
					theirs := ""
					for theirs = range free {
						break
					}
					delete(free, theirs)
					began := time.Now()
					ours := m.ask("TURN " + theirs)
					left -= time.Since(began)
					if !free[ours] {
						t.Fatalf("%s is not free", ours)
					}
					delete(free, ours)
				}
				if left < 0 {
					t.Errorf("%v over its time", -left)
				}
				m.end()
			})
		})
	}
}

// TestWaiting: a manager that sends more before it has the answer gets all the
// answers, each in the time of a turn.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := talkTo(t, config(engine(thorough)))
		m.ask("START 15")
		began := time.Now()
		m.say("INFO timeout_turn 1000", "BEGIN", "TURN 7,7", "INFO timeout_turn 3000", "ABOUT", "TURN 8,8")
		for _, want := range []struct {
			line string
			at   time.Duration
		}{
			{"0,0", time.Second},
			{"1,0", 2 * time.Second},
			{`name="first", version="1", author="gomokud", country="everywhere"`, 2 * time.Second},
			{"2,0", 5 * time.Second},
		} {
			line, at := m.hear(), time.Since(began)
			if line != want.line || at > want.at || at < want.at-100*time.Millisecond {
				t.Errorf("%q after %v, want %q by %v", line, at, want.line, want.at)
			}
		}
		m.end()
	})
}

// TestStop: STOP ends the thinking, not the answer.
func TestStop(t *testing.T) {
	for _, word := range []string{"STOP", "YXSTOP", "yxstop"} {
		for name, think := range map[string]engine{"thorough": thorough, "stubborn": stubborn} {
			t.Run(word+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := talkTo(t, config(think))
					m.ask("START 15", "INFO timeout_turn 2000000")
					homecoming()
					m.say(word) // nobody thinks
					m.say("BEGIN")
					time.Sleep(time.Minute)
					began := time.Now()
					m.ask("ABOUT", word)
					if took := time.Since(began); took > 50*time.Millisecond {
						t.Errorf("it took %v to stop", took)
					}
					if line := m.hear(); !strings.HasPrefix(line, "name=") {
						t.Errorf("then it says %q", line)
					}
					m.end()
					homecoming()
				})
			})
		}
	}
}

// TestTheEnd: it is over at once, also while the engine thinks; what was asked
// before is answered if that can be.
func TestTheEnd(t *testing.T) {
	for _, c := range []struct {
		name    string
		end     func(m *manager)
		think   engine
		answers string
	}{
		{"END", func(m *manager) { m.say("END") }, thorough, "0,0 1,0"},
		{"END and more", func(m *manager) { m.say("END", "ABOUT") }, thorough, "0,0 1,0"},
		{"end of input", func(m *manager) { m.in.Close() }, thorough, "0,0 1,0"},
		{"input breaks", func(m *manager) { m.in.CloseWithError(io.ErrUnexpectedEOF) }, thorough, "0,0 1,0"},
		{"END to the stubborn", func(m *manager) { m.say("END") }, stubborn, "7,7 7,9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := talkTo(t, config(c.think))
				m.ask("START 15", "INFO timeout_turn 2000000")
				homecoming()
				m.say("BEGIN", "TURN 7,8")
				time.Sleep(time.Minute)
				began := time.Now()
				go c.end(m) // nobody may listen to all of it
				var heard []string
				for line := range m.lines {
					if !strings.HasPrefix(line, "MESSAGE ") {
						heard = append(heard, line)
					}
				}
				if took := time.Since(began); took > 100*time.Millisecond {
					t.Errorf("it took %v", took)
				}
				if got := strings.Join(heard, " "); got != c.answers {
					t.Errorf("it says %q, want %q", got, c.answers)
				}
				if m.err != nil {
					t.Error(m.err)
				}
				m.in.Close()
				homecoming()
			})
		})
	}
}

// TestInterrupted: the end of its context is the end.
func TestInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in, send := io.Pipe()
		defer send.Close()
		time.AfterFunc(time.Minute, cancel)
		began := time.Now()
		if err := Run(ctx, config(engine(thorough)), in, io.Discard); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != time.Minute {
			t.Errorf("it took %v", took)
		}
	})
}

// TestDeaf: a manager that reads nothing, or has gone, holds nothing up.
func TestDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listen, out := io.Pipe()
		began := time.Now()
		if err := Run(t.Context(), config(engine(first)), strings.NewReader("START 15\nBEGIN\nEND\n"), out); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > lastWords {
			t.Errorf("it took %v", took)
		}
		listen.Close()

		in, send := io.Pipe()
		defer send.Close()
		go io.WriteString(send, "START 15\n")
		if err := Run(t.Context(), config(engine(first)), in, out); err == nil {
			t.Error("nobody listens, and it is not told")
		}
	})
}

// TestLateEngine: while the engine still thinks about the last position,
// something else answers; when it is back it goes on.
func TestLateEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, asked := 0, 0
		cfg := config(nil)
		cfg.New = func(Settings) ai.Engine {
			made++
			return engine(func(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
				if b.Nodes != 1 { // it is for warming up
					asked++
				}
				if asked == 1 {
					return stubborn(ctx, p, b)
				}
				return first(ctx, p, b)
			})
		}
		m := talkTo(t, cfg)
		m.ask("START 15", "INFO timeout_turn 100")
		for _, move := range []string{"TURN 7,7", "TURN 7,9"} {
			began := time.Now()
			if got := m.ask(move); got == "0,0" {
				t.Error("the engine is not late")
			}
			if took := time.Since(began); took > 100*time.Millisecond+tolerance {
				t.Errorf("it took %v", took)
			}
		}
		time.Sleep(time.Hour - 250*time.Millisecond) // it will be back in the midst of the turn
		if got := m.ask("TURN 9,9"); got != "0,0" {
			t.Errorf("it answers %s; has the engine not come back?", got)
		}
		if got := m.ask("INFO hash_size 4096", "TURN 9,3"); got != "1,0" {
			t.Errorf("the next engine answers %s", got)
		}
		if made != 2 {
			t.Errorf("%d engines were made", made)
		}
		m.end()
	})
}
