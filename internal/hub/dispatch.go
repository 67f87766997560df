package hub

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// maxBlunders is how many senseless messages a connection may send.
const maxBlunders = 20

// handle runs one message to its end.
func (c *client) handle(ctx context.Context, data []byte) {
	if !c.allowed(data) {
		return
	}
	began := time.Now()
	req, err := parseRequest(data)
	if err != nil {
		c.answer(refuse("bad_message", sentence(err)).message(req.ID, ""))
		if c.blunder++; c.blunder > maxBlunders {
			c.kick(closeBadMessage, "too many bad messages")
		}
		return
	}
	answer, err := c.visitor.recall(req.ID, data)
	if answer == nil && err == nil {
		err = contain(func() error {
			answer, err = c.serve(ctx, req)
			return err
		})
		c.hub.metrics.answered(req.Type, err, began)
	}
	if err != nil {
		r := refusalOf(err)
		if r.code == "internal" {
			c.hub.log.Error("could not serve a command", "type", req.Type, "room", req.Room, "err", err)
		}
		answer = r.message(req.ID, req.Room)
		if r.final() && ctx.Err() == nil {
			c.visitor.remember(req.ID, data, answer)
		}
	}
	if answer != nil {
		c.answer(answer)
	}
}

// allowed keeps to the rates.
func (c *client) allowed(data []byte) bool {
	cfg, now := &c.hub.cfg, time.Now()
	if c.rate.take(now, cfg.CommandsPerSecond, 2*cfg.CommandsPerSecond+1) && c.visitor.mayCommand(cfg, now) {
		return true
	}
	if !c.patient() {
		return false
	}
	req, _ := parseRequest(data)
	r := refusal{code: "too_many", text: "Too many commands at once.", limit: "commands_per_second", retry: time.Second}
	c.answer(r.message(req.ID, req.Room))
	return false
}

// patient reports whether something beyond the commands that are allowed is
// borne once more. Who goes on and on is cut off.
func (c *client) patient() bool {
	if c.floods.take(time.Now(), 10, 100) {
		return true
	}
	c.kick(closeFlood, "too many commands")
	return false
}

// serve carries out one command. Its answer may be nil: then the room's events
// are the answer.
func (c *client) serve(ctx context.Context, req request) ([]byte, error) {
	switch req.Type {
	case "ping":
		return encode(pongMessage{Type: "pong", ID: req.ID, Now: int64(c.hub.clock.now())}), nil
	case "lobby":
		if req.On == nil {
			return nil, refuse("bad_message", "on is missing.")
		}
		c.answer(ok(req))
		c.hub.lobby.watch(c, *req.On)
		return nil, nil
	case "seek":
		return c.hub.seek(ctx, c, req)
	case "unseek":
		return ok(req), c.hub.unseek(ctx, c.player.ID)
	case "create":
		return c.hub.create(ctx, c, req)
	case "join":
		return nil, c.join(ctx, req)
	case "leave":
		return ok(req), c.leave(ctx, req.Room)
	}
	act, err := req.action()
	if err != nil {
		return nil, err
	}
	return c.play(ctx, req, act)
}

// action is what a room command asks for.
func (r request) action() (match.Action, error) {
	switch r.Type {
	case "sit":
		return match.Sit{}, nil
	case "place", "pass":
		if r.Ply == nil {
			return nil, refuse("bad_message", "ply is missing.")
		}
		if r.Type == "pass" {
			return match.Pass{Ply: *r.Ply}, nil
		}
		p, err := rules.ParsePoint(r.Point)
		if err != nil {
			return nil, refuse("off_board", "That is no point of a board.")
		}
		return match.Place{Ply: *r.Ply, Point: p}, nil
	case "resign":
		return match.Resign{}, nil
	case "abort":
		return match.Abort{}, nil
	case "claim":
		return match.Claim{}, nil
	case "offer", "accept", "decline":
		switch r.What {
		case match.Draw, match.Takeback, match.Rematch:
		default:
			return nil, refuse("bad_message", `what must be "draw", "takeback" or "rematch".`)
		}
		switch r.Type {
		case "offer":
			return match.Offer{What: r.What}, nil
		case "accept":
			return match.Accept{What: r.What}, nil
		}
		return match.Decline{What: r.What}, nil
	}
	return nil, refuse("unknown_type", "There is no command of that type.")
}

// play runs a room command. The events that it leads to are its answer; only
// where there are none is it answered by itself.
func (c *client) play(ctx context.Context, req request, act match.Action) ([]byte, error) {
	r := c.in(req.Room)
	if r == nil {
		return nil, errNotJoined
	}
	received := c.hub.clock.now()
	if err := r.takeSoon(ctx); err != nil {
		return nil, err
	}
	defer r.give()
	before := r.shown
	cmd := match.Command{ID: req.ID, By: c.player, Lag: c.lag(), Version: req.Version, Act: act}
	version, err := r.command(ctx, cmd, received)
	var done match.Repeated
	if errors.As(err, &done) {
		version, err = done.Version, nil
	} else if err == nil && r.shown > before {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return encode(okMessage{Type: "ok", ID: req.ID, Room: req.Room, Version: version}), nil
}

// join follows a room and sends what the client is missing of it.
func (c *client) join(ctx context.Context, req request) error {
	r := c.in(req.Room)
	if r != nil {
		if err := r.takeSoon(ctx); err != nil {
			return err
		}
		defer r.give()
		c.hub.settle(ctx, r)
	} else {
		if len(c.rooms) >= c.hub.cfg.FollowedRooms {
			return &refusal{code: "too_many", text: "You follow too many rooms. Leave one first.", limit: "followed_rooms"}
		}
		var err error
		if r, err = c.hub.open(ctx, req.Room); err != nil {
			return err
		}
		if err := c.mayWatch(r); err != nil {
			c.hub.shut(r)
			return err
		}
		defer r.give() // the reference stays until the client leaves
		c.rooms = append(c.rooms, r)
		c.hub.settle(ctx, r)
		r.enter(c)
	}
	if err := r.refresh(ctx); err != nil {
		return err
	}
	if err := r.reach(ctx, req.Epoch, req.Have); err != nil {
		return err
	}
	c.send(r.resumeFrame(req.ID, req.Epoch, req.Have)) // not answer: the room waits for nobody who does not read
	return c.comeBack(ctx, r)
}

// comeBack notes that a player who was away is there again.
func (c *client) comeBack(ctx context.Context, r *room) error {
	side := r.seatOf(c.player.ID)
	if side == rules.Empty || r.state.Seats.Of(side).Away == 0 {
		return nil
	}
	if _, err := r.command(ctx, match.Command{Act: match.Return{Color: side}}, c.hub.clock.now()); err != nil {
		c.hub.log.Warn("could not note a return", "room", r.id, "err", err) // the next look at the seats will
	}
	return nil
}

// leave stops following a room.
func (c *client) leave(ctx context.Context, id string) error {
	r := c.in(id)
	if r == nil {
		return errNotJoined
	}
	if err := r.takeSoon(ctx); err != nil {
		return err
	}
	c.rooms = slices.DeleteFunc(c.rooms, func(other *room) bool { return other == r })
	r.leave(c)
	c.hub.shut(r)
	return nil
}

func ok(req request) []byte { return encode(okMessage{Type: "ok", ID: req.ID, Room: req.Room}) }

// sentence makes an error of our own presentable.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
