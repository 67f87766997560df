package hub

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

func TestLevelsOfPressure(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		late time.Duration
		want level
	}{{0, calm}, {99 * ms, calm}, {100 * ms, noThumbnails}, {200 * ms, slowSpectators}, {399 * ms, slowSpectators}, {400 * ms, noNewGames}, {time.Hour, noNewGames}} {
		if got := lateLevel(tt.late, 100*ms); got != tt.want {
			t.Errorf("%s late: level %d, want %d", tt.late, got, tt.want)
		}
	}
	for _, tt := range []struct {
		live uint64
		want level
	}{{0, calm}, {699, calm}, {700, noThumbnails}, {800, slowSpectators}, {900, noNewGames}, {5000, noNewGames}} {
		if got := memoryLevel(tt.live, 1000); got != tt.want {
			t.Errorf("%d of 1000 in use: level %d, want %d", tt.live, got, tt.want)
		}
	}
}

func TestPressureRisesAtOnceAndFallsStepByStep(t *testing.T) {
	var p pressure
	now := time.Unix(1000, 0)
	for i, tt := range []struct {
		after    time.Duration
		measured level
		want     level
	}{
		{0, slowSpectators, slowSpectators},
		{probeEvery, noNewGames, noNewGames},
		{probeEvery, calm, noNewGames},
		{relief - 2*probeEvery, calm, noNewGames},
		{probeEvery, calm, slowSpectators},
		{relief, noThumbnails, noThumbnails},
		{relief / 2, noThumbnails, noThumbnails}, // confirmed
		{relief / 2, calm, noThumbnails},
		{relief / 2, calm, calm},
		{relief, calm, calm},
	} {
		now = now.Add(tt.after)
		if got := p.follow(tt.measured, now); got != tt.want || !p.at(tt.want) || p.at(tt.want+1) {
			t.Fatalf("step %d: level %d, want %d", i, got, tt.want)
		}
	}
}

func TestAPauseIsNoPressure(t *testing.T) {
	var p pressure
	for i := range probes / 2 {
		p.probes[i] = time.Hour // a machine that was put to sleep, again and again
	}
	if late := p.median(); late != 0 {
		t.Errorf("%s late", late)
	}
	p.probes[probes/2] = time.Second
	if late := p.median(); late != time.Second {
		t.Errorf("%s late, when most probes are", late)
	}
}

func TestTheLimitOfMemoryIsTheOperators(t *testing.T) {
	old := debug.SetMemoryLimit(1 << 40)
	defer debug.SetMemoryLimit(old)
	if live, limit := memoryInUse(); limit != 1<<40 || live == 0 || live > 1<<36 {
		t.Errorf("%d bytes live under a limit of %d", live, limit)
	}
}

// TestANodeMeasuresItself: its own loop finds the pressure, and finds it gone.
func TestANodeMeasuresItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var live atomic.Uint64
		h := &Hub{log: slog.New(slog.DiscardHandler), cfg: Config{memory: func() (uint64, uint64) { return live.Load(), 100 }}.withDefaults()}
		h.pressure.init(prometheus.NewRegistry())
		go h.watchPressure(t.Context())
		synctest.Wait()
		for _, tt := range []struct {
			live uint64
			wait time.Duration
			want level
		}{{50, time.Second, calm}, {85, time.Second, slowSpectators}, {95, time.Second, noNewGames}, {0, 10 * time.Second, calm}} {
			live.Store(tt.live)
			time.Sleep(tt.wait)
			synctest.Wait()
			if got := level(h.pressure.level.Load()); got != tt.want {
				t.Errorf("%d of 100 in use: level %d, want %d", tt.live, got, tt.want)
			}
		}
	})
}

// pressed sets the level; the loops of an idle hub do not change it.
func pressed(h *Hub, l level) { h.pressure.level.Store(int32(l)) }

