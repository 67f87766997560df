package hub

import (
	"context"
	"slices"
	"time"

	"gomokud/internal/match"
	"gomokud/internal/rules"
	"gomokud/internal/store"
)

// A seat is left when no connection on any node follows the room for its
// player; it is in the log, because a claim rests on it.
const (
	departGrace   = 3 * time.Second  // a reload takes less
	remoteCheck   = 10 * time.Second // how often a seat that is served elsewhere is looked after
	attendanceTTL = 25 * time.Second
)

var sides = [...]rules.Color{rules.Black, rules.White}

// viewer is a client that follows a room.
type viewer struct {
	*client
	side rules.Color // that it plays; Empty: a spectator
}

// enter lets a client follow the room.
func (r *room) enter(c *client) {
	if r.viewerOf(c) >= 0 {
		return
	}
	r.viewers = append(r.viewers, viewer{client: c, side: r.seat(c)})
	if r.state == nil { // nobody knows who has a seat
		r.counted = match.ByColor[string]{}
	}
	r.hub.crowds.changed(r.id)
	r.watchSeats()
}

// viewerOf is the place of a client among the viewers, or -1.
func (r *room) viewerOf(c *client) int {
	return slices.IndexFunc(r.viewers, func(v viewer) bool { return v.client == c })
}

// seat notes that a client is here, and returns the side that it plays, if any.
func (r *room) seat(c *client) rules.Color {
	side := r.seatOf(c.player.ID)
	if side != rules.Empty {
		*r.here.Of(side)++
		r.seated = append(r.seated, c)
	}
	return side
}

// leave ends that.
func (r *room) leave(c *client) {
	place := r.viewerOf(c)
	if place < 0 {
		return
	}
	if side := r.viewers[place].side; side != rules.Empty {
		*r.here.Of(side)--
		r.seated = slices.DeleteFunc(r.seated, func(other *client) bool { return other == c })
	}
	r.viewers = slices.Delete(r.viewers, place, place+1)
	r.hub.crowds.changed(r.id)
	r.watchSeats()
}

// count finds out anew who is here when seats have changed hands. While nobody
// knows who has a seat, the last count stands.
func (r *room) count() {
	if r.state == nil {
		return
	}
	players := match.ByColor[string]{Black: r.state.Seats.Black.ID, White: r.state.Seats.White.ID}
	if players == r.counted {
		return
	}
	r.counted, r.here, r.seated = players, match.ByColor[int]{}, nil
	for i := range r.viewers {
		v := &r.viewers[i]
		v.side = r.seat(v.client)
	}
}

// local is what this node sees of the room.
func (r *room) local() store.Attendance {
	return store.Attendance{
		Black: r.here.Black > 0, White: r.here.White > 0,
		Spectators: max(0, len(r.viewers)-r.here.Black-r.here.White),
	}
}

// astray reports whether some seat's place in the log is not what this node
// sees: left though here, or not here though not left.
func (r *room) astray() bool {
	if r.state == nil || r.state.Phase != match.Playing {
		return false
	}
	for _, side := range sides {
		seat := r.state.Seats.Of(side)
		if seat.Bot == "" && (*r.here.Of(side) > 0) == (seat.Away > 0) {
			return true
		}
	}
	return false
}

// watchSeats arranges for a look at the seats if one seems to be left, while
// somebody is here to whom it matters.
func (r *room) watchSeats() {
	r.count()
	if r.check == nil && len(r.viewers) > 0 && r.astray() {
		r.checkIn(departGrace)
	}
}

func (r *room) checkIn(d time.Duration) {
	r.check = time.AfterFunc(d, func() {
		r.hub.spawn(func(ctx context.Context) {
			if r.take(ctx) != nil {
				return
			}
			defer r.give()
			if r.check = nil; r.closed || len(r.viewers) == 0 {
				return
			}
			if err := r.contain(func() error { return r.checkSeats(ctx) }); err != nil && ctx.Err() == nil {
				r.hub.log.Warn("could not look after the seats", "room", r.id, "err", err)
			}
			if r.check == nil && (r.state == nil || r.astray()) {
				r.checkIn(remoteCheck)
			}
		})
	})
}

// checkSeats writes into the log who has left and who is back, as all nodes
// together see it.
func (r *room) checkSeats(ctx context.Context) error {
	if err := r.refresh(ctx); err != nil || !r.astray() {
		return err
	}
	total, err := r.hub.attend(ctx, r.id, r.local())
	if err != nil {
		return err
	}
	for side, there := range map[rules.Color]bool{rules.Black: total.Black, rules.White: total.White} {
		var news match.Action = match.Depart{Color: side}
		if there {
			news = match.Return{Color: side}
		}
		if r.state == nil {
			return nil // a commit failed; the next look goes on
		}
		if _, err := r.command(ctx, match.Command{Act: news}, r.hub.clock.now()); err != nil {
			return err
		}
	}
	return nil
}
