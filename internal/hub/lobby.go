package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/store"
)

const (
	gamesShown  = 24             // live games in the lobby
	gamesSought = 4 * gamesShown // among the latest begun, as some are deserted
	wantedShown = 12             // games that players wait for
	cardWait    = 100 * time.Millisecond

	desertedFor   = match.Minute     // nobody has sat at a table, and no move has been made
	desertedAgain = 30 * time.Second // it is looked at again
)

// lobby shows live games to those who look for one to watch. The rooms are
// followed as any viewer follows them, once for everybody.
type lobby struct {
	mu       sync.Mutex
	watchers map[*client]struct{}
	latest   []byte // everything on show, for those who come

	// The showing goroutine's own:
	rooms   map[string]*room
	cards   map[string]card
	empty   map[string]time.Time // games on the list that nobody plays, until when they are passed over
	online  int                  // as last told
	waiting []wanted             // as last told
}

type card struct {
	version, spectators int
	game                gameCard
	attended            match.Instant // when somebody was last seen to sit there
}

// watch begins or ends a client's look at the games.
func (l *lobby) watch(c *client, on bool) {
	if !on {
		l.remove(c)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.watchers == nil {
		l.watchers = map[*client]struct{}{}
	}
	if _, already := l.watchers[c]; already {
		return // and sees all there is: it is too much to be had for the asking
	}
	l.watchers[c] = struct{}{}
	if l.latest != nil {
		c.send(l.latest)
	}
}

func (l *lobby) remove(c *client) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.watchers, c)
}

func (l *lobby) watched() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.watchers) > 0
}

// tellWatchers keeps the whole for newcomers and sends the change to the others.
func (h *Hub) tellWatchers(whole, change []byte) {
	l := &h.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.latest == nil
	l.latest = whole
	if first {
		change = whole
	}
	h.deliver(change, maps.Keys(l.watchers))
}

// close forgets what was on show, so that who comes later sees nothing stale.
func (l *lobby) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.latest = nil
}

// showGames keeps the lobby up to date until ctx ends, once a second at most.
func (h *Hub) showGames(ctx context.Context) {
	l := &h.lobby
	l.rooms, l.cards, l.empty = map[string]*room{}, map[string]card{}, map[string]time.Time{}
	defer h.hideGames()
	for sleep(ctx, time.Second) {
		if !l.watched() {
			h.hideGames()
			continue
		}
		if h.pressure.sheds(noThumbnails, "thumbnails") {
			continue
		}
		gone, err := h.chooseGames(ctx)
		if err != nil {
			if ctx.Err() == nil {
				h.log.Warn("could not list live games", "err", err)
			}
			continue
		}
		changed := h.drawCards(ctx)
		h.tellGames(changed, gone)
	}
}

// chooseGames follows the rooms on the list of live games, but for those that are
// deserted, and lets go of those that left it. What it lets go of was shown in
// its last state before.
func (h *Hub) chooseGames(ctx context.Context) (gone []string, err error) {
	l := &h.lobby
	ids, err := h.store.Live(ctx, gamesSought)
	if err != nil {
		return nil, err
	}
	live := map[string]bool{}
	maps.DeleteFunc(l.empty, func(_ string, until time.Time) bool { return time.Now().After(until) })
	for _, id := range ids {
		if _, empty := l.empty[id]; empty {
			continue
		}
		if live[id] = true; l.rooms[id] == nil {
			h.followGame(ctx, id)
		}
		if len(live) == gamesShown {
			break
		}
	}
	for id, r := range l.rooms {
		if _, empty := l.empty[id]; empty || !live[id] && (l.cards[id].game.Over || len(l.rooms) > gamesShown) {
			if l.cards[id].version > 0 {
				gone = append(gone, id)
			}
			delete(l.rooms, id)
			delete(l.cards, id)
			h.release(r)
		}
	}
	return gone, nil
}

