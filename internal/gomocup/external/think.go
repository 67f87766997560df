package external

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/gomocup"
	"gomokud/internal/rules"
)

const (
	longest   = 10 * time.Second      // for a move, if the budget sets no bound
	reserve   = 20 * time.Millisecond // at the end of a move's time, to kill it and say why
	readiness = 10 * time.Second      // for a new board: some read large tables first
	settle    = 30 * time.Millisecond // after an answer; some cannot read at once
	unlimited = 1_000_000_000         // ms; not every program knows 0 for it
	chatter   = 100                   // lines in place of an answer that are none of the protocol's
)

// Think asks the program for a move. It is told a little less time than there
// is; what it has not answered when ctx or the time ends is lost, and so is its
// process. Depth and nodes are passed on, for the programs that know them.
func (p *Program) Think(ctx context.Context, pos ai.Position, b ai.Budget) (ai.Thought, error) {
	if _, found := pos.Nearest(); !found {
		return ai.Thought{}, ai.ErrNoMove
	}
	limit := cmp.Or(b.Time, longest)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	patience := limit - min(limit/10, reserve)
	type answer struct {
		move rules.Point
		err  error
	}
	answers := make(chan answer, 1) // nobody may be waiting any more
	err := p.spawn(func() {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		move, err := p.occupy(ctx, func() (rules.Point, error) { return p.ask(ctx, pos, b) })
		answers <- answer{move, err}
	})
	if err != nil {
		return ai.Thought{}, err
	}
	select {
	case a := <-answers:
		if a.err != nil {
			return ai.Thought{}, a.err
		}
		return ai.Thought{Move: a.move, Line: []rules.Point{a.move}}, nil
	case <-ctx.Done():
		return ai.Thought{}, ctx.Err()
	}
}

// occupy has one of the places that there are for processes meanwhile.
func (p *Program) occupy(ctx context.Context, fn func() (rules.Point, error)) (rules.Point, error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
		return fn()
	case <-ctx.Done():
		return rules.Point{}, ctx.Err()
	}
}

// ask asks a process. It may go on after the end of ctx: a process that is
// still getting ready is let, so that it can be asked the next time.
func (p *Program) ask(ctx context.Context, pos ai.Position, b ai.Budget) (rules.Point, error) {
	proc, err := p.ready(pos)
	if err != nil {
		return rules.Point{}, err
	}
	if err := ctx.Err(); err != nil {
		return rules.Point{}, p.put(proc, true, err)
	}
	return p.converse(ctx, proc, pos, b)
}

// converse asks a process that is ready for the position.
func (p *Program) converse(ctx context.Context, proc *process, pos ai.Position, b ai.Budget) (rules.Point, error) {
	stop := context.AfterFunc(ctx, proc.kill)
	move, err := proc.move(ctx, pos, b)
	if !stop() {
		err = ctx.Err()
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("%w: %w", ErrLate, err)
		}
	}
	if err != nil && len(proc.odd) > 0 {
		err = fmt.Errorf("%w; it said %q", err, proc.odd)
	}
	return move, p.put(proc, err == nil, err)
}

// ready returns a process that can be asked about the position. One that was
// asked before and cannot is given up for a new one.
func (p *Program) ready(pos ai.Position) (*process, error) {
	for {
		proc, err := p.take()
		if err != nil {
			return nil, err
		}
		err = proc.prepare(pos)
		switch {
		case err == nil:
			return proc, nil
		case !proc.worn:
			return nil, p.put(proc, errors.Is(err, ErrRefused), err)
		}
		p.drop(proc)
	}
}

// prepare has the process wait for the position.
func (p *process) prepare(pos ai.Position) error {
	p.said = 0
	if err := p.calm(); err != nil {
		return err
	}
	if _, ok := p.replied(pos); ok || p.fresh && p.holds.Rule == pos.Rule && p.holds.Size == pos.Size {
		return nil
	}
	return p.board(pos)
}

