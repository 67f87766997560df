package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"gomokud/internal/ai"
)

// later sets a hub's clock on.
func (h *Hub) later(d time.Duration) {
	m := *h.clock.measured.Load()
	m.theirs = m.theirs.Add(d)
	h.clock.measured.Store(&m)
}

// lobbied is a hub whose lobby somebody watches, and its next second.
func lobbied(t *testing.T) (h *Hub, second func()) {
	t.Helper()
	h = idleHub(t, newFrail(t), asker{make(chan func(ai.Answer), 100)})
	l := &h.lobby
	l.rooms, l.cards, l.empty = map[string]*room{}, map[string]card{}, map[string]time.Time{}
	t.Cleanup(h.hideGames)
	return h, func() {
		t.Helper()
		for id := range h.crowds.take() {
			for _, r := range h.all() {
				if r.id == id {
					if err := h.countCrowd(t.Context(), r); err != nil {
						t.Fatal(err)
					}
				}
				h.release(r)
			}
		}
		gone, err := h.chooseGames(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		h.tellGames(h.drawCards(t.Context()), gone)
	}
}

// onShow is what somebody sees who comes now.
func (h *Hub) onShow(t *testing.T) gamesMessage {
	t.Helper()
	h.lobby.mu.Lock()
	defer h.lobby.mu.Unlock()
	var m gamesMessage
	if err := json.Unmarshal(h.lobby.latest[bytes.IndexByte(h.lobby.latest, '{'):], &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func (h *Hub) shows(t *testing.T, room string) bool {
	t.Helper()
	return slices.ContainsFunc(h.onShow(t).Games, func(g gameCard) bool { return g.Room == room })
}

func TestADesertedGameIsNotLive(t *testing.T) {
	t.Parallel()
	h, second := lobbied(t)
	room := newBotTable(t, h)
	ann := follows(t, h, "ann", room)
	second()
	if !h.shows(t, room) {
		t.Fatal("a game under way is not on show")
	}
	h.later(10 * time.Minute)
	if second(); !h.shows(t, room) {
		t.Error("it is not on show while its player thinks")
	}
	if err := ann.leave(t.Context(), room); err != nil {
		t.Fatal(err)
	}
	if second(); !h.shows(t, room) {
		t.Error("it is not on show though its player has just left")
	}
	h.later(3 * time.Minute)
	second()
	if second(); h.shows(t, room) {
		t.Error("it is on show though nobody plays")
	}
	if second(); len(h.lobby.rooms) > 0 {
		t.Error("it is followed though it is not on show")
	}
	follows(t, h, "ann", room)
	h.lobby.empty[room] = time.Now().Add(-time.Second)
	if second(); !h.shows(t, room) {
		t.Error("it is not on show though its player is back")
	}
}

// TestDesertedGamesTakeNoPlace that a game which is played could have.
func TestDesertedGamesTakeNoPlace(t *testing.T) {
	t.Parallel()
	h, second := lobbied(t)
	played := newBotTable(t, h)
	follows(t, h, "ann", played)
	for range gamesShown + 2 {
		newBotTable(t, h)
	}
	h.later(time.Hour)
	for range 3 {
		second()
	}
	if m := h.onShow(t); len(m.Games) != 1 || m.Games[0].Room != played {
		t.Errorf("%d games are on show, want the one that is played", len(m.Games))
	}
}

func TestWhoLooksIsOnline(t *testing.T) {
	t.Parallel()
	h, second := lobbied(t)
	ann := offline(h, "ann")
	ann.visitor.clients = []*client{ann}
	h.visitors.byID["ann"] = ann.visitor
	second()
	if m := h.onShow(t); m.Online != 1 {
		t.Errorf("%d players are online, want 1", m.Online)
	}
	h.countOnline(context.Background(), 1)
	if second(); h.onShow(t).Online != 1 {
		t.Error("ann is counted twice")
	}
}