// followGame follows a room, knowing who is there.
func (h *Hub) followGame(ctx context.Context, id string) {
	r, err := h.open(ctx, id)
	if err != nil {
		return // ended this very moment, or the store is away
	}
	r.give()
	h.lobby.rooms[id] = r
	if err := h.countCrowd(ctx, r); err != nil && ctx.Err() == nil {
		h.log.Warn("could not count who is in a room", "room", id, "err", err)
	}
}

// drawCards returns the games that look different from before. A room that is
// busy is left for the next time: thumbnails wait, players do not.
func (h *Hub) drawCards(ctx context.Context) []gameCard {
	l := &h.lobby
	changed := []gameCard{}
	for id, r := range l.rooms {
		wait, cancel := context.WithTimeout(ctx, cardWait)
		if r.take(wait) == nil {
			if s := r.state; s != nil && s.Number > 0 {
				old := l.cards[id]
				now := old
				if now.attended = r.attended(old.attended); h.deserted(s, now.attended) {
					l.empty[id] = time.Now().Add(desertedAgain)
				} else if old.version != s.Version || old.spectators != r.total.Spectators {
					now.version, now.spectators, now.game = s.Version, r.total.Spectators, newCard(r)
					changed = append(changed, now.game)
				}
				l.cards[id] = now
			}
			r.give()
		}
		cancel()
	}
	return changed
}

// attended is when somebody was last seen to sit at the table.
func (r *room) attended(before match.Instant) match.Instant {
	if r.total.Black || r.total.White {
		return r.hub.clock.now()
	}
	return before
}

// deserted reports whether nobody plays a game any more that is not over: bots
// sit on for ever. That a player has gone may be noted late, and is no sign of life.
func (h *Hub) deserted(s *match.State, attended match.Instant) bool {
	return s.Phase == match.Playing && match.Millis(h.clock.now()-max(s.Since, attended)) > desertedFor
}

func newCard(r *room) gameCard {
	s := r.state
	return gameCard{
		Room: r.id, Rule: s.Game.Rule, Size: s.Game.Size, Clock: s.Game.Clock,
		Black: s.Seats.Black.Player, White: s.Seats.White.Player,
		Moves: append([]match.Move{}, s.Moves...), Spectators: r.total.Spectators,
		Over: s.Phase == match.Over,
	}
}

func (h *Hub) tellGames(changed []gameCard, gone []string) {
	l := &h.lobby
	online := max(int(h.online.Load()), h.visitors.online()) // who has just come is not counted everywhere yet
	all := make([]gameCard, 0, len(l.cards))
	for _, c := range l.cards {
		if c.version > 0 { // it has been shown
			all = append(all, c.game)
		}
	}
	waiting := wantedGames(h.pairing.underWay())
	whole := encode(gamesMessage{Type: "games", Online: online, Games: all, Gone: []string{}, Waiting: &waiting})
	change := gamesMessage{Type: "games", Online: online, Games: changed, Gone: append([]string{}, gone...)}
	if !slices.Equal(waiting, l.waiting) {
		change.Waiting = &waiting
	}
	if len(changed)+len(gone) > 0 || change.Waiting != nil || online != l.online || l.latest == nil {
		l.online, l.waiting = online, waiting
		h.tellWatchers(whole, encode(change))
	}
}

// wantedGames is what players search for: first what most wait for.
func wantedGames(searches []store.Ticket) []wanted {
	players := map[string]int{}
	for _, t := range searches {
		players[t.Queue]++
	}
	queues := slices.SortedFunc(maps.Keys(players), func(a, b string) int {
		return cmp.Or(cmp.Compare(players[b], players[a]), cmp.Compare(a, b))
	})
	list := []wanted{}
	for _, queue := range queues {
		w := wanted{Players: players[queue]}
		if json.Unmarshal([]byte(queue), &w.Game) != nil {
			continue
		}
		if list = append(list, w); len(list) == wantedShown {
			break
		}
	}
	return list
}

func (h *Hub) hideGames() {
	l := &h.lobby
	for id, r := range l.rooms {
		h.release(r)
		delete(l.rooms, id)
	}
	clear(l.cards)
	clear(l.empty)
	l.waiting = nil
	l.close()
}