// calm waits until the process can read, and passes over what it has said since
// its last answer.
func (p *process) calm() error {
	p.stdout.SetReadDeadline(time.Now().Add(max(settle-time.Since(p.answered), time.Millisecond)))
	for {
		if _, err := p.hear(); errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// replied returns the opponent's stone if that is all by which the position
// differs from the board of the process.
func (p *process) replied(pos ai.Position) (rules.Point, bool) {
	was := p.holds
	if p.fresh || was.Rule != pos.Rule || was.Size != pos.Size || was.ToMove != pos.ToMove || len(pos.Stones) != len(was.Stones)+1 {
		return rules.Point{}, false
	}
	last := slices.IndexFunc(pos.Stones, func(s ai.Stone) bool { return !slices.Contains(was.Stones, s) })
	if pos.Stones[last].Color == pos.ToMove {
		return rules.Point{}, false
	}
	for i, s := range pos.Stones {
		if i != last && !slices.Contains(was.Stones, s) {
			return rules.Point{}, false
		}
	}
	return pos.Stones[last].Point, true
}

// board gives the process an empty board.
func (p *process) board(pos ai.Position) error {
	p.holds, p.fresh = ai.Position{}, false
	start := fmt.Sprintf("START %d", pos.Size.Width)
	if pos.Size.Width != pos.Size.Height {
		start = fmt.Sprintf("RECTSTART %d,%d", pos.Size.Width, pos.Size.Height)
	}
	until := time.Now().Add(readiness)
	p.stdin.SetWriteDeadline(until)
	p.stdout.SetReadDeadline(until)
	if err := p.say(start); err != nil {
		return err
	}
	p.odd, p.wonders = nil, 0
	for {
		line, err := p.hear()
		if err != nil {
			return fmt.Errorf("%s: %w", start, err)
		}
		switch word, text := command(line); word {
		case "MESSAGE", "DEBUG":
		case "OK":
			p.holds, p.fresh = ai.Position{Rule: pos.Rule, Size: pos.Size}, true
			return p.say(
				fmt.Sprint("INFO timeout_match ", unlimited),
				fmt.Sprint("INFO max_memory ", p.memory/4*3), // the rest is for its code
				"INFO game_type 1",
				fmt.Sprint("INFO rule ", gomocup.RuleNumber(pos.Rule)),
				"INFO folder "+p.dir,
			)
		case "ERROR", "UNKNOWN":
			return fmt.Errorf("%w: %s: %q", ErrRefused, start, text)
		default:
			if err := p.wonder(line); err != nil {
				return err
			}
		}
	}
}

// move asks for a move. The end of ctx must kill the process.
func (p *process) move(ctx context.Context, pos ai.Position, b ai.Budget) (rules.Point, error) {
	deadline, _ := ctx.Deadline()
	p.stdin.SetWriteDeadline(deadline)
	p.stdout.SetReadDeadline(deadline.Add(lastWords)) // killed by then
	lines := append(budget(b, time.Until(deadline)), p.question(pos)...)
	p.holds, p.fresh, p.worn = pos, false, true
	p.holds.Stones = slices.Clone(pos.Stones)
	if err := p.say(lines...); err != nil {
		return rules.Point{}, err
	}
	suggested := false
	p.odd, p.wonders = nil, 0
	for {
		line, err := p.hear()
		if err != nil {
			return rules.Point{}, err
		}
		switch word, text := command(line); word {
		case "MESSAGE", "DEBUG":
		case "ERROR", "UNKNOWN":
			return rules.Point{}, fmt.Errorf("%w: it answers %s %q", ErrTalk, word, text)
		case "SUGGEST":
			if suggested {
				return rules.Point{}, fmt.Errorf("%w: it suggests twice", ErrTalk)
			}
			suggested = true
			if err := p.say("PLAY " + text); err != nil {
				return rules.Point{}, err
			}
		default:
			if looksLikeMove(line) {
				move, err := legal(pos, line)
				p.holds.Stones = append(p.holds.Stones, ai.Stone{Point: move, Color: pos.ToMove})
				return move, err
			}
			if err := p.wonder(line); err != nil {
				return rules.Point{}, err
			}
		}
	}
}

// What is kept, for the log, of lines that are none of the protocol's.
const (
	oddLines = 3
	oddBytes = 80 // of each
)

// wonder takes note of a line that is none of the protocol's, and fails when
// there are too many.
func (p *process) wonder(line string) error {
	if p.wonders++; len(p.odd) < oddLines {
		p.odd = append(p.odd, line[:min(len(line), oddBytes)])
	}
	if p.wonders >= chatter {
		return fmt.Errorf("%w: no answer in %d lines", ErrTalk, chatter)
	}
	return nil
}

// budget says how long the process may think.
func budget(b ai.Budget, left time.Duration) []string {
	if b.Time > 0 {
		left = min(left, b.Time)
	}
	turn := max(left-min(left/4, 150*time.Millisecond), time.Millisecond) // the rest is for the way
	lines := []string{
		fmt.Sprint("INFO timeout_turn ", turn.Milliseconds()),
		fmt.Sprint("INFO time_left ", unlimited),
	}
	if b.Nodes > 0 {
		lines = append(lines, fmt.Sprint("INFO max_node ", b.Nodes))
	}
	if b.Depth > 0 {
		lines = append(lines, fmt.Sprint("INFO max_depth ", b.Depth))
	}
	return lines
}

// question is how a position is asked about: by the opponent's move if that is
// all that is new. The whole board comes only onto an empty one, as programs
// differ in whether BOARD clears it.
func (p *process) question(pos ai.Position) []string {
	if last, ok := p.replied(pos); ok {
		return []string{"TURN " + gomocup.FormatPoint(pos.Size, last)}
	}
	if len(pos.Stones) == 0 {
		return []string{"BEGIN"}
	}
	lines := []string{"BOARD"}
	for _, s := range pos.Stones {
		side := 1
		if s.Color != pos.ToMove {
			side = 2
		}
		lines = append(lines, fmt.Sprintf("%s,%d", gomocup.FormatPoint(pos.Size, s.Point), side))
	}
	return append(lines, "DONE")
}

// command splits a line into its first word, in capitals, and the rest.
func command(line string) (word, text string) {
	word, text, _ = strings.Cut(line, " ")
	return strings.ToUpper(word), strings.TrimSpace(text)
}

// looksLikeMove reports whether a line is meant as a point: it has no letters,
// and a comma between numbers.
func looksLikeMove(line string) bool {
	return strings.Contains(line, ",") && strings.Trim(line, "0123456789,-+ \t") == ""
}

// legal reads a move that the side to move may make.
func legal(pos ai.Position, line string) (rules.Point, error) {
	move, err := gomocup.ParsePoint(pos.Size, line)
	if err != nil {
		return rules.Point{}, fmt.Errorf("%w: %w", ErrIllegal, err)
	}
	if !ai.MayPlay(pos.Board(), pos.Rule, pos.ToMove, move) {
		return rules.Point{}, fmt.Errorf("%w: %v is taken or forbidden", ErrIllegal, move)
	}
	return move, nil
}
