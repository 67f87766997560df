package hub

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// TestSigns: whole pings and pongs are taken off the line, everything else is
// left there as it came.
func TestSigns(t *testing.T) {
	t.Parallel()
	const key = "\x01\x02\x03\x04"
	long := strings.Repeat("x", 125)
	masked := []byte(long)
	for i := range masked {
		masked[i] ^= key[i%4]
	}
	for name, tt := range map[string]struct {
		sent    string
		kind    int
		payload string
		err     error
	}{
		"a pong":              {"\x8a\x85" + key + "ijomn", websocket.PongMessage, "hhlio", nil},
		"a ping of nothing":   {"\x89\x80" + key, websocket.PingMessage, "", nil},
		"a long ping":         {"\x89\xfd" + key + string(masked), websocket.PingMessage, long, nil},
		"a text":              {"\x81\x82" + key + "ab", 0, "", nil},
		"a close":             {"\x88\x80" + key, 0, "", nil},
		"a ping in pieces":    {"\x09\x80" + key, 0, "", nil},
		"a ping without mask": {"\x89\x01a", 0, "", nil},
		"a ping too long":     {"\x89\xfe\x00\x7e" + key, 0, "", nil},
		"a compressed ping":   {"\xc9\x80" + key, 0, "", nil},
		"half a ping":         {"\x89\x85" + key + "ab", 0, "", io.EOF},
		"nothing":             {"", 0, "", io.EOF},
	} {
		const after = "\x81\x80 and so on"
		sent := tt.sent
		if tt.err == nil {
			sent += after
		}
		s := &socket{in: bufio.NewReaderSize(strings.NewReader(sent), readBuffer)}
		kind, payload, err := s.sign()
		if kind != tt.kind || payload != tt.payload || err != tt.err {
			t.Errorf("%s: %d, %q, %v", name, kind, payload, err)
		}
		want := after
		if kind == 0 {
			want = sent
		}
		if rest, _ := io.ReadAll(s.in); string(rest) != want {
			t.Errorf("%s: %q is left, want %q", name, rest, want)
		}
	}
}
