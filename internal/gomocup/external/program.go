// Package external lets any program that speaks the Gomocup (Piskvork) protocol
// think for us: it is the manager's end of the protocol, and the supervisor of
// the processes.
//
// A program is somebody else's. It is tried before people are offered to play
// it. It is started when it is first asked, kept between its moves and ended
// when it has not been asked for a while. What it
// says is read up to a bound and believed only as far as the rules allow. When
// it crashes, hangs, or breaks the protocol, its process and every process that
// this one has started in its group are killed, and that costs one answer. A
// program that fails too often rests, and is tried before it is asked again;
// its rests grow until it has done well for a while.
package external

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/bits"
	"runtime"
	"sync"
	"time"

	"gomokud/internal/ai"
)

// Why a program did not move. Thinking may also end with the error of its ctx,
// or of starting the process.
var (
	ErrClosed  = errors.New("external: closed")
	ErrResting = fmt.Errorf("external: it failed too often, and is not asked for a while (%w)", ai.Resting)
	ErrRefused = fmt.Errorf("external: it does not play on such a board (%w)", ai.Refused)
	ErrGone    = fmt.Errorf("external: it ended (%w)", ai.Crashed)
	ErrTalk    = fmt.Errorf("external: it does not keep to the protocol (%w)", ai.Garbled)
	ErrIllegal = fmt.Errorf("external: its move breaks the rules (%w)", ai.Illegal)
	ErrLate    = fmt.Errorf("external: killed while it was thinking (%w)", ai.Late)
)

// Config is how a program is run. A zero field means the default beside it.
type Config struct {
	Name      string        // for the log; Path
	Path      string        // of the program; from the root, as it works in a folder of its own
	Args      []string      // for the program
	Memory    int64         // bytes that a process may have for its data, where the system can bound them; no limit
	Idle      time.Duration // a process that is not asked for so long is ended; 5 minutes
	Processes int           // at a time; twice GOMAXPROCS
	Log       *slog.Logger  // slog.Default()
}

// Program is an engine whose thinking is done by processes of its own. Any
// number of goroutines may ask it, each has a process to itself meanwhile.
type Program struct {
	cfg   Config
	slots chan struct{} // one for each process that is asked
	calls chan func()   // for the nursery
	done  chan struct{} // ends the nursery and the watch
	ended chan struct{} // it has ended
	broke chan struct{} // it works no longer
	tried chan struct{} // closed after the first trial

	mu      sync.Mutex
	tasks   sync.WaitGroup // conversations, and idle processes that are being ended
	idle    []*process     // the one that was asked last is the last
	busy    map[*process]bool
	closed  bool
	works   bool          // people can be offered to play it
	recent  uint16        // its last answers, one a bit, the latest lowest; 1 is a failure
	last    error         // how it failed last
	rest    time.Duration // how long it rested last; 0 once that is forgotten
	resting time.Time     // until then it is not asked
}

var _ ai.Engine = (*Program)(nil)

// A program that failed enough times in its latest answers (window) rests: for
// the first of these times, then twice as long each time, until so many answers
// in a row were good.
const (
	enough      = 3
	window      = 10
	firstRest   = time.Second
	longestRest = 5 * time.Minute
)

// grace is how long a process has to end by itself when it is told to.
const grace = time.Second

// New returns a program that nothing was started of yet. It must be closed.
func New(cfg Config) *Program {
	cfg.Name = cmp.Or(cfg.Name, cfg.Path)
	cfg.Idle = cmp.Or(cfg.Idle, 5*time.Minute)
	cfg.Processes = cmp.Or(cfg.Processes, 2*runtime.GOMAXPROCS(0))
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	cfg.Log = cfg.Log.With("engine", cfg.Name)
	p := &Program{
		cfg: cfg, slots: make(chan struct{}, cfg.Processes), calls: make(chan func()),
		done: make(chan struct{}), ended: make(chan struct{}), broke: make(chan struct{}, 1), tried: make(chan struct{}), busy: map[*process]bool{},
	}
	go p.nursery()
	return p
}

// Name is what the program is called in the log.
func (p *Program) Name() string { return p.cfg.Name }

// Close ends every process and returns when nothing is left of them. What is
// being thought is lost.
func (p *Program) Close() {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		<-p.ended
		return
	}
	p.closed = true
	for proc := range p.busy {
		proc.kill()
	}
	for _, proc := range p.idle {
		p.tasks.Go(func() { proc.end(grace) })
	}
	p.idle = nil
	p.mu.Unlock()
	p.tasks.Wait()
	close(p.done)
	<-p.ended
}

