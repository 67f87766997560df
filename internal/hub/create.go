package hub

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/rules"
	"gomokud/internal/store"
)

// greet says hello and what a client may have forgotten: its games and its
// search.
func (h *Hub) greet(ctx context.Context, c *client) {
	rooms, err := h.roomsOf(ctx, c.player.ID)
	if err != nil {
		h.log.Warn("could not list a player's games", "err", err)
	}
	if rooms == nil {
		rooms = []string{}
	}
	c.post(encode(helloMessage{
		Type: "hello", Protocol: 1, Node: h.cfg.Node, Now: int64(h.clock.now()),
		You: person{ID: c.player.ID, Name: c.player.Name}, Rooms: rooms,
		Seeking: h.pairing.of(c.player.ID),
		Limits:  helloLimits{MessageBytes: h.cfg.MessageBytes, CommandsPerSecond: h.cfg.CommandsPerSecond},
	}))
	c.ping()              // in the same write
	if h.trouble.Load() { // who was here before has been told
		c.send(encode(serviceMessage{Type: "service", Store: "unreachable"}))
	}
}

// roomsOf are the rooms in which the player has a game in progress.
func (h *Hub) roomsOf(ctx context.Context, player string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, h.cfg.StoreTimeout)
	defer cancel()
	return h.store.RoomsOf(ctx, player)
}

// game checks the game of a command.
func (r request) game() (match.Game, error) {
	if r.Game == nil {
		return match.Game{}, refuse("bad_game", "game is missing.")
	}
	g := *r.Game
	if err := g.Normalize(); err != nil {
		return match.Game{}, refuse("bad_game", sentence(err))
	}
	return g, nil
}

// create makes a room for a player and a friend, or a bot. The room's name
// follows from the command, so that a repeated one finds what the first made.
func (h *Hub) create(ctx context.Context, c *client, req request) ([]byte, error) {
	if h.draining.Load() {
		return nil, errDraining
	}
	g, err := req.game()
	if err != nil {
		return nil, err
	}
	color, err := hostColor(req.Color)
	if err != nil {
		return nil, err
	}
	var opponent *match.Player
	if req.Bot != "" {
		bot, ok := h.bots[req.Bot]
		if !ok {
			return nil, refuse("no_such_bot", "There is no such computer opponent.")
		}
		opponent = &match.Player{ID: "bot:" + bot.Name, Name: bot.Title, Bot: bot.Name}
	}
	id, err := h.roomName(ctx, c.player.ID, req.ID)
	if err != nil {
		return nil, err
	}
	cmd := match.Command{ID: req.ID, By: c.player, Act: match.New{Game: g, Color: req.Color, Bot: req.Bot}}
	if done, err := h.createdBefore(ctx, id, cmd); done != nil || err != nil {
		return done, err
	}
	if bot := h.bots[req.Bot]; bot.Works != nil && !bot.Works() {
		return nil, refuse("no_such_bot", "That computer opponent cannot play at the moment.")
	}
	if err := h.mayCreate(ctx, c); err != nil {
		return nil, err
	}
	events, err := match.Create(cmd, g, h.cfg.limitsFor(g), color, opponent, h.clock.now())
	if err != nil {
		return nil, err
	}
	version, err := h.found(ctx, id, events)
	if errors.Is(err, store.ErrConflict) { // the same command beside us was faster
		return h.createdBefore(ctx, id, cmd)
	}
	if err != nil {
		return nil, err
	}
	return encode(okMessage{Type: "ok", ID: req.ID, Room: id, Version: version}), nil
}

func hostColor(wish string) (rules.Color, error) {
	switch wish {
	case "black":
		return rules.Black, nil
	case "white":
		return rules.White, nil
	case "random", "":
		return sides[rand.IntN(2)], nil
	}
	return rules.Empty, refuse("bad_message", `color must be "black", "white" or "random".`)
}

// mayCreate keeps one player from filling the house.
func (h *Hub) mayCreate(ctx context.Context, c *client) error {
	if h.pressure.sheds(noNewGames, "games") {
		return &refusal{code: "busy", text: "Too much is going on here for new games. Try again in a moment.", retry: 5 * time.Second}
	}
	if err := h.arrivals.mayFound(c.household); err != nil {
		return err
	}
	if !c.visitor.mayCreate(&h.cfg, time.Now()) {
		return &refusal{code: "too_many", text: "You make new games too quickly.", limit: "rooms_per_minute", retry: time.Duration(float64(time.Minute) / h.cfg.RoomsPerMinute)}
	}
	rooms, err := h.roomsOf(ctx, c.player.ID)
	if err != nil {
		return err
	}
	if len(rooms) >= h.cfg.RoomsPerSession {
		return &refusal{code: "too_many", text: "You have too many unfinished games. Finish or abort one first.", limit: "rooms_per_session"}
	}
	return nil
}

// createdBefore answers a repeated create.
func (h *Hub) createdBefore(ctx context.Context, id string, cmd match.Command) ([]byte, error) {
	tail, err := h.store.Read(ctx, id, 0)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, raw := range tail.Events {
		e, err := match.Decode(raw)
		if err != nil {
			return nil, err
		}
		if e.Cmd == nil {
			continue
		}
		if !cmd.Made(*e.Cmd) {
			break
		}
		return encode(okMessage{Type: "ok", ID: cmd.ID, Room: id, Version: tail.Version}), nil
	}
	return nil, match.ErrReusedID
}

// roomName is 16 characters that follow from who asked and how, and that
// nobody else can foretell.
func (h *Hub) roomName(ctx context.Context, player, command string) (string, error) {
	key, err := h.store.Secret(ctx)
	if err != nil {
		return "", fmt.Errorf("name a room: %w", err)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "gomokud room v1\x00%s\x00%s", player, command)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:12]), nil
}

// found stores the first events of a room and wakes a bot that begins.
func (h *Hub) found(ctx context.Context, id string, events []match.Event) (version int, err error) {
	c := store.Commit{Room: id}
	state := new(match.State)
	for _, e := range events {
		raw, err := match.Encode(e)
		if err == nil {
			err = state.Apply(e)
		}
		if err != nil {
			return 0, fmt.Errorf("found room %s: %w", id, err)
		}
		c.Events = append(c.Events, raw)
	}
	plan(&c, state, events)
	ctx, cancel := context.WithTimeout(ctx, h.cfg.StoreTimeout)
	defer cancel()
	if err := h.store.Append(ctx, c); err != nil {
		return 0, fmt.Errorf("found room %s: %w", id, err)
	}
	if _, bot := state.BotToMove(); bot {
		h.spawn(func(ctx context.Context) { h.tick(ctx, id) })
	}
	return state.Version, nil
}
