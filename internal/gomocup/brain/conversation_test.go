package brain

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"gomokud/internal/ai"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// engine is one that is made of a function.
type engine func(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error)

func (e engine) Think(ctx context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
	return e(ctx, p, b)
}

// first takes the first legal point from the top left, as a reader sees it.
func first(_ context.Context, p ai.Position, _ ai.Budget) (ai.Thought, error) {
	board := p.Board()
	for y := p.Size.Height - 1; y >= 0; y-- {
		for at := range p.Size.All() {
			if int(at.Y) == y && ai.MayPlay(board, p.Rule, p.ToMove, at) {
				return ai.Thought{Move: at}, nil
			}
		}
	}
	return ai.Thought{}, ai.ErrNoMove
}

// config is a brain of an engine.
func config(e ai.Engine) Config {
	return Config{
		Name: "first", Version: "1", New: func(Settings) ai.Engine { return e },
		Log: slog.New(slog.DiscardHandler),
	}
}

// manager is the other end of a conversation with a brain.
type manager struct {
	t     testing.TB
	in    *io.PipeWriter
	lines chan string // that the brain says; closed at its end
	err   error       // that it ended with
}

// talkTo starts a brain.
func talkTo(t testing.TB, cfg Config) *manager {
	in, send := io.Pipe()
	receive, out := io.Pipe()
	m := &manager{t: t, in: send, lines: make(chan string)}
	go func() {
		m.err = Run(context.Background(), cfg, in, out)
		in.CloseWithError(io.ErrClosedPipe) // nobody listens any more
		out.Close()
	}()
	go func() {
		defer close(m.lines)
		for scan := bufio.NewScanner(receive); scan.Scan(); {
			m.lines <- scan.Text()
		}
	}()
	return m
}

// say sends lines.
func (m *manager) say(lines ...string) {
	m.t.Helper()
	if _, err := io.WriteString(m.in, strings.Join(lines, "\r\n")+"\r\n"); err != nil {
		m.t.Fatalf("%q: %v", lines, err)
	}
}

// hear returns the next line that is no message.
func (m *manager) hear() string {
	m.t.Helper()
	for line := range m.lines {
		if !strings.HasPrefix(line, "MESSAGE ") {
			return line
		}
	}
	m.t.Fatal("it is over")
	return ""
}

// ask sends lines and returns what is said next.
func (m *manager) ask(lines ...string) string {
	m.t.Helper()
	m.say(lines...)
	return m.hear()
}

// end ends the conversation, in which nothing more may be said.
func (m *manager) end() {
	m.t.Helper()
	m.in.Close()
	for line := range m.lines {
		m.t.Errorf("at the end it says %q", line)
	}
	if m.err != nil {
		m.t.Error(m.err)
	}
}

// TestConversations plays the manager of testdata: it says what comes after >
// and hears what comes after <, and nothing else.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("conversations %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m := talkTo(t, config(engine(first)))
			for line := range strings.Lines(string(text)) {
				line = strings.TrimSuffix(line, "\n")
				switch mark, rest, _ := strings.Cut(line, " "); mark {
				case ">":
					m.say(rest)
				case "<":
					if heard := <-m.lines; heard != rest {
						t.Fatalf("heard %q, want %q", heard, rest)
					}
				case "#":
				default:
					t.Fatalf("a line of neither side: %q", line)
				}
			}
			m.end()
		})
	}
}
