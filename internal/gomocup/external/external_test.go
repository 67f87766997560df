package external

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// player is a program with a part to play, and its diary.
type player struct {
	*Program
	t     *testing.T
	diary string
}

// cast starts a program in a part. When the test ends it is closed, and no
// process may be left.
func cast(t *testing.T, part string, change ...func(*Config)) player {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := player{t: t, diary: filepath.Join(t.TempDir(), "diary")}
	cfg := Config{
		Name: part, Log: slog.New(slog.DiscardHandler),
		// With the detector of races Go otherwise takes a second to exit.
		Path: "/usr/bin/env", Args: []string{"GORACE=atexit_sleep_ms=0", self, actAs, part, p.diary},
	}
	for _, c := range change {
		c(&cfg)
	}
	p.Program = New(cfg)
	t.Cleanup(func() {
		p.Close()
		for _, pid := range p.pids() {
			if running(t, pid) {
				t.Errorf("process %d of %q is left", pid, part)
			}
		}
	})
	return p
}

// lines are those of the diary that begin with a word, without it.
func (p player) lines(word string) []string {
	text, err := os.ReadFile(p.diary)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		p.t.Fatal(err)
	}
	var found []string
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), word+" "); ok {
			found = append(found, rest)
		}
	}
	return found
}

// pids are the processes that were started in the part.
func (p player) pids() []int {
	var pids []int
	for _, line := range p.lines("pid") {
		var pid int
		if _, err := fmt.Sscan(line, &pid); err != nil {
			p.t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// idleOnes are the processes that wait for a question.
func (p player) idleOnes() []*process {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.idle)
}

// think asks in a position with time enough for a busy machine.
func (p player) think(pos ai.Position) (ai.Thought, error) {
	return p.Think(p.t.Context(), pos, ai.Budget{Time: time.Minute})
}

func (p player) mustThink(pos ai.Position) ai.Thought {
	p.t.Helper()
	thought, err := p.think(pos)
	if err != nil {
		p.t.Fatal(err)
	}
	return thought
}

// running reports whether a process runs; what is dead and waits for its
// parent does not.
func running(t *testing.T, pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

// waitFor returns when it is so; the time limit of the test bounds it.
func waitFor(so func() bool) {
	for !so() {
		time.Sleep(time.Millisecond)
	}
}

// position has stones at the points, in order, from Black on.
func position(rule rules.Rule, size rules.Size, points ...string) ai.Position {
	pos := ai.Position{Rule: rule, Size: size, ToMove: rules.Black}
	for _, name := range points {
		p, err := rules.ParsePoint(name)
		if err != nil {
			panic(err)
		}
		pos.Stones = append(pos.Stones, ai.Stone{Point: p, Color: pos.ToMove})
		pos.ToMove = pos.ToMove.Opponent()
	}
	return pos
}

func square(points ...string) ai.Position {
	return position(rules.Freestyle, rules.Size{Width: 15, Height: 15}, points...)
}

func point(t *testing.T, name string) rules.Point {
	t.Helper()
	p, err := rules.ParsePoint(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWhatAProgramIsTold(t *testing.T) {
	p := cast(t, "plays", func(c *Config) { c.Memory = 1 << 40 })
	wide := rules.Size{Width: 15, Height: 10}
	tell := func(pos ai.Position, b ai.Budget) []string {
		before := len(p.lines(">"))
		b.Time = time.Minute
		if _, err := p.Think(t.Context(), pos, b); err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, line := range p.lines(">")[before:] {
			if !strings.HasPrefix(line, "INFO timeout_turn ") && !strings.HasPrefix(line, "INFO folder ") {
				told = append(told, line)
			}
		}
		return told
	}
	board := func(rule int) []string {
		return []string{"INFO timeout_match 1000000000", "INFO max_memory 824633720832", "INFO game_type 1", fmt.Sprint("INFO rule ", rule)}
	}
	for _, step := range []struct {
		name   string
		pos    ai.Position
		budget ai.Budget
		want   []string
	}{
		{"an empty board", square(), ai.Budget{}, slices.Concat(
			[]string{"START 15"}, board(0), []string{"INFO time_left 1000000000", "BEGIN"})},
		{"the same game goes on", square("a15", "h8"), ai.Budget{Nodes: 5000, Depth: 7}, []string{
			"INFO time_left 1000000000", "INFO max_node 5000", "INFO max_depth 7", "TURN 7,7"}},
		{"another game", square("h8"), ai.Budget{}, slices.Concat(
			[]string{"START 15"}, board(0), []string{"INFO time_left 1000000000", "BOARD", "7,7,2", "DONE"})},
		{"another rule", position(rules.Renju, wide, "h8", "i9"), ai.Budget{}, slices.Concat(
			[]string{"RECTSTART 15,10"}, board(4), []string{"INFO time_left 1000000000", "BOARD", "7,2,1", "8,1,2", "DONE"})},
		{"a move was taken back", position(rules.Renju, wide), ai.Budget{}, slices.Concat(
			[]string{"RECTSTART 15,10"}, board(4), []string{"INFO time_left 1000000000", "BEGIN"})},
	} {
		if got := tell(step.pos, step.budget); !slices.Equal(got, step.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", step.name, got, step.want)
		}
	}
	if pids := p.pids(); len(pids) != 1 {
		t.Errorf("processes %v, want one for all", pids)
	}
}

func TestTheTimeToThinkEndsBeforeTheDeadline(t *testing.T) {
	for _, c := range []struct {
		left time.Duration
		want string
	}{
		{10 * time.Second, "9850"}, {time.Second, "850"}, {200 * time.Millisecond, "150"}, {time.Millisecond, "1"}, {-time.Second, "1"},
	} {
		if got := budget(ai.Budget{}, c.left)[0]; got != "INFO timeout_turn "+c.want {
			t.Errorf("with %v left: %q, want %s", c.left, got, c.want)
		}
	}
}

func TestItAnswers(t *testing.T) {
	for _, part := range []string{"plays", "chatty", "suggests", "picky", "deaf", "last words"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			p := cast(t, part)
			game := []string{}
			for _, want := range []string{"a15", "c15", "e15", "g15"} { // between them, ours
				got := p.mustThink(square(game...))
				if got.Move != point(t, want) || !slices.Equal(got.Line, []rules.Point{got.Move}) {
					t.Fatalf("after %v: %+v, want %s", game, got, want)
				}
				game = append(game, want, string(want[0]+1)+"15")
				if part == "last words" { // who dies when it is asked costs an answer
					waitFor(func() bool { return !slices.ContainsFunc(p.idleOnes(), (*process).alive) })
				}
			}
		})
	}
}

func TestWhatItDoesWrongIsAnError(t *testing.T) {
	doubleThree := position(rules.Renju, rules.Size{Width: 15, Height: 15}, "g8", "a1", "i8", "c1", "h7", "e1", "h9", "g1")
	for _, c := range []struct {
		part string
		pos  ai.Position
		want error
	}{
		{"takes a stone", square("h8"), ErrIllegal},
		{"plays off the board", square("h8"), ErrIllegal},
		{"plays negative", square("h8"), ErrIllegal},
		{"plays 7,7", doubleThree, ErrIllegal}, // is h8
		{"errs", square("h8"), ErrTalk},
		{"garbage", square("h8"), ErrTalk},
		{"endless line", square("h8"), ErrTalk},
		{"suggests twice", square("h8"), ErrTalk},
		{"strange", square("h8"), ErrRefused},
		{"picky", position(rules.Freestyle, rules.Size{Width: 20, Height: 20}), ErrRefused},
		{"stillborn", square("h8"), ErrGone},
	} {
		t.Run(c.part, func(t *testing.T) {
			t.Parallel()
			p := cast(t, c.part)
			if thought, err := p.think(c.pos); !errors.Is(err, c.want) {
				t.Errorf("answer %+v, %v; want the error %q", thought, err, c.want)
			}
		})
	}
}

// The same point as above is White's to take.
func TestAForbiddenPointIsOnlyBlacks(t *testing.T) {
	pos := position(rules.Renju, rules.Size{Width: 15, Height: 15}, "g8", "a1", "i8", "c1", "h7", "e1", "h9")
	if got := cast(t, "plays 7,7").mustThink(pos); got.Move != point(t, "h8") {
		t.Errorf("move %v", got.Move)
	}
}

func TestAFullBoardHasNoMove(t *testing.T) {
	size := rules.Size{Width: 5, Height: 5}
	pos := ai.Position{Size: size, ToMove: rules.White}
	for at := range size.All() {
		pos.Stones = append(pos.Stones, ai.Stone{Point: at, Color: rules.Black})
	}
	p := cast(t, "plays")
	if _, err := p.think(pos); !errors.Is(err, ai.ErrNoMove) {
		t.Errorf("error %v, want %v", err, ai.ErrNoMove)
	}
	if pids := p.pids(); len(pids) != 0 {
		t.Errorf("it was started for that: %v", pids)
	}
}

// TestThePoolMovesForIt: an illegal move never reaches a game.
func TestThePoolMovesForIt(t *testing.T) {
	p := cast(t, "takes a stone")
	pool := ai.NewPool(ai.PoolConfig{
		Engines: map[string]func() ai.Engine{"guest": func() ai.Engine { return p.Program }},
		Log:     slog.New(slog.DiscardHandler),
	})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- pool.Run(ctx) }()
	answers := make(chan ai.Answer, 1)
	pos := square("h8")
	err := pool.Submit(ai.Job{Room: "room", Bot: "guest", Position: pos, Budget: ai.Budget{Time: time.Minute}}, func(a ai.Answer) { answers <- a })
	if err != nil {
		t.Fatal(err)
	}
	if a := <-answers; a.Err != nil || !ai.MayPlay(pos.Board(), pos.Rule, pos.ToMove, a.Move) {
		t.Errorf("answer %+v", a)
	}
	if s := pool.Stats(); s.Fallbacks != 1 {
		t.Errorf("%d fallbacks, want 1", s.Fallbacks)
	}
	stop()
	<-done
}
