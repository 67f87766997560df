package chaos

import (
	"fmt"
	"math"
	"time"

	"github.com/anishathalye/porcupine"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// check returns everything that is wrong with a history.
func (h *history) check() []string {
	var wrong []string
	for _, law := range []func(func(string, ...any)){
		h.acknowledged, h.once, h.linearizable, h.tellingsOfTheLog, h.converged, h.times, h.clocks, h.bots,
	} {
		const most = 3 // the first ones tell enough
		found := 0
		law(func(format string, args ...any) {
			if found++; found <= most {
				wrong = append(wrong, fmt.Sprintf(format, args...))
			}
		})
		if found > most {
			wrong = append(wrong, fmt.Sprintf("... and %d more of that", found-most))
		}
	}
	return wrong
}

// stamp names a command.
type stamp struct{ by, id string }

// versions are those at which commands are in the log.
func (h *history) versions() map[stamp]int {
	at := map[stamp]int{}
	for i, e := range h.log {
		if e.Cmd != nil {
			at[stamp{e.Cmd.By, e.Cmd.ID}] = i + 1
		}
	}
	return at
}

// acknowledged: what is acknowledged is in the log, with the content that was
// asked for, at the version that was told. What was refused is not. A command
// that was sent more than once may be refused by one node while another has it
// on its way; but once anybody knows of its effect, it must be recognised.
func (h *history) acknowledged(wrong func(string, ...any)) {
	versions := h.versions()
	for _, c := range h.commands {
		at := versions[stamp{c.by, c.id}]
		switch {
		case c.outcome == done && at == 0:
			wrong("acknowledged and not in the log: %s", c)
		case c.outcome == done && c.kind == "create":
			if c.version < at {
				wrong("made at version %d, and told to be at %d: %s", at, c.version, c)
			}
		case c.outcome == done && c.version != at:
			wrong("in the log at version %d, and told to be at %d: %s", at, c.version, c)
		case c.outcome == refused && at > 0 && (c.sent == 1 || h.known(at, c.last)):
			wrong("refused and in the log at version %d: %s", at, c)
		}
		if at > 0 && !h.does(c, at) {
			wrong("the log says something else at version %d, %s: %s", at, h.log[at-1].raw, c)
		}
	}
}

// known reports whether anybody had been told of a version by then.
func (h *history) known(version int, by time.Time) bool {
	for _, c := range h.tellings {
		if c.version >= version && c.at.Before(by) {
			return true
		}
	}
	return false
}

// does reports whether the log has at a version what the command asked for. A
// command's stamp is on the last of its events.
func (h *history) does(c command, at int) bool {
	facts := []match.Fact{h.log[at-1].Fact}
	for i := at - 2; i >= 0 && h.log[i].Cmd == nil && h.log[i].At == h.log[at-1].At; i-- {
		facts = append(facts, h.log[i].Fact)
	}
	for _, f := range facts {
		switch f := f.(type) {
		case match.Created, match.Seated:
			if c.kind == "create" || c.kind == "sit" {
				return true
			}
		case match.Placed:
			if point, _ := f.Point.MarshalText(); c.kind == "place "+string(point) {
				return true
			}
		case match.Passed:
			if c.kind == "pass" {
				return true
			}
		case match.Ended:
			switch {
			case f.Reason == match.ByResignation && c.kind == "resign",
				f.Reason == match.Aborted && (c.kind == "abort" || c.kind == "claim"),
				f.Reason == match.ByAbandonment && c.kind == "claim",
				f.Reason == match.ByAgreement && (c.kind == "accept draw" || c.kind == "offer draw"):
				return true
			}
		case match.Offered:
			if c.kind == "offer "+string(f.What) {
				return true
			}
		case match.Declined:
			if c.kind == "decline "+string(f.What) || c.kind == "offer "+string(f.What) {
				return true
			}
		case match.TakenBack:
			if c.kind == "accept takeback" || c.kind == "offer takeback" {
				return true
			}
		case match.Started:
			if c.kind == "sit" || c.kind == "create" || c.kind == "accept rematch" || c.kind == "offer rematch" {
				return true
			}
		}
	}
	return false
}

// once: no command has an effect twice, and people's commands in the log are
// those that they sent.
func (h *history) once(wrong func(string, ...any)) {
	known := map[stamp]bool{}
	for _, c := range h.commands {
		known[stamp{c.by, c.id}] = true
	}
	seen := map[stamp]int{}
	for i, e := range h.log {
		if e.Cmd == nil {
			continue
		}
		s := stamp{e.Cmd.By, e.Cmd.ID}
		if first := seen[s]; first > 0 {
			wrong("%v is in the log at version %d and at %d", s, first, i+1)
		}
		seen[s] = i + 1
		if !known[s] && !bot(s.by) {
			wrong("nobody sent %v, which is in the log at version %d", s, i+1)
		}
	}
}

// bot reports whether a player is a bot.
func bot(player string) bool { return len(player) > 4 && player[:4] == "bot:" }

// model is a log that only grows: its state is how many events it has.
func model() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return 0 },
		Step: func(state, input, output any) (bool, any) {
			length, version := state.(int), output.(int)
			if input.(string) == "read" {
				return length >= version, state
			}
			return version > length, version
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%s -> %d", input, output) },
	}
}

