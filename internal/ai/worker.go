package ai

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// Why the fallback moved for an engine.
var (
	errUnknown = errors.New("there is no such engine")
	errLate    = errors.New("it was too late")
	errLost    = errors.New("it still thinks about an earlier position")
)

// work takes jobs as long as ctx lasts. A mind that does not come back is left
// to itself, and the worker goes on with another.
func (p *Pool) work(ctx context.Context) {
	m := newMind(p.cfg.Log)
	defer func() {
		m.end()
		<-m.done
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.more:
		}
		for t := p.next(); t != nil; t = p.next() {
			if !p.think(m, t) {
				m.end()
				m = newMind(p.cfg.Log)
			}
		}
	}
}

// think has one job done and reports whether the mind came back. If the engine
// is late the fallback answers for it; the worker still waits for the engine
// for a while, so that thinking never takes more than its share.
func (p *Pool) think(m *mind, t *task) (back bool) {
	began := time.Now()
	thought, back := p.ask(m, t)
	t.cancel()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byRoom[t.job.Room] == t {
		delete(p.byRoom, t.job.Room)
	}
	p.stats.Running--
	p.stats.Thought += time.Since(began)
	p.stats.Nodes += thought.Nodes
	return back
}

// ask puts the job to its engine and settles it.
func (p *Pool) ask(m *mind, t *task) (thought Thought, back bool) {
	engine, ok := p.cfg.Engines[t.job.Bot]
	switch {
	case !ok:
		p.replace(t, errUnknown)
		return thought, true
	case p.isLost(t.job.Bot):
		p.replace(t, errLost)
		return thought, true
	}
	limit := cmp.Or(t.job.Budget.Time, p.cfg.Longest)
	ctx, cancel := context.WithTimeout(t.ctx, limit)
	defer cancel()
	verdicts := m.ask(ctx, t.job, engine)
	late := time.NewTimer(limit + p.cfg.Overrun)
	defer late.Stop()
	select {
	case v := <-verdicts:
		p.settle(t, v)
		return v.thought, true
	case <-t.ctx.Done(): // withdrawn
	case <-late.C:
		p.replace(t, errLate)
	}
	patience := time.NewTimer(p.cfg.Patience)
	defer patience.Stop()
	select {
	case v := <-verdicts:
		return v.thought, true
	case <-patience.C:
		p.lose(t.job.Bot, verdicts)
		return thought, false
	}
}

// settle answers with what the engine found. That there is no move is believed
// only if it is true: a bot resigns over it.
func (p *Pool) settle(t *task, v verdict) {
	switch {
	case t.ctx.Err() != nil: // withdrawn
	case v.err == nil:
		p.reply(t, v.thought, nil, false)
	case errors.Is(v.err, ErrNoMove) && !canMove(t.job.Position):
		p.reply(t, Thought{}, ErrNoMove, false)
	default:
		p.replace(t, v.err)
	}
}

// replace answers with the fallback's move.
func (p *Pool) replace(t *task, why error) {
	thought, err := fallback{}.Think(t.ctx, t.job.Position, Budget{})
	if p.reply(t, thought, err, true) {
		p.cfg.Log.Error("an engine failed; the fallback moved for it", "bot", t.job.Bot, "room", t.job.Room, "err", why)
	}
}

// reply gives the answer, if none was given yet and it is still wanted.
func (p *Pool) reply(t *task, thought Thought, err error, fallback bool) (given bool) {
	p.mu.Lock()
	if given = !t.settled; given {
		t.settled = true
		p.stats.Answers++
		if fallback {
			p.stats.Fallbacks++
		}
	}
	p.mu.Unlock()
	if given {
		t.answer(Answer{Room: t.job.Room, Version: t.job.Version, Move: thought.Move, Thought: thought, Err: err})
	}
	return given
}

// lose gives an engine up that does not stop, until it does.
func (p *Pool) lose(bot string, verdicts <-chan verdict) {
	p.cfg.Log.Error("an engine does not stop; the fallback moves for it until it does", "bot", bot)
	p.mu.Lock()
	p.lost[bot]++
	p.mu.Unlock()
	go func() {
		<-verdicts
		p.mu.Lock()
		defer p.mu.Unlock()
		p.lost[bot]--
	}()
}

func (p *Pool) isLost(bot string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lost[bot] > 0
}
