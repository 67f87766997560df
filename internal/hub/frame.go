package hub

import (
	"encoding/binary"

	"github.com/gorilla/websocket"
)

// A frame is a WebSocket message as a server sends it: whole and not masked
// (RFC 6455, section 5.2). It is made once, however many it goes to.

// headRoom is the longest head of a frame.
const headRoom = 10

// frame puts a payload into a frame of its own.
func frame(kind int, payload []byte) []byte {
	return seal(kind, append(make([]byte, headRoom, headRoom+len(payload)), payload...))
}

// seal makes a frame of what has headRoom free bytes before its payload.
func seal(kind int, data []byte) []byte {
	const (
		whole  = 0x80
		word   = 126
		double = 127
	)
	size := len(data) - headRoom
	switch {
	case size < word:
		data = data[headRoom-2:]
		data[1] = byte(size)
	case size < 1<<16:
		data = data[headRoom-4:]
		data[1] = word
		binary.BigEndian.PutUint16(data[2:], uint16(size))
	default:
		data[1] = double
		binary.BigEndian.PutUint64(data[2:], uint64(size))
	}
	data[0] = whole | byte(kind)
	return data
}

// closing is the frame that ends a connection.
func closing(code int, why string) []byte {
	return frame(websocket.CloseMessage, websocket.FormatCloseMessage(code, why))
}