// nursery starts the processes, and ends those that have nothing to do. It
// keeps its thread: the system kills a child when the thread that started it
// ends, so that none outlives us even if we crash, and other threads may end
// before us.
func (p *Program) nursery() {
	defer close(p.ended)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	look := time.NewTicker(max(p.cfg.Idle/4, time.Millisecond))
	defer look.Stop()
	for {
		select {
		case call := <-p.calls:
			call()
		case <-look.C:
			p.sweep()
		case <-p.done:
			return
		}
	}
}

// sweep ends the processes that are idle for too long, or dead.
func (p *Program) sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := p.idle[:0]
	for _, proc := range p.idle {
		if proc.alive() && time.Since(proc.answered) < p.cfg.Idle {
			kept = append(kept, proc)
			continue
		}
		p.tasks.Go(func() { proc.end(grace) })
	}
	clear(p.idle[len(kept):])
	p.idle = kept
}

// spawn runs fn on a goroutine that Close waits for.
func (p *Program) spawn(fn func()) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	p.tasks.Go(fn)
	return nil
}

// take returns a process to ask: an idle one, or a new one.
func (p *Program) take() (*process, error) {
	if proc, err := p.wake(); proc != nil || err != nil {
		return proc, err
	}
	var proc *process
	var err error
	started := make(chan struct{})
	p.calls <- func() {
		defer close(started)
		proc, err = start(p.cfg)
	}
	<-started
	if err != nil {
		p.failed(err)
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy[proc] = true
	if p.closed {
		proc.kill() // whoever asks it will see
	}
	return proc, nil
}

// wake takes an idle process, if there is one; no error means that one may be
// started.
func (p *Program) wake() (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return nil, ErrClosed
	case time.Now().Before(p.resting):
		return nil, fmt.Errorf("%w: %v", ErrResting, p.last)
	}
	for n := len(p.idle); n > 0; n-- {
		proc := p.idle[n-1]
		p.idle = p.idle[:n-1]
		if proc.alive() {
			p.busy[proc] = true
			return proc, nil
		}
		p.tasks.Go(func() { proc.end(0) })
	}
	return nil, nil
}

// put takes a process back with what came of asking it. It stays if it can be
// asked again.
func (p *Program) put(proc *process, keep bool, err error) error {
	p.mu.Lock()
	closed := p.closed
	keep = keep && !closed
	if keep {
		delete(p.busy, proc)
		proc.answered = time.Now()
		p.idle = append(p.idle, proc)
	}
	if err == nil {
		p.answered(0)
	}
	p.mu.Unlock()
	if keep {
		return err
	}
	p.drop(proc)
	if errors.Is(err, ErrGone) {
		err = fmt.Errorf("%w: %v", err, proc.cmd.ProcessState)
	}
	if err != nil && !closed && !errors.Is(err, context.Canceled) {
		p.failed(err)
		p.cfg.Log.Debug("an external engine failed, and its process was ended", "err", err)
	}
	return err
}

// drop gives a process up.
func (p *Program) drop(proc *process) {
	p.mu.Lock()
	delete(p.busy, proc)
	p.mu.Unlock()
	proc.end(0)
}

// failed notes a failure, and puts the program aside if there were too many.
func (p *Program) failed(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = err
	p.answered(1)
	if bits.OnesCount16(p.recent) >= enough {
		p.putAside()
	}
}

// answered notes how an answer was: 1 is a failure, else 0. The caller holds mu.
func (p *Program) answered(failure uint16) {
	p.recent = (p.recent<<1 | failure) & (1<<window - 1)
	if p.recent == 0 {
		p.rest = 0
	}
}

// putAside has the program rest, unless it does, and takes it off the offer. None
// of its processes is kept: who comes back shows that it can start. The caller
// holds mu.
func (p *Program) putAside() {
	if p.closed || time.Now().Before(p.resting) {
		return
	}
	p.rest = min(max(2*p.rest, firstRest), longestRest)
	p.resting = time.Now().Add(p.rest)
	for _, proc := range p.idle {
		p.tasks.Go(func() { proc.end(grace) })
	}
	p.idle = nil
	if p.works {
		p.works = false
		p.broke <- struct{}{} // there is room: Watch has taken the last one
	}
}
