package ai

import (
	"cmp"
	"context"
	"errors"
	"time"
)

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
		select {
		case <-m.done:
		case <-time.After(p.cfg.Patience): // an engine does not close
		}
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
	thought, back := p.ask(m, t, began)
	t.cancel()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byRoom[t.job.Room] == t {
		delete(p.byRoom, t.job.Room)
	}
	p.stats.Running--
	p.cfg.Observe(Outcome{
		Bot: t.job.Bot, Waited: began.Sub(t.asked), Thought: time.Since(began), Nodes: thought.Nodes,
		Failure: t.failure, Cancelled: t.cancelled,
	})
	return back
}

// ask puts the job to its engine and settles it.
func (p *Pool) ask(m *mind, t *task, began time.Time) (thought Thought, back bool) {
	limit := cmp.Or(t.job.Budget.Time, p.cfg.Longest)
	limit = max(limit-began.Sub(t.asked), min(limit, p.cfg.Least))
	end := began.Add(limit)
	engine, ok := p.cfg.Engines[t.job.Bot]
	switch {
	case !ok:
		p.replace(t, Unknown, errUnknown, nil, end)
		return thought, true
	case p.isLost(t.job.Bot):
		p.replace(t, Lost, errLost, nil, end)
		return thought, true
	}
	job := t.job
	job.Budget.Time = limit
	ctx, cancel := context.WithDeadline(t.ctx, end)
	defer cancel()
	verdicts := m.ask(ctx, job, engine)

	// The fallback begins while the engine may yet answer, to be in time itself.
	var spare <-chan verdict
	late := time.NewTimer(limit + p.cfg.Overrun/2)
	defer late.Stop()
	for settled := false; !settled; {
		select {
		case v := <-verdicts:
			p.settle(t, v, spare, end)
			return v.thought, true
		case <-t.ctx.Done(): // withdrawn
			settled = true
		case <-late.C:
			if settled = spare != nil; settled {
				p.replace(t, Late, errLate, spare, end)
				break
			}
			spare = p.spare.begin(t.ctx, t.job.Position, end.Add(p.cfg.Overrun))
			late.Reset(time.Until(end.Add(p.cfg.Overrun)))
		}
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

// settle answers with what the engine found.
func (p *Pool) settle(t *task, v verdict, spare <-chan verdict, end time.Time) {
	switch {
	case t.ctx.Err() != nil: // withdrawn
	case v.err == nil, errors.Is(v.err, ErrNoMove) && v.failure == "":
		p.reply(t, v.thought, v.err, "")
	default: // without a failure it is the deadline
		p.replace(t, cmp.Or(v.failure, Late), v.err, spare, end)
	}
}

// replace answers with the fallback's move, or with the nearest if that has
// none Overrun after the end of the job's time. The fallback may be thinking
// already.
func (p *Pool) replace(t *task, failure Failure, why error, spare <-chan verdict, end time.Time) {
	by := end.Add(p.cfg.Overrun)
	if spare == nil {
		spare = p.spare.begin(t.ctx, t.job.Position, by)
	}
	v := verdict{err: errAstray}
	timer := time.NewTimer(time.Until(by))
	defer timer.Stop()
	select {
	case v = <-spare:
	case <-t.ctx.Done(): // withdrawn
		return
	case <-timer.C:
		select {
		case v = <-spare: // both at once
		default:
		}
	}
	spareErr := v.err
	if v.err != nil {
		v.thought, v.err = nearest{}.Think(t.ctx, t.job.Position, Budget{})
	}
	if !p.reply(t, v.thought, v.err, failure) {
		return
	}
	log := p.cfg.Log.With("bot", t.job.Bot, "room", t.job.Room, "err", why)
	if spareErr != nil && v.err == nil {
		log.Error("an engine failed, and the fallback too; the nearest point was played", "fallback", spareErr)
		return
	}
	log.Error("an engine failed; the fallback moved for it")
}

// reply gives the answer, if none was given yet and it is still wanted.
func (p *Pool) reply(t *task, thought Thought, err error, failure Failure) (given bool) {
	p.mu.Lock()
	if given = !t.settled; given {
		t.settled, t.failure = true, failure
		p.stats.Answers++
		if failure != "" {
			p.stats.Fallbacks++
		}
	}
	p.mu.Unlock()
	if given {
		t.answer(Answer{Room: t.job.Room, Version: t.job.Version, Move: thought.Move, Thought: thought, Failure: failure, Err: err})
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