func TestSpectatorsOfAPressedNodeAreToldLaterAndPlayersAtOnce(t *testing.T) {
	t.Parallel()
	h := idleHub(t, newFrail(t), asker{})
	room := newTable(t, h)
	ann, bob, eve := follows(t, h, "ann", room), follows(t, h, "bob", room), follows(t, h, "eve", room)
	for _, c := range []*client{ann, bob, eve} {
		c.told()
	}
	r := ann.in(room)
	pressed(h, slowSpectators)
	move := func(c *client, id string, ply int, point string) {
		t.Helper()
		if err := place(t, c, room, id, ply, point); err != nil {
			t.Fatal(err)
		}
	}
	move(ann, "1", 0, "h8")
	move(bob, "2", 1, "i9")
	for _, c := range []*client{ann, bob} {
		if told := len(c.told()); told != 2 {
			t.Errorf("%s plays and was told of %d moves of 2", c.player.ID, told)
		}
	}
	if told := eve.told(); len(told) != 0 {
		t.Errorf("eve was told %q", told)
	}
	pressed(h, calm)
	move(ann, "3", 2, "h9") // before she is brought up to date: she must not see a gap
	if told := eve.told(); len(told) != 0 {
		t.Errorf("eve was told %q", told)
	}
	owned(t, r, r.tellHeld)
	m := onlyEvents(t, eve.told())
	if len(m.Events) != 3 || m.Version != r.shown {
		t.Errorf("eve was told of %d events up to %d, want 3 up to %d", len(m.Events), m.Version, r.shown)
	}
	move(bob, "4", 3, "i10")
	if m := onlyEvents(t, eve.told()); len(m.Events) != 1 {
		t.Errorf("then eve was told of %d events at once, want 1", len(m.Events))
	}
	owned(t, r, r.tellHeld)
	if told := eve.told(); len(told) != 0 {
		t.Errorf("eve was told %q twice", told)
	}
}

func TestWhoTakesASeatOfAPressedNodeSeesIt(t *testing.T) {
	t.Parallel()
	h := idleHub(t, newFrail(t), asker{})
	ann := match.Player{ID: "ann", Name: "Ann"}
	events, err := match.Create(match.Command{By: ann}, match.Game{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}},
		match.DefaultLimits(), rules.Black, nil, h.clock.now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.found(t.Context(), "open", events); err != nil {
		t.Fatal(err)
	}
	pressed(h, noNewGames)
	follows(t, h, "ann", "open")
	bob := follows(t, h, "bob", "open")
	if _, err := bob.play(t.Context(), request{ID: "sit", Room: "open"}, match.Sit{}); err != nil {
		t.Fatal(err)
	}
	if m := onlyEvents(t, bob.told()); m.ID != "sit" {
		t.Errorf("he was told %+v", m)
	}
	eve := offline(h, "eve")
	err = eve.join(t.Context(), request{ID: "join", Room: "open"})
	if r := refusalOf(err); r.code != "busy" || r.retry == 0 {
		t.Errorf("eve came to watch: %v", err)
	}
	if len(eve.rooms) > 0 {
		t.Error("she follows the room")
	}
	again := follows(t, h, "bob", "open") // his line broke
	if len(again.rooms) != 1 {
		t.Error("a player could not come back")
	}
	if _, err := h.create(t.Context(), eve, request{ID: "new", Game: &match.Game{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}}}); refusalOf(err).code != "busy" {
		t.Errorf("a new game: %v", err)
	}
	pressed(h, slowSpectators)
	if _, err := h.create(t.Context(), eve, request{ID: "new", Game: &match.Game{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}}}); err != nil {
		t.Errorf("a new game at the level before: %v", err)
	}
}

// onlyEvents is the one message that somebody was told.
func onlyEvents(t *testing.T, frames [][]byte) eventsMessage {
	t.Helper()
	if len(frames) != 1 {
		t.Fatalf("told %q, want one message", frames)
	}
	var m eventsMessage
	payload := frames[0][bytes.IndexByte(frames[0], '{'):]
	if err := json.Unmarshal(payload, &m); err != nil || m.Type != "events" {
		t.Fatalf("told %q: %v", payload, err)
	}
	return m
}
