package external

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"gomokud/internal/ai"
)

// The test binary is the programs, too, and a process that manages one: with
// these words in front of a part and the file for its diary.
const (
	actAs  = "act-as-a-brain"
	manage = "manage-a-brain"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == manage {
		beTheManager(os.Args[2], os.Args[3])
	}
	if len(os.Args) == 4 && os.Args[1] == actAs {
		newBrain(os.Args[2], os.Args[3]).run()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// brain is a program with an actor's part. Whatever the part, it answers with
// the first point that is free, if it answers.
type brain struct {
	part  string
	diary *os.File
	in    *bufio.Reader
	w, h  int
	taken map[string]bool
	turns int // boards that it was asked about
	games int // boards that it was given
}

func newBrain(part, diary string) *brain {
	file, err := os.OpenFile(diary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		os.Exit(9)
	}
	b := &brain{part: part, diary: file, in: bufio.NewReader(os.Stdin)}
	b.note("pid %d", os.Getpid())
	return b
}

// note writes a line into the diary, at once.
func (b *brain) note(format string, args ...any) { fmt.Fprintf(b.diary, format+"\n", args...) }

func say(lines ...string) { fmt.Print(strings.Join(lines, "\n") + "\n") }

// listen reads a command as a manager must end it.
func (b *brain) listen() string {
	line, err := b.in.ReadString('\n')
	if err != nil {
		b.note("no more to read")
		if b.part == "deaf" {
			hang()
		}
		os.Exit(0)
	}
	text, ok := strings.CutSuffix(line, "\r\n")
	if !ok {
		say("ERROR lines end with CR LF")
	}
	b.note("> %s", text)
	return text
}

func (b *brain) run() {
	switch b.part {
	case "sleeper":
		hang()
	case "stillborn":
		os.Exit(1)
	case "lame": // dies until there is a crutch
		if _, err := os.Stat(b.diary.Name() + ".crutch"); err != nil {
			os.Exit(1)
		}
	case "environment":
		b.note("folder %s", first(os.Getwd()))
		b.note("environment %s", strings.Join(os.Environ(), " "))
	}
	for {
		line := b.listen()
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "START":
			fmt.Sscan(rest, &b.w)
			b.h = b.w
			b.begin()
		case "RECTSTART":
			fmt.Sscanf(rest, "%d,%d", &b.w, &b.h)
			b.begin()
		case "BEGIN":
			b.taken = map[string]bool{}
			b.answer()
		case "BOARD":
			if len(b.taken) > 0 { // as with the skeleton that many programs are made of
				say("ERROR the board is not empty")
				continue
			}
			for line = b.listen(); line != "DONE"; line = b.listen() {
				b.taken[line[:strings.LastIndex(line, ",")]] = true
			}
			b.answer()
		case "TURN":
			b.taken[rest] = true
			b.answer()
		case "PLAY":
			say(rest)
		case "END":
			if b.part != "deaf" {
				os.Exit(0)
			}
		case "INFO":
		default:
			say("UNKNOWN " + word)
		}
	}
}

// begin answers START.
func (b *brain) begin() {
	b.games++
	b.taken = map[string]bool{}
	switch {
	case b.part == "picky" && b.w != 15, b.part == "once" && b.games > 1:
		say("ERROR not this one")
	case b.part == "strange":
		say("UNKNOWN command")
	case b.part == "sluggish": // until somebody wakes it
		for {
			if _, err := os.Stat(b.diary.Name() + ".wake"); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		say("OK")
	default:
		say("OK ready")
	}
}

// answer answers BOARD, TURN and BEGIN.
func (b *brain) answer() {
	b.turns++
	move := b.free()
	defer func() { b.taken[move] = true }()
	switch b.part {
	case "hang":
		hang()
	case "mother":
		child := exec.Command(os.Args[0], actAs, "sleeper", b.diary.Name())
		child.Stdout = os.Stdout // and so holds our pipe
		if err := child.Start(); err != nil {
			os.Exit(9)
		}
		b.note("mother")
		hang()
	case "crash at move 2", "crash at move 3":
		if b.part == fmt.Sprint("crash at move ", b.turns) {
			os.Exit(3)
		}
	case "opens only":
		if len(b.taken) > 0 {
			os.Exit(3)
		}
	case "hangs over stones":
		if len(b.taken) > 0 {
			hang()
		}
	case "mumbles":
		say("hello", "\x1b[31m;;;", "MESSAGE thinking", strings.Repeat("x", 500), "too much")
		hang()
	case "last words":
		say(move)
		os.Exit(0)
	case "garbage":
		for {
			say("\x00\xff{]", "resigns?", "h8")
		}
	case "endless line":
		for {
			io.WriteString(os.Stdout, strings.Repeat("x", 4096))
		}
	case "chatty":
		fmt.Print("MESSAGE Depth 3 | Eval 7\r\n\r\n\nDEBUG 7,7\rmessage ", strings.Repeat("z", 100_000), "\r  "+move+" \rMESSAGE that was it\n1,1\n")
		fmt.Fprint(os.Stderr, strings.Repeat("it complains\n", 100_000))
		return
	case "suggests":
		say("SUGGEST " + move)
		return
	case "suggests twice":
		say("SUGGEST "+move, "SUGGEST "+move)
		return
	case "takes a stone":
		for move = range b.taken {
			break
		}
	case "plays off the board":
		move = fmt.Sprintf("%d,0", b.w)
	case "plays negative":
		move = "-1,-1"
	case "errs":
		move = "ERROR out of ideas"
	case "plays 7,7":
		move = "7,7"
	}
	say(move)
}

// free is the first free point from the top left.
func (b *brain) free() string {
	for y := range b.h {
		for x := range b.w {
			if at := fmt.Sprintf("%d,%d", x, y); !b.taken[at] {
				return at
			}
		}
	}
	return "ERROR full"
}

// hang does nothing for ever, whatever happens to the pipes.
func hang() {
	for {
		time.Sleep(time.Hour)
	}
}

// beTheManager asks a program once, and then waits to be killed.
func beTheManager(part, diary string) {
	p := New(Config{Path: os.Args[0], Args: []string{actAs, part, diary}})
	_, err := p.Think(context.Background(), square(), ai.Budget{Time: time.Minute})
	fmt.Println(err)
	hang()
}

func first[T any](v T, _ error) T { return v }
