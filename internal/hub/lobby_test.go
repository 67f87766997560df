package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/match"
	"gomokud/internal/rules"
	"gomokud/internal/store"
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

// TestToBeFoundGoneIsNoSignOfLife: when nobody follows a game, it may take long
// until that is noted in its log.
func TestToBeFoundGoneIsNoSignOfLife(t *testing.T) {
	t.Parallel()
	h, second := lobbied(t)
	room := newBotTable(t, h)
	second()
	h.later(10 * time.Minute)
	r, err := h.open(t.Context(), room)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.command(t.Context(), match.Command{Act: match.Depart{Color: rules.Black}}, h.clock.now()); err != nil {
		t.Fatal(err)
	}
	r.give()
	h.release(r)
	second()
	if second(); h.shows(t, room) {
		t.Error("a game that everybody has left is on show")
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

func TestTheLobbyTellsForWhatPlayersWait(t *testing.T) {
	t.Parallel()
	h, second := lobbied(t)
	eve := offline(h, "eve")
	told := func() (waiting []*[]wanted) {
		t.Helper()
		if err := h.adoptSearches(t.Context()); err != nil {
			t.Fatal(err)
		}
		second()
		for _, frame := range eve.told() {
			var m gamesMessage
			if err := json.Unmarshal(frame[bytes.IndexByte(frame, '{'):], &m); err != nil {
				t.Fatal(err)
			}
			waiting = append(waiting, m.Waiting)
		}
		return waiting
	}
	seeks := func(player, queue string) {
		t.Helper()
		ticket := store.Ticket{Player: player, Begun: 1, Queue: queue, Room: player, Data: []byte(`{}`)}
		if _, err := h.store.Pair(t.Context(), ticket, int64(h.clock.now()), ticketTTL); err != nil {
			t.Fatal(err)
		}
	}
	h.lobby.watch(eve, true)
	if first := told(); len(first) != 1 || first[0] == nil || len(*first[0]) > 0 {
		t.Fatalf("told at first: %v, want that nobody waits", first)
	}
	seeks("ann", `{"rule":"caro","size":"9x9","clock":{}}`)
	seeks("bob", "of what?")
	want := []wanted{{match.Game{Rule: rules.Caro, Size: rules.Size{Width: 9, Height: 9}}, 1}}
	if news := told(); len(news) != 1 || news[0] == nil || !slices.Equal(*news[0], want) {
		t.Errorf("told: %v, want %v", news, want)
	}
	if news := told(); len(news) > 0 {
		t.Errorf("told, though nothing has changed: %v", news)
	}
	newBotTable(t, h)
	if news := told(); len(news) != 1 || news[0] != nil {
		t.Errorf("told of a new game with who waits: %v", news)
	}
	if whole := h.onShow(t).Waiting; whole == nil || !slices.Equal(*whole, want) {
		t.Errorf("who comes is told %v, want %v", whole, want)
	}
}

func TestWhatMostWaitForComesFirstAndTheListIsBounded(t *testing.T) {
	t.Parallel()
	var searches []store.Ticket
	for side := range 2 * wantedShown {
		for range side + 1 {
			searches = append(searches, store.Ticket{Queue: fmt.Sprintf(`{"rule":"caro","size":"9x%d","clock":{}}`, rules.MinSide+side%20)})
		}
	}
	list := wantedGames(searches)
	if len(list) != wantedShown || !slices.IsSortedFunc(list, func(a, b wanted) int { return b.Players - a.Players }) {
		t.Errorf("the list is %v", list)
	}
}
