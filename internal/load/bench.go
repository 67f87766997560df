package load

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
)

// Run measures the floor and the real server in turn and returns what was found.
// Nothing of it is left running or lying about when it returns.
func Run(ctx context.Context, cfg Config) (*Report, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	if err := bindSelf(cfg.ClientCPU); err != nil {
		return nil, err
	}
	sessions := &http.Transport{MaxIdleConnsPerHost: openers}
	defer sessions.CloseIdleConnections()
	report := newReport(cfg)
	if cfg.Store == "embedded" {
		took, err := syncTime(cfg.Folder)
		if err != nil {
			return nil, err
		}
		report.Notes = append(report.Notes, fmt.Sprintf("a synced write to the store's disk took %.2f ms (median, before the games).", micros(took)/1000))
	}
	for _, s := range []service{
		floor{clock: cfg.Clock},
		gomokud{store: cfg.Store, clock: cfg.Clock, http: &http.Client{Transport: sessions}},
	} {
		result, err := measure(ctx, s, cfg)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name(), err)
		}
		report.add(result)
	}
	return report, nil
}

// measure runs every scenario that is asked for, each against a fresh server.
func measure(ctx context.Context, s service, cfg Config) (Result, error) {
	result := Result{Service: s.name()}
	if cfg.Idle > 0 {
		err := withServer(ctx, s, cfg, func(p *process) (err error) {
			result.Memory, err = idle(ctx, s, cfg, p)
			return err
		})
		if err != nil {
			return Result{}, err
		}
	}
	if cfg.Games > 0 {
		err := withServer(ctx, s, cfg, func(p *process) (err error) {
			result.Play, err = play(ctx, s, cfg, p)
			return err
		})
		if err != nil {
			return Result{}, err
		}
	}
	return result, nil
}

// withServer runs a scenario against a server of its own with an empty store.
func withServer(ctx context.Context, s service, cfg Config, scenario func(*process) error) (err error) {
	folder, err := os.MkdirTemp(cfg.Folder, "gomokud-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the store: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	args, env := s.args(filepath.Join(folder, "data"))
	p, err := begin(ctx, cfg.Exe, args, append(env, cfg.Env...), cfg.ServerCPU)
	if err != nil {
		return err
	}
	defer func() {
		if e := p.end(); err == nil && e != nil {
			err = fmt.Errorf("the server ended badly: %w\n%s", e, p.said)
		}
	}()
	if err := scenario(p); err != nil {
		select {
		case <-p.done:
			return fmt.Errorf("%w; the server has ended: %v\n%s", err, p.err, p.said)
		default:
			return err
		}
	}
	return nil
}
