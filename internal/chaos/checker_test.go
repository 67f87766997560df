package chaos

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// epoch of the made-up histories.
const ourEpoch = "e1"

// maker makes a history up: a good one, for a test to spoil.
type maker struct {
	t     *testing.T
	h     *history
	state *match.State
	now   time.Time
}

// goodGame is a short game with a clock between ann and bob, or the bot.
func goodGame(t *testing.T, white match.Player) *maker {
	t.Helper()
	m := &maker{t: t, h: &history{room: "made up", epoch: ourEpoch}, state: new(match.State), now: time.UnixMilli(1_800_000_000_000)}
	ann := match.Player{ID: "ann", Name: "Ann"}
	game := match.Game{Rule: rules.Freestyle, Size: rules.Size{Width: 9, Height: 9}, Clock: match.TimeControl{Main: 10 * match.Second, Increment: match.Second}}
	first, err := match.Create(match.Command{ID: "c-1", By: ann, Act: match.New{Game: game, Color: "black"}}, game, match.DefaultLimits(), rules.Black, &white, m.instant())
	m.add("create", "ann", "c-1", first, err)
	for i, point := range []string{"a1", "b1", "a2", "b2", "a3", "b3"} {
		m.now = m.now.Add(2 * time.Second)
		by := []match.Player{ann, white}[i%2]
		p, err := rules.ParsePoint(point)
		if err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("c-%d", i+2)
		events, err := match.Decide(m.state, match.Command{ID: id, By: by, Act: match.Place{Ply: i, Point: p}}, m.instant())
		m.add("place "+point, by.ID, id, events, err)
	}
	m.h.finals = []final{{who: "ann", version: m.state.Version, state: snapshotOf(m.state)}}
	return m
}

func (m *maker) instant() match.Instant { return match.Instant(m.now.UnixMilli()) }

// add does a command: it is answered, and ann is told.
func (m *maker) add(kind, by, id string, events []match.Event, err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatalf("%s: %v", kind, err)
	}
	told := telling{to: "ann", at: m.now.Add(5 * time.Millisecond), epoch: ourEpoch, have: m.state.Version}
	for _, e := range events {
		raw, err := match.Encode(e)
		if err == nil {
			err = m.state.Apply(e)
		}
		if err != nil {
			m.t.Fatal(err)
		}
		m.h.log = append(m.h.log, entry{canonical(raw), e})
		told.events = append(told.events, canonical(raw))
	}
	told.version = m.state.Version
	m.h.tellings = append(m.h.tellings, told)
	if !bot(by) {
		m.h.commands = append(m.h.commands, command{
			by: by, id: id, kind: kind, text: kind, sent: 1, outcome: done, version: m.state.Version,
			call: m.now.Add(-5 * time.Millisecond), last: m.now.Add(-5 * time.Millisecond), end: m.now.Add(5 * time.Millisecond),
		})
	}
}

// encode writes an event anew, after a change.
func (m *maker) encode(i int) {
	m.t.Helper()
	raw, err := match.Encode(m.h.log[i].Event)
	if err != nil {
		m.t.Fatal(err)
	}
	m.h.log[i].raw = canonical(raw)
}

var (
	bob   = match.Player{ID: "bob", Name: "Bob"}
	robot = match.Player{ID: "bot:seven-step", Name: "Seven-step", Bot: "seven-step"}
)

func TestTheCheckerFindsNothingInAGoodHistory(t *testing.T) {
	for _, white := range []match.Player{bob, robot} {
		if wrong := goodGame(t, white).h.check(); len(wrong) > 0 {
			t.Errorf("against %s: %s", white.Name, strings.Join(wrong, "\n"))
		}
	}
}

