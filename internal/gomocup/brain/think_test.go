package brain

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// TestFailures: whatever an engine does, there is a legal move, and a message
// that says what was wrong; the next engine is a new one.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name  string
		think engine
		says  string // no message if empty
	}{
		{"panics", func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) { panic("at\nthe\ndisco") }, "panicked"},
		{"errs", func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) {
			return ai.Thought{}, errors.New("out of ideas")
		}, "out of ideas"},
		{"plays where a stone is", func(_ context.Context, p ai.Position, _ ai.Budget) (ai.Thought, error) {
			return ai.Thought{Move: p.Stones[0].Point}, nil
		}, "not legal"},
		{"plays off the board", func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) {
			return ai.Thought{Move: rules.Point{X: -1, Y: 99}}, nil
		}, "not legal"},
		{"says that there is no move", func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) {
			return ai.Thought{}, ai.ErrNoMove
		}, "no legal move"},
		{"had no time", func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) {
			return ai.Thought{}, context.DeadlineExceeded
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			made := 0
			cfg := config(nil)
			cfg.New = func(Settings) ai.Engine { made++; return c.think }
			m := talkTo(t, cfg)
			m.ask("START 15")
			before := made
			m.say("TURN 7,7")
			line := <-m.lines
			if c.says != "" {
				if !strings.HasPrefix(line, "MESSAGE first failed, and something simpler moves for it: ") || !strings.Contains(line, c.says) {
					t.Errorf("it says %q", line)
				}
				line = <-m.lines
			}
			if line != "7,8" {
				t.Errorf("it plays %q", line)
			}
			m.ask("TURN 0,0")
			if c.says != "" && made == before {
				t.Error("the engine that failed goes on")
			}
			m.end()
		})
	}
}

// TestSpare: where an engine fails, another has thought about the position too.
func TestSpare(t *testing.T) {
	broken := engine(func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) { panic("again") })
	for _, c := range []struct {
		name  string
		spare engine
		want  string
	}{
		{"fine", first, "0,0"},
		{"broken too", broken, "7,8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := config(broken)
			cfg.Spare = func() ai.Engine { return c.spare }
			m := talkTo(t, cfg)
			m.ask("START 15", "INFO timeout_turn 60000")
			if got := m.ask("TURN 7,7"); got != c.want {
				t.Errorf("it plays %s, want %s", got, c.want)
			}
			m.end()
		})
	}
}

// TestAnEngineThatCannotBeMade is no end either.
func TestAnEngineThatCannotBeMade(t *testing.T) {
	cfg := config(nil)
	cfg.New = func(Settings) ai.Engine { panic("no memory") }
	m := talkTo(t, cfg)
	if got := m.ask("START 15"); got != "OK" {
		t.Errorf("START: %q", got)
	}
	if got := m.ask("BEGIN"); got != "7,7" {
		t.Errorf("BEGIN: %q", got)
	}
	m.end()
}

// TestNoPoint: without a legal point Black answers with a forbidden one, and
// without any point there is no move. Black would make six where the last one is.
func TestNoPoint(t *testing.T) {
	board := []string{"START 6", "INFO rule 4", "BOARD"}
	for i := range 36 {
		x, y := i%6, i/6
		switch {
		case x == 2 && y == 0:
		case y == 0:
			board = append(board, fmt.Sprintf("%d,%d,1", x, y))
		default:
			board = append(board, fmt.Sprintf("%d,%d,2", x, y))
		}
	}
	m := talkTo(t, config(engine(first)))
	m.ask(board[0])
	if got := m.ask(append(board[1:], "DONE")...); got != "2,0" {
		t.Errorf("Black: %q", got)
	}
	board[1] = "INFO rule 0"
	if got := m.ask(append(board[1:], "DONE")...); got != "2,0" {
		t.Errorf("freestyle: %q", got)
	}
	if got := m.ask("TURN 2,0"); got != `ERROR "2,0": there is a stone already` {
		t.Errorf("full: %q", got)
	}
	m.end()
}

// analyst reports two lines, then as many as it was asked for, and stops.
type analyst struct {
	engine
	err error
}

