package brain

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync"
	"time"
)

const (
	longestLine = 1 << 12 // bytes; the rest of a longer line is passed over
	mostLines   = 1 << 12 // that wait while the engine thinks; a board has 627
)

// line is a command, or a line of a command's body.
type line struct {
	number int // from 1
	text   string
	word   string // the first, in capitals
	rest   string
	at     time.Time // when it was read
}

// mail is what the manager has sent and nobody has read. STOP and END act on
// everything that was sent before them, and are not passed on.
type mail struct {
	ctx   context.Context
	lines chan line
	ended chan struct{} // closed when no line will come any more

	mu      sync.Mutex
	hurried int    // lines up to this one are answered at once
	current int    // the line that is thought about
	hurry   func() // ends that thinking
}

func newMail(ctx context.Context) *mail {
	return &mail{ctx: ctx, lines: make(chan line, mostLines), ended: make(chan struct{})}
}

// read reads until END or the end of the input.
func (m *mail) read(in io.Reader) {
	defer close(m.ended)
	defer close(m.lines)
	r := bufio.NewReader(in)
	for number := 1; ; number++ {
		text, err := readLine(r)
		if text != "" {
			l := parseLine(text)
			l.number, l.at = number, time.Now()
			switch l.word {
			case "END":
				m.stop(number)
				return
			case "STOP", "YXSTOP":
				m.stop(number)
			default:
				select {
				case m.lines <- l:
				case <-m.ctx.Done():
					return
				}
			}
		}
		if err != nil {
			m.stop(number)
			return
		}
	}
}

// readLine reads up to a CR or LF: with both at its end, the next line is empty.
func readLine(r *bufio.Reader) (string, error) {
	var text []byte
	for {
		b, err := r.ReadByte()
		if err != nil || b == '\n' || b == '\r' {
			return strings.TrimSpace(string(text)), err
		}
		if len(text) < longestLine {
			text = append(text, b)
		}
	}
}

func parseLine(text string) line {
	word, rest := text, ""
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		word, rest = text[:i], strings.TrimSpace(text[i:])
	}
	return line{text: text, word: strings.ToUpper(word), rest: rest}
}

// stop hurries the answers to all lines before a number.
func (m *mail) stop(number int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hurried = number
	if m.hurry != nil && m.current <= number {
		m.hurry()
	}
}

// thinking says that a line is thought about, which hurry ends. It returns what
// says that it no longer is.
func (m *mail) thinking(number int, hurry func()) (done func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.current, m.hurry = number, hurry
	if number <= m.hurried {
		hurry()
	}
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.hurry = nil
	}
}