// linearizable: an order of all commands exists that agrees with the versions
// and with when they were sent and answered; and nobody has read what had not
// been asked for yet. What was never answered may have happened at any later
// time; the log says whether it did.
func (h *history) linearizable(wrong func(string, ...any)) {
	versions := h.versions()
	var ops []porcupine.Operation
	clients := map[string]int{}
	client := func(name string) int {
		if _, known := clients[name]; !known {
			clients[name] = len(clients)
		}
		return clients[name]
	}
	for _, c := range h.commands {
		op := porcupine.Operation{ClientId: client(c.by), Input: c.kind, Call: c.call.UnixNano(), Output: c.version, Return: c.end.UnixNano()}
		if c.kind == "create" || c.outcome != done {
			at := versions[stamp{c.by, c.id}]
			if at == 0 {
				continue
			}
			op.Output = at
		}
		if c.outcome != done {
			op.Return = math.MaxInt64
		}
		ops = append(ops, op)
	}
	// What the service does by itself has no sender: a reading of it must have
	// been preceded only by the last command before it.
	floor, last := make([]int, len(h.log)+1), 0
	for i, e := range h.log {
		if e.Cmd != nil && !bot(e.Cmd.By) {
			last = i + 1
		}
		floor[i+1] = last
	}
	for _, c := range h.tellings {
		if c.version > len(h.log) {
			wrong("told of a version that the log never had: %s", c)
			continue
		}
		at := c.at.UnixNano()
		ops = append(ops, porcupine.Operation{ClientId: client(c.to), Input: "read", Call: at, Output: floor[c.version], Return: at})
	}
	switch porcupine.CheckOperationsTimeout(model(), ops, patience) {
	case porcupine.Illegal:
		wrong("the answers have no order that agrees with when they were given")
	case porcupine.Unknown:
		wrong("no order of the answers was found within %s", patience)
	}
}

// tellingsOfTheLog: what a client was told is the log's, and it is never sent
// back behind what it said it had.
func (h *history) tellingsOfTheLog(wrong func(string, ...any)) {
	states := h.states(wrong)
	for _, c := range h.tellings {
		if c.epoch != h.epoch {
			wrong("told of another log than %s: %s", h.epoch, c)
		}
		if c.version < c.have {
			wrong("sent back: %s", c)
		}
		if c.version > len(h.log) || c.version < len(c.events) {
			continue // said elsewhere
		}
		for i, raw := range c.events {
			if at := c.version - len(c.events) + i; h.log[at].raw != raw {
				wrong("told of another event %d than %s: %s", at+1, h.log[at].raw, c)
			}
		}
		if c.whole != nil && c.version < len(states) && !c.whole.equal(states[c.version]) {
			wrong("told of another state than %+v: %s", states[c.version], c)
		}
	}
}

// states are those after each event.
func (h *history) states(wrong func(string, ...any)) []snapshot {
	states := []snapshot{{}}
	s := new(match.State)
	for i, e := range h.log {
		if err := s.Apply(e.Event); err != nil {
			wrong("the log cannot be folded at version %d: %v", i+1, err)
			return states
		}
		states = append(states, snapshotOf(s))
	}
	return states
}

func snapshotOf(s *match.State) snapshot {
	moves := make([]string, len(s.Moves))
	for i, m := range s.Moves {
		text, _ := m.MarshalText()
		moves[i] = string(text)
	}
	return snapshot{Phase: s.Phase, Number: s.Number, Moves: moves}
}

// converged: at the end every client has what the log has.
func (h *history) converged(wrong func(string, ...any)) {
	states := h.states(func(string, ...any) {})
	for _, f := range h.finals {
		if f.version != len(h.log) || len(states) != len(h.log)+1 || !f.state.equal(states[len(h.log)]) {
			wrong("a client ends elsewhere than the log: %+v", f)
		}
	}
}

// span is an event's duration as the log has it.
func span(from, to match.Instant) time.Duration { return time.Duration(to-from) * time.Millisecond }

// turns calls fn for every turn of every game with how it ended.
func (h *history) turns(fn func(turn)) {
	s := new(match.State)
	var credited time.Duration
	for i, e := range h.log {
		before := *s
		if s.Apply(e.Event) != nil {
			return // said elsewhere
		}
		if c, is := e.Fact.(match.Credited); is {
			credited += time.Duration(c.Span) * time.Millisecond
		}
		if before.Turn() != rules.Empty && (s.Turn() != before.Turn() || s.Position != before.Position) {
			fn(turn{version: i + 1, before: before, event: e, credited: credited})
		}
		if s.Since != before.Since || s.Turn() != before.Turn() {
			credited = 0
		}
	}
}

// turn is one turn of a game.
type turn struct {
	version  int // of the event that ended it
	before   match.State
	event    entry
	credited time.Duration
}
