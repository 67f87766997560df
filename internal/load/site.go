package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// site is a service that runs: its nodes, and the Redis that was started for
// them, if any.
type site struct {
	nodes []*process
	redis *process
}

// addr is where the n-th connection goes.
func (s *site) addr(n int) string { return s.nodes[n%len(s.nodes)].addr }

// withSite runs nodes of a service with an empty store for as long as do takes.
func withSite(ctx context.Context, s service, cfg Config, nodes int, do func(*site) error) (err error) {
	folder, err := os.MkdirTemp(cfg.Folder, "gomokud-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the store: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	at := new(site)
	defer func() { err = at.end(err) }()
	store := cfg.Store
	if store == OwnRedis {
		if at.redis, err = beginRedis(ctx, folder, cfg.ServerCPU); err != nil {
			return err
		}
		store = "redis://" + at.redis.addr
	}
	args, env := s.args(filepath.Join(folder, "data"), store)
	env = append(env, cfg.Env...)
	if cfg.ServerProcs > 0 {
		env = append(env, "GOMAXPROCS="+strconv.Itoa(cfg.ServerProcs))
	}
	for range nodes {
		p, err := begin(ctx, cfg.Exe, args, env, place{cpu: cfg.ServerCPU}, serves)
		if err != nil {
			return err
		}
		at.nodes = append(at.nodes, p)
	}
	return do(at)
}

// serves reports whether one of our own servers has said where it serves.
func serves(p *process) bool {
	p.addr, p.profiler = p.said.find("serving"), p.said.find("profiling")
	return p.addr != ""
}

// end stops all processes, Redis last. What they say about their end is of use
// where they ended by themselves, or badly.
func (s *site) end(err error) error {
	for _, p := range s.all() {
		select {
		case <-p.done:
			err = errors.Join(err, fmt.Errorf("%s has ended by itself: %v\n%s", p.name, p.err, p.said))
			continue
		default:
		}
		if e := p.end(); err == nil && e != nil {
			err = fmt.Errorf("%s ended badly: %w\n%s", p.name, e, p.said)
		}
	}
	return err
}

func (s *site) all() []*process {
	if s.redis == nil {
		return s.nodes
	}
	return append(s.nodes[:len(s.nodes):len(s.nodes)], s.redis)
}

// usage is what the processes have used of the processors at a moment.
type usage struct {
	at                       time.Time
	server, redis, generator time.Duration
	watched                  int64 // moves that have reached spectators
}

// usage looks how much was used until now. The server's is that of all nodes.
func (s *site) usage() (u usage, err error) {
	u.at = time.Now()
	for _, p := range s.nodes {
		used, err := cpuTime(p.pid)
		if err != nil {
			return u, err
		}
		u.server += used
	}
	if s.redis != nil {
		if u.redis, err = cpuTime(s.redis.pid); err != nil {
			return u, err
		}
	}
	u.generator, err = cpuTime(os.Getpid())
	return u, err
}

func (u usage) minus(before usage) spent {
	return spent{
		wall: u.at.Sub(before.at), server: u.server - before.server,
		redis: u.redis - before.redis, generator: u.generator - before.generator,
	}
}

// spent is what was used between two moments.
type spent struct{ wall, server, redis, generator time.Duration }
