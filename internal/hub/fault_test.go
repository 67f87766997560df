package hub

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/ai"
	"gomokud/internal/store"
	"gomokud/internal/store/boltstore"
)

type faultyThinker struct{}

func (faultyThinker) Submit(ai.Job, func(ai.Answer)) error { panic("a fault of ours") }
func (faultyThinker) Cancel(string)                        {}

// TestAFaultCostsOneCommand: the process lives on, the sender is told, and what
// had been stored before the fault is there.
func TestAFaultCostsOneCommand(t *testing.T) {
	st, err := boltstore.Open(t.TempDir(), boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	h := New(Config{Node: "faulty"}, st, faultyThinker{}, []Bot{{Name: "b", Title: "B"}}, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	if err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := offline(h, "ann")
	defer c.leaveAll()
	ask := func(command, want string) {
		t.Helper()
		c.told()
		c.handle(t.Context(), []byte(command))
		if !bytes.Contains(bytes.Join(c.told(), nil), []byte(want)) {
			t.Fatalf("%s was not answered with %s", command, want)
		}
	}
	game := `"game":{"rule":"freestyle","size":"15x15","clock":{}},"color":"black","bot":"b"`
	ask(`{"type":"create","id":"new",`+game+`}`, `"type":"ok"`)
	room, err := h.roomName(t.Context(), "ann", "new")
	if err != nil {
		t.Fatal(err)
	}
	ask(`{"type":"join","id":"join","room":"`+room+`"}`, `"type":"room"`)
	move := `{"type":"place","id":"move","ply":0,"point":"h8","room":"` + room + `"}`
	ask(move, `"code":"internal"`) // the bot could not be asked
	ask(move, `"type":"ok"`)       // but the move was stored, once
	ask(`{"type":"resign","id":"resign","room":"`+room+`"}`, `"kind":"ended"`)
}

// cursed is a store in which questions about one room meet with a fault of ours,
// as damaged data may bring one to light.
type cursed struct {
	Store
	room, method atomic.Value // whose, and which; "": none
	faults       atomic.Int64
	empty        atomic.Bool // the room's log is lost
}

func (s *cursed) ask(method, room string) {
	if s.room.Load() == room && s.method.Load() == method {
		s.faults.Add(1)
		panic("a fault of ours")
	}
}

func (s *cursed) Read(ctx context.Context, room string, from int) (store.Tail, error) {
	s.ask("read", room)
	if s.room.Load() == room && s.empty.Load() {
		return store.Tail{}, store.ErrNotFound
	}
	return s.Store.Read(ctx, room, from)
}

func (s *cursed) Append(ctx context.Context, c store.Commit) error {
	s.ask("append", c.Room)
	return s.Store.Append(ctx, c)
}

func (s *cursed) Attend(ctx context.Context, node, room string, a store.Attendance, now int64, ttl time.Duration) (store.Attendance, error) {
	s.ask("attend", room)
	return s.Store.Attend(ctx, node, room, a, now, ttl)
}

// journal keeps what is logged.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, string(line))
	return len(line), nil
}

func (j *journal) has(parts ...string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.ContainsFunc(j.lines, func(line string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(line, part) })
	})
}

// TestAFaultInOneRoomCostsThatRoom: also where nobody has sent a command, the
// process lives on, the fault is in the log, the other rooms play, and so does
// this one once the fault is mended.
func TestAFaultInOneRoomCostsThatRoom(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		method string
		empty  bool // the log went backwards
		way    func(h *Hub, r *room)
	}{
		{"as its log is looked at", "read", false, func(_ *Hub, r *room) { r.announced(store.Announcement{Room: r.id}) }},
		{"as it is woken", "read", false, func(h *Hub, r *room) { forget(r); h.tick(context.Background(), r.id) }},
		{"as an outage is told", "read", false, func(h *Hub, r *room) { forget(r); h.settleAll(context.Background()) }},
		{"as its log is mended for who hears of it", "append", true, func(_ *Hub, r *room) { r.announced(store.Announcement{Room: r.id}) }},
		{"as its log is mended again and again", "append", true, func(_ *Hub, r *room) { r.lookAgain() }},
		{"as its log is mended for who wakes it", "append", true, func(h *Hub, r *room) { forget(r); h.tick(context.Background(), r.id) }},
		{"as its seats are counted", "attend", false, func(_ *Hub, r *room) { lookAtSeats(r) }},
		{"as a seat that is left is noted", "append", false, func(_ *Hub, r *room) { lookAtSeats(r) }},
		{"as the log is read to look after the seats", "read", false, func(_ *Hub, r *room) { forget(r); lookAtSeats(r) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			st, log := &cursed{Store: newFrail(t)}, new(journal)
			h := idleHub(t, st, asker{})
			h.log = slog.New(slog.NewTextHandler(log, nil))
			id, other := newTable(t, h), newTable(t, h)
			ann, far := follows(t, h, "ann", id), follows(t, h, "ann", other)
			r := ann.in(id) // bob has left his seat
			st.empty.Store(tt.empty)
			st.method.Store(tt.method)
			st.room.Store(id)
			tt.way(h, r)
			until(t, "there was a fault", func() bool { return st.faults.Load() > 0 })
			until(t, "it is in the log", func() bool { return log.has("level=ERROR", "room="+id, "a fault of ours", "goroutine") })
			if err := place(t, far, other, "elsewhere", 0, "h8"); err != nil {
				t.Errorf("in another room: %v", err)
			}
			st.room.Store("") // mended
			if err := place(t, ann, id, "afterwards", 0, "h8"); err != nil {
				t.Errorf("in this room: %v", err)
			}
			owned(t, r, func() { stopTimer(&r.check) })
			lookAtSeats(r)
			until(t, "it is noted that bob is away", func() (away bool) {
				owned(t, r, func() { away = r.state != nil && r.state.Seats.White.Away > 0 })
				return away
			})
		})
	}
}

// forget drops a room's state, as a commit whose fate is unknown does.
func forget(r *room) {
	r.token <- struct{}{}
	r.drop()
	r.give()
}

// lookAtSeats does what is otherwise done after a while.
func lookAtSeats(r *room) {
	r.token <- struct{}{}
	stopTimer(&r.check)
	r.checkIn(0)
	r.give()
}

// TestAFaultInTellingSpectatorsLaterCostsThatRoom: it costs neither the process
// nor the other rooms' spectators, and these are told once it is over.
func TestAFaultInTellingSpectatorsLaterCostsThatRoom(t *testing.T) {
	t.Parallel()
	h := idleHub(t, newFrail(t), asker{})
	id := newTable(t, h)
	ann, eve := follows(t, h, "ann", id), follows(t, h, "eve", id)
	r := ann.in(id)
	pressed(h, slowSpectators)
	if err := place(t, ann, id, "move", 0, "h8"); err != nil {
		t.Fatal(err)
	}
	owned(t, r, func() { r.viewers = append([]viewer{{}}, r.viewers...) }) // whom nobody can tell anything
	h.tellHeld(t.Context(), id)
	owned(t, r, func() {
		if r.viewers = r.viewers[1:]; r.state != nil {
			t.Error("there was no fault")
		}
	})
	if !h.slowed.take()[id] {
		t.Error("it is not left for the next time")
	}
	if err := r.look(t.Context(), store.Announcement{}, 0); err != nil {
		t.Fatal(err)
	}
	h.tellHeld(t.Context(), id)
	if m := onlyEvents(t, eve.told()); len(m.Events) != 1 || m.Version != r.shown {
		t.Errorf("eve was told %+v", m)
	}
}
