package brain

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// display tells the manager what an engine thinks, until the answer.
type display struct {
	out   *talk
	size  rules.Size
	began time.Time

	mu sync.Mutex
	on bool
}

// end lets nothing more be told by an engine that goes on.
func (d *display) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.on = false
}

// analysis tells the lines of an analysis.
func (d *display) analysis(a ai.Analysis) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.on {
		return
	}
	for i, l := range a.Lines {
		d.out.say("MESSAGE (%d) %s | Depth %d | %s", i+1, eval(l.Score, l.Mate), a.Depth, moves(l.Moves))
	}
	d.out.say("MESSAGE Depth %d | Node %s | Time %dms", a.Depth, count(a.Nodes), a.Time.Milliseconds())
}

// thought tells what the answer rests on, if it rests on a search.
func (d *display) thought(t ai.Thought, detail bool) {
	if t.Nodes == 0 && t.Depth == 0 {
		return
	}
	d.out.say("MESSAGE Depth %d | Eval %s | Node %s | Time %dms",
		t.Depth, eval(t.Score, t.Mate), count(t.Nodes), time.Since(d.began).Milliseconds())
	if detail && len(t.Line) > 0 {
		d.out.say("MESSAGE Bestline %s", moves(t.Line))
	}
}

// eval is a score as board programs show it; a forced win in 13 plies is +M13.
func eval(score, mate int) string {
	switch {
	case mate > 0:
		return fmt.Sprintf("+M%d", mate)
	case mate < 0:
		return fmt.Sprintf("-M%d", -mate)
	}
	return fmt.Sprint(score)
}

// count shortens a large number.
func count(n int64) string {
	switch {
	case n >= 10_000_000:
		return fmt.Sprintf("%dM", n/1_000_000)
	case n >= 10_000:
		return fmt.Sprintf("%dK", n/1000)
	}
	return fmt.Sprint(n)
}

func moves(line []rules.Point) string {
	names := make([]string, len(line))
	for i, p := range line {
		names[i] = strings.ToUpper(p.String())
	}
	return strings.Join(names, " ")
}
