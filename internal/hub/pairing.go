package hub

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"sync"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/store"
)

const (
	pairEvery  = 500 * time.Millisecond
	ticketTTL  = 10 * time.Second // how long a search outlives its last sign of life
	roomAppear = 5 * time.Second  // how long the other node has to make the room
)

// pairing is the players who search for an opponent from this node.
type pairing struct {
	mu      sync.Mutex
	seekers map[string]*seeker
	over    int              // searches that have ended
	ended   map[string]ended // how a player's last search ended, for a while
	listed  []store.Ticket   // the searches under way on all nodes, as of the last round
	now     chan struct{}    // asks for a round at once
}

// ended is a search that led to a room.
type ended struct {
	id, room string
	until    time.Time
}

// found remembers where a search led to, and forgets what is long ago.
func (p *pairing) found(s *seeker, room string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	for player, e := range p.ended {
		if now.After(e.until) {
			delete(p.ended, player)
		}
	}
	p.ended[s.player.ID] = ended{id: s.id, room: room, until: now.Add(lingering)}
}

// foundBy is the room to which the search that this command began has led.
func (p *pairing) foundBy(player, command string) (room string, found bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, found := p.ended[player]
	return e.room, found && e.id == command
}

type seeker struct {
	id     string // of the command that began it
	ticket store.Ticket
	game   match.Game
	player match.Player

	// The pairing goroutine's own:
	seen   time.Time     // last connected
	waits  time.Time     // since when the room should appear; zero: not paired
	toMake *store.Ticket // the opponent for whom the room is still to be made
}

func (p *pairing) init() {
	p.seekers, p.ended, p.now = map[string]*seeker{}, map[string]ended{}, make(chan struct{}, 1)
}

// hurry asks for a round at once.
func (p *pairing) hurry() {
	select {
	case p.now <- struct{}{}:
	default:
	}
}

func (p *pairing) get(player string) *seeker {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seekers[player]
}

func (p *pairing) put(s *seeker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seekers[s.player.ID] = s
}

// ends is how many searches have ended.
func (p *pairing) ends() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.over
}

// adopt takes a search over that was begun elsewhere, unless the player has it
// already or a later one, or one has ended since so many had: then it may be this.
func (p *pairing) adopt(s *seeker, ends int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.seekers[s.player.ID]
	if p.over != ends || known != nil && known.ticket.Begun >= s.ticket.Begun {
		return false
	}
	p.seekers[s.player.ID] = s
	return true
}

// list notes which searches are under way.
func (p *pairing) list(searches []store.Ticket) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listed = searches
}

// underWay is the searches on all nodes.
func (p *pairing) underWay() []store.Ticket {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.listed
}

// remove forgets what the player searches for.
func (p *pairing) remove(player string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over++
	delete(p.seekers, player)
}

// drop forgets a search, or reports false if it is over or another took its place.
func (p *pairing) drop(s *seeker) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seekers[s.player.ID] != s {
		return false
	}
	p.over++
	delete(p.seekers, s.player.ID)
	return true
}

func (p *pairing) all() []*seeker {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]*seeker, 0, len(p.seekers))
	for _, s := range p.seekers {
		list = append(list, s)
	}
	return list
}

// of is the player's search as clients see it, or nil.
func (p *pairing) of(player string) *seekMessage {
	if s := p.get(player); s != nil {
		m := s.message()
		return &m
	}
	return nil
}

func (s *seeker) message() seekMessage {
	return seekMessage{Type: "seeking", Since: s.ticket.Since, Game: s.game}
}

// seek begins a search, or confirms the one under way for the same game.
func (h *Hub) seek(ctx context.Context, c *client, req request) ([]byte, error) {
	if h.draining.Load() {
		return nil, errDraining
	}
	g, err := req.game()
	if err != nil {
		return nil, err
	}
	queue, err := json.Marshal(g)
	if err != nil {
		return nil, fmt.Errorf("name a queue: %w", err)
	}
	if room, found := h.pairing.foundBy(c.player.ID, req.ID); found { // sent again: it has had its effect
		c.answer(ok(req))
		c.answer(encode(pairedMessage{Type: "paired", Room: room}))
		return nil, nil
	}
	s := h.pairing.get(c.player.ID)
	if s == nil || s.ticket.Queue != string(queue) {
		if err := h.mayCreate(ctx, c); err != nil {
			return nil, err
		}
		data, err := json.Marshal(c.player)
		if err != nil {
			return nil, fmt.Errorf("write a ticket: %w", err)
		}
		s = &seeker{id: req.ID, game: g, player: c.player, seen: time.Now()}
		now := int64(h.clock.now())
		s.ticket = store.Ticket{
			Player: c.player.ID, Begun: now, Queue: string(queue), Room: rand.Text()[:16], Data: data, Since: now,
		}
		h.pairing.put(s)
		h.visitors.send(c.player.ID, encode(s.message()), c)
	}
	c.answer(ok(req))
	c.answer(encode(s.message()))
	h.pairing.hurry()
	return nil, nil
}

// unseek ends a player's search, from whichever node. If it has just found an
// opponent, there is a game.
func (h *Hub) unseek(ctx context.Context, player string) error {
	s := h.pairing.get(player)
	before := int64(h.clock.now()) - 1 // what begins in this very millisecond is a new search
	room, err := h.store.Withdraw(ctx, player, before)
	if room != "" {
		h.pairing.hurry()
		return nil
	}
	if s != nil {
		h.calledOff(s)
	}
	return err
}

