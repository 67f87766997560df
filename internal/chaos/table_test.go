package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"gomokud/internal/match"
)

// table is one room with those who play in it and follow it.
type table struct {
	journal journal
	bot     string // who plays white; empty is a person
	game    string
	width   int
	height  int
	people  []*person // one or two players, then spectators
	named   chan struct{}
	room    string // set before named is closed
	think   time.Duration
	games   int // then no more rematch
	calm    *atomic.Bool
}

// clocks of the tables; the ones without a clock come as often as all others.
var clocks = [...]string{
	`{}`, `{}`, `{}`, `{}`,
	`{"main":60000,"increment":1000}`,
	`{"main":20000}`,
	`{"main":5000,"increment":500}`,
	`{"main":3000,"period":2000,"periods":3}`,
}

// quickBots think for less than a busy machine takes to notice.
var quickBots = [...]string{"seven-step", "influence", "shape-dictionary", "tengen-1", "tengen-3"}

func newTable(r *rand.Rand, i int, s *service, faults *complaints, calm *atomic.Bool, think time.Duration) *table {
	rules := [...]string{"freestyle", "standard", "caro", "renju"}
	width, height := 6+r.IntN(4), 6+r.IntN(4)
	t := &table{
		game:  fmt.Sprintf(`{"rule":%q,"size":"%dx%d","clock":%s}`, rules[r.IntN(len(rules))], width, height, clocks[r.IntN(len(clocks))]),
		width: width, height: height,
		named: make(chan struct{}), think: think, games: 2 + r.IntN(8), calm: calm,
	}
	players := 2
	if i%3 == 0 {
		t.bot, players = quickBots[r.IntN(len(quickBots))], 1
	}
	watchers := 0
	if i%4 == 0 {
		watchers = 1
	}
	for n := range players + watchers {
		t.people = append(t.people, &person{
			rng: rand.New(rand.NewPCG(r.Uint64(), r.Uint64())), nodes: s.nodes, faults: faults,
			name: fmt.Sprintf("Player %d.%d", i, n), journal: &t.journal, answered: map[string]reply{}, given: map[string]reply{},
		})
	}
	return t
}

// players is how many people have a seat.
func (t *table) players() int {
	if t.bot != "" {
		return 1
	}
	return 2
}

// run lets the n-th person of the table do what it does until ctx ends.
func (t *table) run(ctx context.Context, n int) error {
	p := t.people[n]
	defer p.leave()
	if err := p.login(ctx); err != nil {
		return err
	}
	if n == 0 {
		fields := fmt.Sprintf(`,"color":"black","game":%s`, t.game)
		if t.bot != "" {
			fields += fmt.Sprintf(`,"bot":%q`, t.bot)
		}
		answer, err := p.do(ctx, "create", fields)
		if err != nil {
			return err
		}
		if !answer.done {
			return fmt.Errorf("no table: %s", answer.Code)
		}
		t.room = answer.Room
		close(t.named)
	}
	select {
	case <-t.named:
	case <-ctx.Done():
		return ctx.Err()
	}
	p.room = t.room
	if n == 1 && t.players() == 2 {
		if _, err := p.do(ctx, "sit", ""); err != nil {
			return err
		}
	}
	for ctx.Err() == nil {
		err := p.follow(ctx)
		if err == nil && n < t.players() {
			err = t.turn(ctx, p)
		} else if err == nil {
			err = t.watch(ctx, p)
		}
		if err != nil && !errors.Is(err, errGone) && ctx.Err() == nil {
			return err
		}
	}
	return ctx.Err()
}

// watch follows the room for a while.
func (t *table) watch(ctx context.Context, p *person) error {
	if p.rng.IntN(40) == 0 {
		p.leave()
		return nil
	}
	return p.listen(ctx, t.think, nil)
}

// turn does what a player does next: mostly to think and to move, at times to
// offer, to resign, or to come back from somewhere else.
func (t *table) turn(ctx context.Context, p *person) error {
	if err := p.listen(ctx, rand64(p.rng, 2*t.think), nil); err != nil {
		return err
	}
	m := &p.mirror // it is only changed by this goroutine
	me := m.seatOf(p.id)
	wish := p.rng.IntN(200)
	if t.calm.Load() { // the faults are over: only play on
		if m.turn() == me && me != "" {
			return t.place(ctx, p)
		}
		return nil
	}
	switch {
	case me == "" || m.state.Phase == match.Open:
		return nil
	case wish < 3:
		p.leave()
		return nil
	case m.state.Phase == match.Over:
		return t.over(ctx, p)
	}
	for w, by := range m.offers {
		if by == opponent(me) && w != "rematch" && p.rng.IntN(2) == 0 {
			verb := "decline"
			if w == "takeback" || p.rng.IntN(3) == 0 {
				verb = "accept"
			}
			_, err := p.do(ctx, verb+" "+w, fmt.Sprintf(`,"what":%q,"version":%d`, w, m.version))
			return err
		}
	}
	switch {
	case wish < 8:
		_, err := p.do(ctx, "offer takeback", `,"what":"takeback"`)
		return err
	case wish < 11:
		_, err := p.do(ctx, "offer draw", `,"what":"draw"`)
		return err
	case wish < 12:
		_, err := p.do(ctx, "resign", fmt.Sprintf(`,"version":%d`, m.version))
		return err
	case wish < 13:
		_, err := p.do(ctx, "abort", "")
		return err
	case m.away[opponent(me)] && m.turn() == opponent(me) && wish < 40:
		_, err := p.do(ctx, "claim", "")
		return err
	case m.turn() == me, wish < 15: // a move out of turn is refused
		return t.place(ctx, p)
	}
	return nil
}

// place puts a stone on any free point.
func (t *table) place(ctx context.Context, p *person) error {
	m := &p.mirror
	taken := map[string]bool{}
	for _, point := range m.state.Moves {
		taken[point] = true
	}
	if m.rule == "renju" && p.rng.IntN(60) == 0 {
		_, err := p.do(ctx, "pass", fmt.Sprintf(`,"ply":%d`, len(m.state.Moves)))
		return err
	}
	size, point := t.width*t.height, ""
	for first, i := p.rng.IntN(size), 0; i < size; i++ {
		n := (first + i) % size
		if point = fmt.Sprintf("%c%d", 'a'+rune(n%t.width), 1+n/t.width); !taken[point] {
			break
		}
	}
	fields := fmt.Sprintf(`,"ply":%d,"point":%q`, len(m.state.Moves), point)
	if p.rng.IntN(2) == 0 {
		fields += fmt.Sprintf(`,"version":%d`, m.version)
	}
	_, err := p.do(ctx, "place "+point, fields)
	return err
}

// over asks for another game, if the table is to have one.
func (t *table) over(ctx context.Context, p *person) error {
	m := &p.mirror
	if m.state.Number >= t.games || p.rng.IntN(3) > 0 {
		return nil
	}
	_, err := p.do(ctx, "offer rematch", `,"what":"rematch"`)
	return err
}
