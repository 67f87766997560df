package load

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
)

// wire is the client's end of a WebSocket, as cheap as can be: the generator
// shares the machine with what it measures. One goroutine reads; any may write.
type wire struct {
	conn net.Conn
	in   *bufio.Reader
	data []byte // the message that was read last

	mu  sync.Mutex
	out []byte // the frame that is being written
}

// The frames of a WebSocket that are needed here.
const (
	opText  = 0x1
	opClose = 0x8
	opPing  = 0x9
	opPong  = 0xa
	final   = 0x80
	masked  = 0x80

	maxFrame   = 1 << 20
	headerRoom = 8 // of our frames: at most 2 for the kind, 2 for the length, 4 for the mask
)

// connect opens a WebSocket at a path of an HTTP server.
func connect(ctx context.Context, addr, path string, header http.Header) (*wire, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	w := &wire{conn: conn, in: bufio.NewReaderSize(conn, 2048)}
	err = w.shakeHands(addr, path, header)
	if !stop() {
		err = errors.Join(err, context.Cause(ctx))
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("open a socket: %w", err)
	}
	return w, nil
}

func (w *wire) shakeHands(addr, path string, header http.Header) error {
	req, err := http.NewRequest(http.MethodGet, "http://"+addr+path, nil)
	if err != nil {
		return err
	}
	req.Header = header.Clone()
	if req.Header == nil {
		req.Header = http.Header{}
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", "websocket")
	req.Header.Set("Sec-WebSocket-Version", "13")
	req.Header.Set("Sec-WebSocket-Key", "Z29tb2t1ZCBsb2FkLi4uLg==") // the server is ours: nothing to prove
	if err := req.Write(w.conn); err != nil {
		return err
	}
	res, err := http.ReadResponse(w.in, req)
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode != http.StatusSwitchingProtocols {
		return fmt.Errorf("the server answered %s", res.Status)
	}
	return nil
}

// read returns the next text message; it is good until the next call. Pings are
// answered on the way.
func (w *wire) read() ([]byte, error) {
	w.data = w.data[:0]
	for {
		op, fin, payload, err := w.frame()
		if err != nil {
			return nil, err
		}
		switch op {
		case opPing:
			if err := w.write(opPong, payload); err != nil {
				return nil, err
			}
			w.data = w.data[:len(w.data)-len(payload)]
		case opPong:
			w.data = w.data[:len(w.data)-len(payload)]
		case opClose:
			if len(payload) >= 2 {
				return nil, fmt.Errorf("closed by the server: %d %s", binary.BigEndian.Uint16(payload), payload[2:])
			}
			return nil, io.EOF
		default:
			if fin {
				return w.data, nil
			}
		}
	}
}

// frame appends the payload of one frame to the data.
func (w *wire) frame() (op byte, fin bool, payload []byte, err error) {
	var head [8]byte
	if _, err = io.ReadFull(w.in, head[:2]); err != nil {
		return 0, false, nil, err
	}
	op, fin = head[0]&0xf, head[0]&final != 0
	size := uint64(head[1])
	switch size { // a server's frames are not masked
	case 126:
		_, err = io.ReadFull(w.in, head[:2])
		size = uint64(binary.BigEndian.Uint16(head[:2]))
	case 127:
		_, err = io.ReadFull(w.in, head[:8])
		size = binary.BigEndian.Uint64(head[:8])
	}
	if err == nil && size > maxFrame {
		err = fmt.Errorf("a frame of %d bytes", size)
	}
	if err != nil {
		return 0, false, nil, err
	}
	start := len(w.data)
	w.data = append(w.data, make([]byte, size)...)
	_, err = io.ReadFull(w.in, w.data[start:])
	return op, fin, w.data[start:], err
}

// write sends one message.
func (w *wire) write(op byte, payload []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.flush(op, append(w.begin(), payload...))
}

// send sends the text that compose appends.
func (w *wire) send(compose func(dst []byte) []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.flush(opText, compose(w.begin()))
}

// begin returns a buffer with room for the header of a frame.
func (w *wire) begin() []byte { return append(w.out[:0], make([]byte, headerRoom)...) }

// flush puts the header just before the payload and writes both. The mask is
// zero: it protects proxies, and there is none between.
func (w *wire) flush(op byte, frame []byte) error {
	w.out = frame
	size := len(frame) - headerRoom
	if size < 126 {
		frame = frame[2:]
		frame[0], frame[1] = final|op, masked|byte(size)
	} else {
		frame[0], frame[1] = final|op, masked|126
		binary.BigEndian.PutUint16(frame[2:], uint16(size))
	}
	_, err := w.conn.Write(frame)
	return err
}

func (w *wire) close() { w.conn.Close() }
