package hub

import (
	"encoding/json"

	"gomokud/internal/match"
)

// eventsFrame is the message that carries the latest events to the viewers.
func (r *room) eventsFrame(raw [][]byte, cmd *match.Stamp) []byte {
	now := r.hub.clock.now()
	m := eventsMessage{
		Type: "events", Room: r.id, Version: r.state.Version, Now: int64(now),
		Events: rawMessages(raw), View: newView(r.state, now),
	}
	if cmd != nil {
		m.ID, m.By = cmd.ID, cmd.By
	}
	return m.encode()
}

// resumeFrame answers a join: with the tail if the client has a recent version
// of this log, else with everything.
func (r *room) resumeFrame(id, epoch string, have int) []byte {
	now := r.hub.clock.now()
	if missing := r.state.Version - have; epoch == r.epoch && have > 0 && missing >= 0 && missing <= len(r.recent) {
		m := eventsMessage{
			Type: "events", Room: r.id, ID: id, Version: r.state.Version, Now: int64(now),
			Events: rawMessages(r.recent[len(r.recent)-missing:]), View: newView(r.state, now),
		}
		return m.encode()
	}
	return r.wholeFrame(id, now)
}

func (r *room) wholeFrame(id string, now match.Instant) []byte {
	return encode(roomMessage{
		Type: "room", ID: id, Room: r.id, Epoch: r.epoch, Version: r.state.Version, Now: int64(now),
		Spectators: r.total.Spectators, State: newStateView(r.state), View: newView(r.state, now),
	})
}

func rawMessages(raw [][]byte) []json.RawMessage {
	out := make([]json.RawMessage, len(raw))
	for i, data := range raw {
		out[i] = data
	}
	return out
}