// calledOff forgets a search and tells the player's connections to this node.
func (h *Hub) calledOff(s *seeker) {
	if h.pairing.drop(s) {
		h.visitors.send(s.player.ID, encode(unseekingMessage{Type: "unseeking"}), nil)
	}
}

// pairUp is the hub goroutine that brings players together, until ctx ends.
func (h *Hub) pairUp(ctx context.Context) {
	tick := time.NewTicker(pairEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := h.adoptSearches(ctx); err != nil && ctx.Err() == nil {
				h.log.Warn("could not list searches", "err", err)
			}
		case <-h.pairing.now:
		}
		for _, s := range h.pairing.all() {
			if err := h.pair(ctx, s); err != nil && ctx.Err() == nil {
				h.log.Warn("could not pair a player", "player", s.player.ID, "err", err)
			}
		}
	}
}

// adoptSearches looks at all searches under way, and takes over what players who
// are connected here search for from other nodes. So all their connections are
// told of it, and learn how it ends.
func (h *Hub) adoptSearches(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, h.cfg.StoreTimeout)
	defer cancel()
	ends := h.pairing.ends()
	tickets, err := h.store.Searches(ctx, int64(h.clock.now()))
	if err != nil {
		return err
	}
	h.pairing.list(tickets)
	for _, t := range tickets {
		if !h.visitors.connected(t.Player) {
			continue
		}
		s := &seeker{ticket: t, seen: time.Now()}
		s.ticket.Room = rand.Text()[:16]
		if err := errors.Join(json.Unmarshal(t.Data, &s.player), json.Unmarshal([]byte(t.Queue), &s.game)); err != nil {
			h.log.Warn("could not read a ticket", "player", t.Player, "err", err)
			continue
		}
		if h.pairing.adopt(s, ends) {
			h.visitors.send(t.Player, encode(s.message()), nil)
		}
	}
	return nil
}

// pair takes one search a step on.
func (h *Hub) pair(ctx context.Context, s *seeker) error {
	ctx, cancel := context.WithTimeout(ctx, h.cfg.StoreTimeout)
	defer cancel()
	if s.toMake != nil {
		return h.makePair(ctx, s)
	}
	if !h.visitors.connected(s.player.ID) { // the ticket runs out by itself; what it finds first is told to who comes back
		if time.Since(s.seen) > ticketTTL {
			h.pairing.drop(s)
		}
		return nil
	}
	s.seen = time.Now()
	if h.draining.Load() || h.pairing.get(s.player.ID) != s {
		return nil
	}
	p, err := h.store.Pair(ctx, s.ticket, int64(h.clock.now()), ticketTTL)
	if h.pairing.get(s.player.ID) != s { // called off meanwhile; an opponent found goes on searching
		return h.store.Unpair(ctx, s.player.ID)
	}
	switch {
	case err != nil:
		return err
	case p.Opponent != nil:
		s.toMake = p.Opponent
		return h.makePair(ctx, s)
	case p.Room != "":
		return h.expectRoom(ctx, s, p.Room)
	case p.Since == 0: // called off, at another node
		h.calledOff(s)
	}
	s.waits = time.Time{}
	return nil
}

// makePair makes the room of a pair that our ticket completed.
func (h *Hub) makePair(ctx context.Context, s *seeker) error {
	var opponent match.Player
	if err := json.Unmarshal(s.toMake.Data, &opponent); err != nil {
		return fmt.Errorf("read the opponent's ticket: %w", err)
	}
	color := sides[mathrand.IntN(len(sides))]
	events, err := match.Create(match.Command{By: s.player}, s.game, h.cfg.limitsFor(s.game), color, &opponent, h.clock.now())
	if err != nil {
		return err
	}
	// A conflict means that an earlier try came through after all.
	if _, err := h.found(ctx, s.ticket.Room, events); err != nil && !errors.Is(err, store.ErrConflict) {
		if s.waits.IsZero() {
			s.waits = time.Now()
		}
		if time.Since(s.waits) > roomAppear { // the opponent searches on by now, and so do we
			s.toMake, s.waits = nil, time.Time{}
			s.ticket.Room = rand.Text()[:16]
			err = errors.Join(err, h.store.Unpair(ctx, s.player.ID))
		}
		return err
	}
	h.metrics.paired.Inc()
	h.pairing.hurry() // the opponent may be ours too
	return h.paired(ctx, s, s.ticket.Room)
}

// expectRoom waits for the room that the opponent's node makes. If it does not
// come, or the game is over before the player was told, the search goes on.
func (h *Hub) expectRoom(ctx context.Context, s *seeker, room string) error {
	_, err := h.store.Read(ctx, room, 0)
	switch {
	case err == nil:
		playing, err := h.roomsOf(ctx, s.player.ID)
		if err != nil {
			return err
		}
		if !slices.Contains(playing, room) {
			return h.store.Unpair(ctx, s.player.ID)
		}
		return h.paired(ctx, s, room)
	case !errors.Is(err, store.ErrNotFound):
		return err
	case s.waits.IsZero():
		s.waits = time.Now()
	case time.Since(s.waits) > roomAppear:
		s.waits = time.Time{}
		return h.store.Unpair(ctx, s.player.ID)
	}
	return nil
}

func (h *Hub) paired(ctx context.Context, s *seeker, room string) error {
	h.pairing.found(s, room)
	h.pairing.remove(s.player.ID) // also what was begun a moment ago: who plays searches no more
	if !h.visitors.connected(s.player.ID) {
		return nil // whoever they ask next tells them
	}
	h.visitors.send(s.player.ID, encode(pairedMessage{Type: "paired", Room: room}), nil)
	return h.store.Settle(ctx, s.player.ID, room, int64(h.clock.now()))
}