// Each row spoils a good history in one way, as a service would that breaks its
// promise. Of the log: 1 to 4 are of the room's beginning; a move is one event.
func TestTheCheckerFindsWhatIsWrong(t *testing.T) {
	last := func(h *history) *command { return &h.commands[len(h.commands)-1] }
	for _, c := range []struct {
		name  string
		spoil func(m *maker, h *history)
		want  string // in what the checker says
	}{
		{"an acknowledged move is lost", func(_ *maker, h *history) {
			h.log = h.log[:len(h.log)-1]
		}, "acknowledged and not in the log"},
		{"a lost move's place is taken", func(m *maker, h *history) {
			h.log[len(h.log)-1].Cmd = &match.Stamp{ID: "c-99", By: "bob"}
		}, "acknowledged and not in the log"},
		{"a command has its effect twice", func(_ *maker, h *history) {
			h.log = append(h.log, h.log[len(h.log)-1])
		}, "is in the log at version"},
		{"two moves change places", func(_ *maker, h *history) {
			n := len(h.log)
			h.log[n-1], h.log[n-2] = h.log[n-2], h.log[n-1]
		}, "and told to be at"},
		{"two answers change places in time", func(_ *maker, h *history) {
			a, b := &h.commands[2], &h.commands[3]
			a.call, b.call, a.end, b.end = b.call, a.call, b.end, a.end
		}, "no order"},
		{"an answer tells of another version", func(_ *maker, h *history) {
			last(h).version--
		}, "and told to be at"},
		{"a refused move is in the log", func(_ *maker, h *history) {
			last(h).outcome, last(h).code = refused, "occupied"
		}, "refused and in the log"},
		{"a move that is known to be in the log is refused when it is sent again", func(_ *maker, h *history) {
			c := &h.commands[2]
			c.outcome, c.code, c.sent, c.last = refused, "stale", 2, c.end.Add(time.Second)
		}, "refused and in the log"},
		{"another move is stored than was sent", func(_ *maker, h *history) {
			last(h).kind = "place c3"
		}, "the log says something else"},
		{"a move is made up", func(_ *maker, h *history) {
			h.commands = h.commands[:len(h.commands)-1]
		}, "nobody sent"},
		{"a move is told before it is sent", func(_ *maker, h *history) {
			told := &h.tellings[len(h.tellings)-1]
			told.at = last(h).call.Add(-time.Millisecond)
		}, "no order"},
		{"a version is told that never was", func(_ *maker, h *history) {
			h.tellings[2].version = len(h.log) + 1
		}, "a version that the log never had"},
		{"another event is told than is stored", func(_ *maker, h *history) {
			h.tellings[3].events[0] = strings.Replace(h.tellings[3].events[0], "a2", "c2", 1)
		}, "told of another event"},
		{"another board is told than is stored", func(m *maker, h *history) {
			whole := snapshotOf(m.state)
			whole.Moves[0] = "c9"
			h.tellings = append(h.tellings, telling{to: "eve", at: m.now.Add(time.Second), epoch: ourEpoch, version: m.state.Version, whole: &whole})
		}, "told of another state"},
		{"a client is sent back", func(_ *maker, h *history) {
			h.tellings[3].have = h.tellings[3].version + 1
		}, "sent back"},
		{"the log is another one", func(_ *maker, h *history) {
			h.tellings[3].epoch = "e2"
		}, "another log"},
		{"a client stays behind", func(_ *maker, h *history) {
			h.finals[0].version--
		}, "ends elsewhere"},
		{"a client has another board", func(_ *maker, h *history) {
			h.finals[0].state.Moves[2] = "c9"
		}, "ends elsewhere"},
		{"a move is stamped with a time before it was sent", func(_ *maker, h *history) {
			last(h).call, last(h).end = last(h).call.Add(time.Minute), last(h).end.Add(time.Minute)
		}, "before it was asked for"},
		{"a move is stamped with a time after its answer", func(m *maker, h *history) {
			n := len(h.log) - 1
			h.log[n].At += match.Instant(match.Minute)
			m.encode(n)
		}, "after it was answered"},
		{"a move costs too much", func(m *maker, h *history) { cost(m, -1000) }, "cost"},
		{"a move costs too little", func(m *maker, h *history) { cost(m, +1000) }, "cost"},
		{"a flag falls early", func(m *maker, h *history) {
			m.now = m.now.Add(5 * time.Second) // of the 10 s, 8 are left
			e := match.Event{At: m.instant(), Fact: match.Ended{Winner: rules.White, Reason: match.ByTime}}
			h.log = append(h.log, entry{Event: e})
			m.encode(len(h.log) - 1)
		}, "a flag fell"},
		{"the log cannot be", func(m *maker, h *history) {
			n := len(h.log) - 1
			f := h.log[n].Fact.(match.Placed)
			f.Point = rules.Point{}
			h.log[n].Fact = f
			m.encode(n)
		}, "cannot be folded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := goodGame(t, bob)
			c.spoil(m, m.h)
			wrong := strings.Join(m.h.check(), "\n")
			if !strings.Contains(wrong, c.want) {
				t.Errorf("it finds %q, want %q", wrong, c.want)
			}
		})
	}
}

