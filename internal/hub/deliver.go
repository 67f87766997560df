package hub

import (
	"context"
	"iter"
)

// few is to how many a message goes at once; more are left to a helper.
const few = 8

// deliver sends a frame to clients. Nobody waits while many sockets are written
// to, one after the other.
func (h *Hub) deliver(frame []byte, to iter.Seq[*client]) {
	var waiting []*client
	for c := range to {
		if c.post(frame) {
			waiting = append(waiting, c)
		}
	}
	if len(waiting) > few && h.spawn(func(context.Context) { flushAll(waiting) }) {
		return
	}
	flushAll(waiting)
}

func flushAll(clients []*client) {
	for _, c := range clients {
		c.flush()
	}
}

// broadcast sends a frame to everybody who follows the room, first of all to
// those who play.
func (r *room) broadcast(frame []byte) {
	for _, c := range r.seated {
		c.send(frame)
	}
	if len(r.viewers) == len(r.seated) {
		return
	}
	r.hub.deliver(frame, r.spectators())
}
