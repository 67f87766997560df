package external

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"gomokud/internal/ai"
)

// What is read of a process; the rest is passed over.
const (
	longestLine   = 1 << 10 // bytes; a longer line is cut
	longestAnswer = 1 << 20 // bytes in one answer; then it is an error
	mostComplaint = 1 << 16 // bytes of its standard error that are logged
)

// folders is how the names of the processes' folders begin.
const folders = "gomokud-program-"

// lastWords is how long we go on to read what a process has said before it
// ended; only another that left its group could hold the pipe for longer.
const lastWords = 100 * time.Millisecond

// process is a running program: it leads a process group of its own, works in
// a temporary folder, and is used by one goroutine at a time.
type process struct {
	cmd     *exec.Cmd
	dir     string
	held    *os.File // the folder: Tidy leaves it alone as long as this is open
	memory  int64
	stdin   *os.File
	stdout  *os.File
	lines   *bufio.Reader // of stdout
	said    int           // bytes since the last question
	odd     []string      // the first lines since then that are none of the protocol's
	wonders int           // how many there were
	exited  chan struct{} // closed when the process and its group are gone

	mu     sync.Mutex // held to kill it, and to let its id go
	reaped bool

	answered time.Time   // when it was last of use
	holds    ai.Position // what is on its board
	fresh    bool        // it was given a new board and no position yet
	worn     bool        // it was asked before
}

// start starts a process. Only the nursery's thread may: the child dies with it.
func start(cfg Config) (*process, error) {
	dir, err := os.MkdirTemp("", folders)
	if err != nil {
		return nil, fmt.Errorf("external: a folder for the engine: %w", err)
	}
	held, err := hold(dir)
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("external: hold the folder of the engine: %w", err)
	}
	p := &process{dir: dir, held: held, memory: cfg.Memory, exited: make(chan struct{})}
	p.cmd = exec.Command(cfg.Path, cfg.Args...)
	p.cmd.Dir = dir
	p.cmd.Env = environment(dir)
	p.cmd.SysProcAttr = attributes()

	// Pipes of our own: exec's would be closed before the last words are read.
	var pipes [3][2]*os.File // ends to read and to write
	for i := range pipes {
		if pipes[i][0], pipes[i][1], err = os.Pipe(); err != nil {
			break
		}
	}
	in, out, complaints := pipes[0], pipes[1], pipes[2]
	if err == nil {
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = in[0], out[1], complaints[1]
		err = p.cmd.Start()
	}
	for _, theirs := range []*os.File{in[0], out[1], complaints[1]} {
		theirs.Close() // nil is an error that does not matter
	}
	if err != nil {
		for _, ours := range []*os.File{in[1], out[0], complaints[0]} {
			ours.Close()
		}
		os.RemoveAll(dir)
		held.Close()
		return nil, fmt.Errorf("external: start %s: %w", cfg.Name, err)
	}
	p.stdin, p.stdout, p.lines = in[1], out[0], bufio.NewReader(out[0])
	log := cfg.Log.With("pid", p.cmd.Process.Pid)
	log.Debug("started an external engine")
	err = limit(p.cmd.Process.Pid, cfg.Memory) // while nobody else may let its id go
	go p.wait(complaints[0], log)
	if err != nil {
		p.end(0)
		return nil, fmt.Errorf("external: limit %s: %w", cfg.Name, err)
	}
	return p, nil
}

// environment is what a program learns of ours: where programs and libraries
// are. Our own settings, which have secrets, are not for it.
func environment(dir string) []string {
	env := []string{"HOME=" + dir, "TMPDIR=" + dir}
	for _, name := range []string{"PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// wait waits for the process to end, and clears up after it.
func (p *process) wait(stderr *os.File, log *slog.Logger) {
	defer close(p.exited)
	read := make(chan struct{})
	go func() {
		defer close(read)
		complain(stderr, log)
	}()
	awaitExit(p.cmd.Process.Pid)
	p.mu.Lock()
	killGroup(p.cmd.Process) // as long as the id is ours
	err := p.cmd.Wait()
	p.reaped = true
	p.mu.Unlock()
	until := time.Now().Add(lastWords)
	p.stdout.SetReadDeadline(until)
	stderr.SetReadDeadline(until)
	<-read
	stderr.Close()
	p.stdin.Close()
	log.Debug("an external engine ended", "how", p.cmd.ProcessState, "err", err)
	if err := os.RemoveAll(p.dir); err != nil {
		log.Warn("could not remove the folder of an external engine", "err", err)
	}
	p.held.Close()
}

// complain logs the beginning of what a process writes to its standard error,
// and reads it to the end, so that the process never waits for us.
func complain(stderr *os.File, log *slog.Logger) {
	buffer := make([]byte, longestLine)
	for said := 0; ; {
		n, err := stderr.Read(buffer)
		if text := bytes.TrimSpace(buffer[:n]); len(text) > 0 && said < mostComplaint {
			log.Debug("an external engine complains", "text", string(text))
		}
		said = min(said+n, mostComplaint)
		if err != nil {
			return
		}
	}
}

// alive reports whether the process has not ended yet.
func (p *process) alive() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// kill kills the process and its group, unless they are gone.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		killGroup(p.cmd.Process)
	}
}

// end ends the process and returns when nothing is left of it. It may end by
// itself within grace.
func (p *process) end(grace time.Duration) {
	if grace > 0 {
		timer := time.NewTimer(grace)
		defer timer.Stop()
		p.stdin.SetWriteDeadline(time.Now().Add(grace))
		p.say("END")
		p.stdin.Close()
		select {
		case <-p.exited:
		case <-timer.C:
		}
	}
	p.kill()
	<-p.exited
	p.stdout.Close()
}

// say writes lines to the process.
func (p *process) say(lines ...string) error {
	_, err := p.stdin.WriteString(strings.Join(lines, "\r\n") + "\r\n")
	if err != nil {
		return ErrGone // or it was killed: the pipe is broken
	}
	return nil
}

// hear reads the next line that is not empty.
func (p *process) hear() (string, error) {
	var line []byte
	for {
		b, err := p.lines.ReadByte()
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return "", err
		case err != nil:
			return "", ErrGone
		}
		if p.said++; p.said > longestAnswer {
			return "", fmt.Errorf("%w: it says too much", ErrTalk)
		}
		if b != '\n' && b != '\r' { // lines may end with one of them, or both
			if len(line) < longestLine {
				line = append(line, b)
			}
			continue
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return string(line), nil
		}
	}
}