func (a analyst) Analyse(ctx context.Context, p ai.Position, _ ai.Budget, lines int, report func(ai.Analysis)) error {
	var best ai.Analysis
	for x := range int8(lines) {
		best.Lines = append(best.Lines, ai.Line{
			Moves: []rules.Point{{X: x, Y: 3}, {X: x, Y: 4}}, Score: 100 - int(x), Mate: int(x / 2 * 7),
		})
	}
	for depth := 1; depth <= 2; depth++ {
		best.Depth, best.Nodes, best.Time = depth, int64(depth)*123456, time.Duration(depth)*time.Second
		report(best)
	}
	best.Lines[0].Moves[0] = rules.Point{X: 9, Y: 9} // it is ours again
	return a.err
}

// TestBestLines: YXNBEST tells the best lines and plays the best.
func TestBestLines(t *testing.T) {
	m := talkTo(t, config(analyst{engine: first}))
	m.ask("START 15")
	m.say("YXNBEST 3")
	for _, want := range []string{
		"MESSAGE (1) 100 | Depth 1 | A4 A5",
		"MESSAGE (2) 99 | Depth 1 | B4 B5",
		"MESSAGE (3) +M7 | Depth 1 | C4 C5",
		"MESSAGE Depth 1 | Node 123K | Time 1000ms",
		"MESSAGE (1) 100 | Depth 2 | A4 A5",
		"MESSAGE (2) 99 | Depth 2 | B4 B5",
		"MESSAGE (3) +M7 | Depth 2 | C4 C5",
		"MESSAGE Depth 2 | Node 246K | Time 2000ms",
	} {
		if got := <-m.lines; got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	if got := m.hear(); got != "0,11" {
		t.Errorf("it plays %s", got)
	}
	if got := m.ask("BEGIN"); got != "ERROR it is not my turn" {
		t.Errorf("then BEGIN: %s", got)
	}
	// An engine that is none just thinks.
	m.end()
	m = talkTo(t, config(engine(first)))
	m.ask("START 15")
	if got := m.ask("YXNBEST 3"); got != "0,0" {
		t.Errorf("no analyst plays %s", got)
	}
	m.end()
	m = talkTo(t, config(analyst{engine: first, err: errors.New("out of ideas")}))
	m.ask("START 15")
	if got := m.ask("YXNBEST 1"); got != "7,7" {
		t.Errorf("an analyst that fails plays %s", got)
	}
	m.end()
}

// TestWhatTheAnswerRestsOn is told if the engine has searched.
func TestWhatTheAnswerRestsOn(t *testing.T) {
	thought := ai.Thought{Score: -42, Depth: 9, Nodes: 12_345_678}
	m := talkTo(t, config(engine(func(_ context.Context, p ai.Position, _ ai.Budget) (ai.Thought, error) {
		answer := thought
		answer.Move = rules.Point{X: int8(len(p.Stones)), Y: 0}
		answer.Line = []rules.Point{answer.Move, {X: 14, Y: 14}}
		return answer, nil
	})))
	m.ask("START 15")
	m.say("INFO show_detail 0", "BEGIN")
	if got := <-m.lines; !strings.HasPrefix(got, "MESSAGE Depth 9 | Eval -42 | Node 12M | Time ") {
		t.Errorf("it says %q", got)
	}
	if got := <-m.lines; got != "0,14" {
		t.Errorf("it plays %q", got)
	}
	thought = ai.Thought{Mate: -6, Depth: 7, Nodes: 999}
	m.say("INFO show_detail 1", "TURN 5,5")
	if got := <-m.lines; !strings.HasPrefix(got, "MESSAGE Depth 7 | Eval -M6 | Node 999 | Time ") {
		t.Errorf("it says %q", got)
	}
	if got := <-m.lines; got != "MESSAGE Bestline C1 O15" {
		t.Errorf("it says %q", got)
	}
	if got := <-m.lines; got != "2,14" {
		t.Errorf("it plays %q", got)
	}
	m.end()
}

// forgetful counts what is forgotten.
type forgetful struct {
	engine
	times *int
}

func (f forgetful) Forget() { *f.times++ }

// TestForgetting: a new game is a new game, and a move is not.
func TestForgetting(t *testing.T) {
	times := 0
	m := talkTo(t, config(forgetful{first, &times}))
	m.ask("START 15")
	for _, c := range []struct {
		lines   []string
		forgets bool
	}{
		{[]string{"BEGIN"}, false},
		{[]string{"TURN 7,7"}, false},
		{[]string{"RESTART"}, true},
		{[]string{"TURN 7,7"}, false},
		{[]string{"BOARD", "7,7,2", "DONE"}, false},
		{[]string{"START 15"}, true},
		{[]string{"YXHASHCLEAR", "ABOUT"}, true},
	} {
		before := times
		m.ask(c.lines...)
		if (times > before) != c.forgets {
			t.Errorf("%q: forgets %d times", c.lines, times-before)
		}
	}
	m.end()
}

// TestBudgets: what the manager allows a search comes to the engine.
func TestBudgets(t *testing.T) {
	var asked []ai.Budget
	cfg := config(engine(func(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
		asked = append(asked, b)
		return first(ctx, p, b)
	}))
	seed := uint64(0)
	cfg.Seed = func() uint64 { seed++; return seed }
	m := talkTo(t, cfg)
	budget := func(lines ...string) ai.Budget {
		m.ask(lines...)
		return asked[len(asked)-1]
	}
	m.ask("START 15")
	if b := budget("BEGIN"); b.Nodes != 0 || b.Depth != 0 || b.Seed != 1 {
		t.Errorf("at first %+v", b)
	}
	if b := budget("INFO max_node 5000", "INFO max_depth 7", "TURN 7,7"); b.Nodes != 5000 || b.Depth != 7 || b.Seed != 1 {
		t.Errorf("then %+v", b)
	}
	m.ask("RESTART")
	if b := budget("INFO max_node 0", "INFO max_depth -1", "TURN 7,7"); b.Nodes != 0 || b.Depth != 0 || b.Seed != 2 {
		t.Errorf("in the end %+v", b)
	}
	m.end()
}

// TestSettings: an engine gets what the manager allows, and a new one is made
// only if that has changed.
func TestSettings(t *testing.T) {
	const kib, mib = 1 << 10, 1 << 20
	for _, c := range []struct {
		name   string
		told   []string
		memory [2]int64 // at least and at most
		made   int
	}{
		{"nothing", nil, [2]int64{64 * mib, 64 * mib}, 1},
		{"plenty", []string{"INFO max_memory 1000000000"}, [2]int64{64 * mib, 64 * mib}, 1},
		{"no limit", []string{"INFO max_memory 0"}, [2]int64{64 * mib, 64 * mib}, 1},
		{"little", []string{"INFO max_memory 83886080"}, [2]int64{8 * mib, 40 * mib}, 2},
		{"next to nothing", []string{"INFO max_memory 1"}, [2]int64{1, mib}, 2},
		{"a table", []string{"INFO hash_size 2048"}, [2]int64{2 * mib, 2 * mib}, 2},
		{"a huge table", []string{"INFO hash_size 9999999999999999999999"}, [2]int64{64 * mib, 1024 * mib}, 2},
		{"a table that is too large", []string{"INFO hash_size 999999", "INFO max_memory 83886080"}, [2]int64{8 * mib, 40 * mib}, 2},
		{"one thread", []string{"INFO thread_num 1"}, [2]int64{64 * mib, 64 * mib}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var made []Settings
			cfg := config(nil)
			cfg.New = func(s Settings) ai.Engine { made = append(made, s); return engine(first) }
			m := talkTo(t, cfg)
			m.ask("START 15")
			m.ask(append(c.told, "BEGIN")...)
			m.ask("TURN 7,7")
			m.ask("RESTART")
			m.end()
			// Each INFO may come alone, and change things in between.
			if len(made) < c.made || len(made) > max(c.made, 1+len(c.told)) {
				t.Errorf("%d engines %+v", len(made), made)
			}
			last := made[len(made)-1]
			if last.Memory < c.memory[0] || last.Memory > c.memory[1] || last.Threads != 1 {
				t.Errorf("the last has %+v", last)
			}
		})
	}
}
