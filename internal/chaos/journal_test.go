package chaos

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gomokud/internal/match"
)

// outcome is what became of a command, as its sender knows.
type outcome string

const (
	open    outcome = "unanswered"
	done    outcome = "done"
	refused outcome = "refused"
)

// command is a command with its answer.
type command struct {
	by, id, kind string
	text         string // as it was sent
	sent         int    // how often
	call, end    time.Time
	last         time.Time // when it was sent last
	outcome      outcome
	version      int    // at which it is done
	code         string // why it was refused
}

func (c command) String() string {
	return fmt.Sprintf("%s..%s %s %s: %s (sent %d times, %s, version %d %s)",
		c.call.Format("05.000"), c.end.Format("05.000"), c.by, c.text, c.outcome, c.sent, c.kind, c.version, c.code)
}

// telling is what a client was told of a room: the whole, or the last events.
type telling struct {
	to      string
	at      time.Time
	epoch   string
	have    int // what the client had before
	version int
	events  []string  // the last ones; nil with a whole
	whole   *snapshot // nil with events
}

func (c telling) String() string {
	what := strings.Join(c.events, " ")
	if c.whole != nil {
		what = fmt.Sprintf("%+v", *c.whole)
	}
	return fmt.Sprintf("%s %s was told, having %d, of %d in %s: %s", c.at.Format("05.000"), c.to, c.have, c.version, c.epoch, what)
}

// snapshot is the part of a room's state that is compared.
type snapshot struct {
	Phase  match.Phase `json:"phase"`
	Number int         `json:"number"`
	Moves  []string    `json:"moves"`
}

func (s snapshot) clone() snapshot {
	s.Moves = slices.Clone(s.Moves)
	return s
}

func (s snapshot) equal(o snapshot) bool {
	return s.Phase == o.Phase && s.Number == o.Number && slices.Equal(s.Moves, o.Moves)
}

// journal is what all clients of a room did and were told.
type journal struct {
	mu       sync.Mutex
	commands []*command
	tellings []telling
}

// begin notes a command before it is sent for the first time.
func (j *journal) begin(by, id, kind, text string) *command {
	c := &command{by: by, id: id, kind: kind, text: text, call: time.Now(), outcome: open}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.commands = append(j.commands, c)
	return c
}

func (j *journal) sent(c *command) {
	j.mu.Lock()
	defer j.mu.Unlock()
	c.sent++
	c.last = time.Now()
}

// answer notes how a command was answered.
func (j *journal) answer(c *command, o outcome, version int, code string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	c.outcome, c.version, c.code, c.end = o, version, code, time.Now()
}

func (j *journal) tell(c telling) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tellings = append(j.tellings, c)
}

// entry is an event of the log.
type entry struct {
	raw string
	match.Event
}

// final is what a client has at the end.
type final struct {
	who     string
	version int
	state   snapshot
}

// history is all that is to be checked of a room.
type history struct {
	room     string
	epoch    string
	commands []command
	tellings []telling
	log      []entry
	finals   []final
	windows  []window
}

// history takes what was noted, with the log as the store has it.
func (j *journal) history(room, epoch string, log [][]byte) (*history, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	h := &history{room: room, epoch: epoch, tellings: slices.Clone(j.tellings)}
	for _, c := range j.commands {
		h.commands = append(h.commands, *c)
	}
	for i, data := range log {
		e, err := match.Decode(data)
		if err != nil {
			return nil, fmt.Errorf("event %d of room %s: %w", i+1, room, err)
		}
		h.log = append(h.log, entry{canonical(data), e})
	}
	return h, nil
}

// canonical is JSON as json.Marshal writes it.
func canonical(data []byte) string {
	text, err := json.Marshal(json.RawMessage(data))
	if err != nil {
		return string(data)
	}
	return string(text)
}

// String is the whole history, for people who look for a fault.
func (h *history) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "room %s, epoch %s\n", h.room, h.epoch)
	for i, e := range h.log {
		fmt.Fprintf(&b, "  log %3d  %s  %s\n", i+1, time.UnixMilli(int64(e.At)).Format("05.000"), e.raw)
	}
	for _, c := range h.commands {
		fmt.Fprintf(&b, "  cmd  %s\n", c)
	}
	for _, c := range h.tellings {
		fmt.Fprintf(&b, "  told %s\n", c)
	}
	for _, f := range h.finals {
		fmt.Fprintf(&b, "  end  %+v\n", f)
	}
	for _, w := range h.windows {
		fmt.Fprintf(&b, "  fault %s\n", w)
	}
	return b.String()
}
