package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// RunBots measures what bots that think all the time cost people who play each
// other: games between people at a fixed rate, first alone, then beside more
// games against a bot than a server has workers, on the same server.
func RunBots(ctx context.Context, cfg Config) (*BotsReport, error) {
	if err := cfg.checkBots(); err != nil {
		return nil, err
	}
	if err := bindSelf(cfg.ClientCPU); err != nil {
		return nil, err
	}
	sessions := &http.Transport{MaxIdleConnsPerHost: openers}
	defer sessions.CloseIdleConnections()
	s := gomokud{clock: cfg.Clock, http: &http.Client{Transport: sessions}}
	report := &BotsReport{
		Setting: newSetting(cfg), Games: cfg.Games, Rate: cfg.Rate, Bots: cfg.Bots, Bot: cfg.Bot, Ratios: map[string]float64{},
	}
	err := withSite(ctx, s, cfg, 1, func(at *site) (err error) {
		if report.Alone, err = play(ctx, s, cfg, at); err != nil {
			return fmt.Errorf("people alone: %w", err)
		}
		return report.beside(ctx, s, cfg, at)
	})
	if err != nil {
		return nil, err
	}
	report.Ratios["to_opponent_p50"] = report.Beside.There.P50 / report.Alone.There.P50
	report.Ratios["to_opponent_p99"] = report.Beside.There.P99 / report.Alone.There.P99
	return report, nil
}

// beside has people play while the bots think.
func (r *BotsReport) beside(ctx context.Context, s gomokud, cfg Config, at *site) error {
	arena := &arena{hall: &hall{service: s, site: at, meter: newMeter(nil), cfg: cfg}, bot: cfg.Bot}
	defer arena.hall.close()
	if err := arena.open(ctx, cfg.Bots); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	context.AfterFunc(ctx, arena.hall.close)
	for _, p := range arena.people {
		group.Go(func() error {
			if err := arena.play(p); ctx.Err() == nil {
				return fmt.Errorf("a game against %s: %w", cfg.Bot, err)
			}
			return nil
		})
	}
	group.Go(func() error { return r.watch(ctx, at.addr(0)) })
	group.Go(func() (err error) {
		if err = arena.allMoved(ctx); err != nil {
			return err
		}
		before := arena.moves.Load()
		began := time.Now()
		if r.Beside, err = play(ctx, s, cfg, at); err != nil {
			return fmt.Errorf("people beside bots: %w", err)
		}
		r.BotMoves = float64(arena.moves.Load()-before) / time.Since(began).Seconds()
		return errOver
	})
	if err := group.Wait(); !errors.Is(err, errOver) {
		return errors.Join(err, context.Cause(ctx))
	}
	return nil
}

// watch looks how busy the server's bots are until ctx ends.
func (r *BotsReport) watch(ctx context.Context, addr string) error {
	const look = 250 * time.Millisecond
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	var running, waiting, looks float64
	for {
		select {
		case <-ctx.Done():
			if looks > 0 {
				r.Running, r.Waiting = running/looks, waiting/looks
			}
			return nil
		case <-ticker.C:
		}
		page, err := metrics(ctx, addr)
		if err != nil {
			if ctx.Err() != nil {
				continue
			}
			return err
		}
		running += gaugeIn(page, `gomokud_bots_running{lane="own"}`)
		waiting += gaugeIn(page, `gomokud_bots_waiting{lane="own"}`)
		looks++
	}
}

// metrics is the page of a server's metrics.
func metrics(ctx context.Context, addr string) (string, error) {
	var page bytes.Buffer
	err := fetch(ctx, "http://"+addr+"/metrics", &page)
	return page.String(), err
}

// gaugeIn is the value of a metric without labels on a page of them.
func gaugeIn(page, name string) float64 {
	_, rest, _ := strings.Cut(page, "\n"+name+" ")
	text, _, _ := strings.Cut(rest, "\n")
	v, _ := strconv.ParseFloat(text, 64)
	return v
}

// arena is people who play a bot. They answer at once, so that it is nearly
// always the bot's turn.
type arena struct {
	hall  *hall
	bot   string
	moves atomic.Int64 // of the bot's

	mu     sync.Mutex
	people []*player
}

func (a *arena) open(ctx context.Context, n int) error {
	err := a.hall.each(ctx, n, openers, func(ctx context.Context, _ int) error {
		p, err := a.hall.login(ctx, 0)
		if err != nil {
			return err
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.people = append(a.people, p)
		return nil
	})
	if err != nil {
		return fmt.Errorf("seat people before bots: %w", err)
	}
	return nil
}

// allMoved waits until the bot has moved once for everybody.
func (a *arena) allMoved(ctx context.Context) error {
	const look = 10 * time.Millisecond
	bound := patienceToMove + time.Duration(len(a.people))*time.Second
	for range bound / look {
		if a.moves.Load() >= int64(len(a.people)) {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(look):
		}
	}
	return fmt.Errorf("the bots have not moved for %s", bound)
}

// play plays game after game until the connection ends.
func (a *arena) play(p *player) error {
	for {
		answer, err := p.command("create", fmt.Sprintf(
			`,"color":"black","bot":"%s","game":{"rule":"freestyle","size":"%s","clock":{}}`, a.bot, boardSize), `"type":"ok"`)
		if err != nil {
			return err
		}
		p.room = textField(answer, "room")
		if _, err := p.command("join", p.inRoom(), `"type":"room"`); err != nil {
			return err
		}
		if err := a.game(p); err != nil {
			return err
		}
		if err := p.ask("leave", ""); err != nil {
			return err
		}
	}
}

// game plays one game as Black, on the points of the order that are free.
func (a *arena) game(p *player) error {
	taken := map[string]bool{}
	for next, ply := 0, 0; next < len(order); next++ {
		if taken[names[next]] {
			continue
		}
		err := p.wire.send(func(dst []byte) []byte { return appendPlace(dst, p, ply, names[next]) })
		if err != nil {
			return err
		}
		ply += 2
		for answered := false; !answered; {
			message, err := p.wire.read()
			if err != nil {
				return err
			}
			what := p.meaning(message)
			if what == trouble {
				return fmt.Errorf("the service said: %.300s", message)
			}
			if what == moveMade {
				_, placed, _ := bytes.Cut(message, placedMark)
				taken[textField(placed, "point")] = true
				a.moves.Add(1)
				answered = true
			}
			if bytes.Contains(message, endedMark) {
				return nil
			}
		}
	}
	return nil
}

var endedMark = []byte(`"kind":"ended"`)
