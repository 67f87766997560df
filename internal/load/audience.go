package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"
)

// audience is the spectators of a hall, in a process of their own with a low
// priority: in this one the players would wait behind them for the processor,
// and their latency would be the generator's.
type audience struct{ *process }

// invite starts the process; spectators come when they are told whom to watch.
func invite(ctx context.Context, h *hall, n int) (*audience, error) {
	args := []string{
		"bench", "crowd", "--floor=" + strconv.FormatBool(h.service.name() != ours), "--addr=" + h.site.addr(0),
		"--spectators=" + strconv.Itoa(n), "--tables=" + strconv.Itoa(len(h.tables)),
	}
	p, err := begin(ctx, h.cfg.Exe, args, h.cfg.Env, place{cpu: h.cfg.ClientCPU, nice: true}, serves)
	if err != nil {
		return nil, err
	}
	return &audience{p}, nil
}

// follow has the table's spectators watch a room. The first time it returns when
// all of them do.
func (a *audience) follow(ctx context.Context, table int, room string) error {
	_, err := a.ask(ctx, fmt.Sprintf("follow?table=%d&room=%s", table, url.QueryEscape(room)))
	return err
}

// delivered is how many moves have reached spectators so far.
func (a *audience) delivered(ctx context.Context) (int64, error) {
	answer, err := a.ask(ctx, "delivered")
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(answer, 10, 64)
}

func (a *audience) ask(ctx context.Context, what string) (string, error) {
	var answer bytes.Buffer
	if err := fetch(ctx, "http://"+a.addr+"/"+what, &answer); err != nil {
		return "", fmt.Errorf("ask the spectators: %w\n%s", err, a.said)
	}
	return answer.String(), nil
}

// Crowd is the other side of an audience: it connects spectators and counts what
// reaches them.
type Crowd struct {
	hall   *hall
	number int // of spectators
	meter  *meter

	mu     sync.Mutex
	tables [][]*player // of each table

	failed   chan error // the first failure of a spectator
	watching sync.WaitGroup
}

// NewCrowd returns spectators of a service at an address, spread over tables.
func NewCrowd(isFloor bool, addr string, spectators, tables int) (*Crowd, error) {
	if spectators < 1 || spectators > maxConnections || tables < 1 || tables > maxGames {
		return nil, fmt.Errorf("%w: spectators, tables: out of bounds", ErrConfig)
	}
	var s service = gomokud{http: http.DefaultClient}
	if isFloor {
		s = floor{}
	}
	c := &Crowd{number: spectators, meter: newMeter(nil), tables: make([][]*player, tables), failed: make(chan error, 1)}
	c.meter.open.Store(true)
	c.hall = &hall{service: s, site: &site{nodes: []*process{{addr: addr}}}, meter: c.meter}
	return c, nil
}

// Failed gives the first failure of a spectator, which is the end of the crowd.
func (c *Crowd) Failed() <-chan error { return c.failed }

// Close sends the spectators away and waits for them.
func (c *Crowd) Close() {
	c.hall.close()
	c.watching.Wait()
}

// ServeHTTP answers an audience.
func (c *Crowd) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.URL.Path == "/delivered" {
		fmt.Fprint(w, c.meter.deliveries.Load())
		return
	}
	table, err := strconv.Atoi(req.FormValue("table"))
	if err == nil && (table < 0 || table >= len(c.tables)) {
		err = errors.New("no such table")
	}
	if err == nil {
		err = c.follow(req.Context(), table, req.FormValue("room"))
	}
	if err != nil {
		c.fail(err)
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func (c *Crowd) follow(ctx context.Context, table int, room string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tables[table] == nil {
		return c.come(ctx, table, room)
	}
	for _, p := range c.tables[table] {
		if err := c.hall.service.follow(p, room); err != nil {
			return err
		}
	}
	return nil
}

// come connects the spectators of a table and has them watch.
func (c *Crowd) come(ctx context.Context, table int, room string) error {
	n := (c.number - table + len(c.tables) - 1) / len(c.tables)
	all := make([]*player, max(0, n))
	err := c.hall.each(ctx, len(all), openers, func(ctx context.Context, i int) (err error) {
		if all[i], err = c.hall.login(ctx, 0); err != nil {
			return err
		}
		if err = c.hall.service.follow(all[i], room); err != nil {
			return err
		}
		_, err = all[i].expect(room)
		return err
	})
	if err != nil {
		return fmt.Errorf("connect spectators: %w", err)
	}
	c.tables[table] = all
	for _, p := range all {
		c.watching.Go(func() { c.fail(p.watch(c.meter)) })
	}
	return nil
}

func (c *Crowd) fail(err error) {
	select {
	case c.failed <- err:
	default:
	}
}

// seatAudience brings n spectators to the tables.
func (h *hall) seatAudience(ctx context.Context, n int) (err error) {
	if n == 0 {
		return nil
	}
	if h.audience, err = invite(ctx, h, n); err != nil {
		return err
	}
	var group errgroup.Group
	group.SetLimit(openers)
	for i, t := range h.tables {
		t.audience, t.number = h.audience, i
		group.Go(func() error { return h.audience.follow(ctx, i, t.room) })
	}
	return group.Wait()
}

// sendHome ends the audience, if there is one.
func (h *hall) sendHome() error {
	if h.audience == nil {
		return nil
	}
	if err := h.audience.end(); err != nil {
		return fmt.Errorf("the spectators: %w\n%s", err, h.audience.said)
	}
	return nil
}