// cost changes what the last move left on its side's clock.
func cost(m *maker, by match.Millis) {
	n := len(m.h.log) - 1
	f := m.h.log[n].Fact.(match.Placed)
	f.Clock.Main += by
	m.h.log[n].Fact = f
	m.encode(n)
}

// A flag that falls in time, an answer that never came, and a refusal by one
// node of what another has done are nothing wrong.
func TestTheCheckerKnowsWhatIsAllowed(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(m *maker, h *history)
	}{
		{"a flag that falls in time", func(m *maker, h *history) {
			m.now = m.now.Add(time.Minute)
			e := match.Event{At: m.instant(), Fact: match.Ended{Winner: rules.White, Reason: match.ByTime}}
			if err := m.state.Apply(e); err != nil {
				m.t.Fatal(err)
			}
			h.log = append(h.log, entry{Event: e})
			m.encode(len(h.log) - 1)
			h.finals = []final{{who: "ann", version: m.state.Version, state: snapshotOf(m.state)}}
		}},
		{"a move that was made and never answered", func(_ *maker, h *history) {
			h.commands[2].outcome = open
		}},
		{"a move that was neither made nor answered", func(_ *maker, h *history) {
			h.commands = append(h.commands, command{by: "ann", id: "c-50", kind: "place d4", outcome: open, sent: 3, call: h.commands[0].call})
		}},
		{"a move that was sent twice, refused once and made once", func(_ *maker, h *history) {
			h.commands[2].outcome, h.commands[2].sent, h.commands[2].last = refused, 2, h.commands[2].call
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := goodGame(t, bob)
			c.spoil(m, m.h)
			if wrong := m.h.check(); len(wrong) > 0 {
				t.Error(strings.Join(wrong, "\n"))
			}
		})
	}
}

func TestTheCheckerHearsASilentBot(t *testing.T) {
	for _, c := range []struct {
		name   string
		silent time.Duration
		faults []time.Duration // pairs of from and to, in the bot's turn
		late   bool
	}{
		{"quick", time.Second, nil, false},
		{"just in time", botSilence, nil, false},
		{"too late", botSilence + time.Second, nil, true},
		{"late for a fault", botSilence + time.Minute, []time.Duration{time.Second, 52 * time.Second}, false},
		{"late in spite of a fault", botSilence + time.Minute, []time.Duration{time.Second, 2 * time.Second}, true},
		{"late for two faults", botSilence + 30*time.Second, []time.Duration{0, 5 * time.Second, 16 * time.Second, 22 * time.Second}, false},
		{"late after a fault", botSilence + time.Second, []time.Duration{-20 * time.Second, -11 * time.Second}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := goodGame(t, robot)
			h := m.h
			n := len(h.log) - 1 // the bot's move
			asked := time.UnixMilli(int64(h.log[n-1].At))
			h.log[n].At = match.Instant(asked.Add(c.silent).UnixMilli())
			for i := 0; i < len(c.faults); i += 2 {
				h.windows = append(h.windows, window{from: asked.Add(c.faults[i]), to: asked.Add(c.faults[i+1])})
			}
			var said []string
			h.bots(func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) })
			if (len(said) > 0) != c.late {
				t.Errorf("it says %q", said)
			}
		})
	}
}
