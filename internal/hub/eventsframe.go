package hub

import (
	"encoding/json"
	"strconv"

	"github.com/gorilla/websocket"

	"gomokud/internal/match"
)

// A move is an events message to everybody in the room: what encoding/json
// would make of it is written by hand, into the frame.

func (m *eventsMessage) encode() []byte {
	size := 320
	for _, e := range m.Events {
		size += len(e)
	}
	return seal(websocket.TextMessage, m.append(make([]byte, headRoom, size)))
}

func (m *eventsMessage) append(dst []byte) []byte {
	dst = match.AppendText(append(dst, `{"type":`...), m.Type)
	dst = match.AppendText(append(dst, `,"room":`...), m.Room)
	if m.ID != "" {
		dst = match.AppendText(append(dst, `,"id":`...), m.ID)
	}
	if m.By != "" {
		dst = match.AppendText(append(dst, `,"by":`...), m.By)
	}
	dst = strconv.AppendInt(append(dst, `,"version":`...), int64(m.Version), 10)
	dst = strconv.AppendInt(append(dst, `,"now":`...), m.Now, 10)
	dst = append(dst, `,"events":[`...)
	for i, e := range m.Events {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, e...)
	}
	dst = m.View.append(append(dst, `],"view":`...))
	return append(dst, '}')
}

func (v *view) append(dst []byte) []byte {
	dst = append(dst, '{')
	if turn, _ := v.Turn.MarshalText(); v.Turn != 0 {
		dst = append(append(append(dst, `"turn":"`...), turn...), `",`...)
	}
	dst = strconv.AppendBool(append(dst, `"running":`...), v.Running)
	dst = strconv.AppendInt(append(dst, `,"spent":`...), int64(v.Spent), 10)
	if v.Clocks != nil {
		dst = v.Clocks.Black.AppendJSON(append(dst, `,"clocks":{"black":`...))
		dst = v.Clocks.White.AppendJSON(append(dst, `,"white":`...))
		dst = append(dst, '}')
	}
	dst = appendList(append(dst, `,"forbidden":`...), v.Forbidden)
	if len(v.Row) > 0 {
		dst = appendList(append(dst, `,"row":`...), v.Row)
	}
	return append(dst, '}')
}

// appendList appends what is there too rarely to be written by hand.
func appendList[T any](dst []byte, list []T) []byte {
	if len(list) == 0 {
		return append(dst, "[]"...)
	}
	data, err := json.Marshal(list)
	if err != nil {
		panic("hub: encode a list: " + err.Error()) // these are our own
	}
	return append(dst, data...)
}
