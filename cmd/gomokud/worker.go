package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"gomokud/internal/hub"
	"gomokud/internal/jobs"
	"gomokud/internal/store"
	"gomokud/internal/store/redisstore"
)

// worker thinks for the bots of nodes that share a store. It serves nobody.
type worker struct {
	Addr    string        `default:"127.0.0.1:8081" help:"Address of /metrics, /healthz and /readyz."`
	Store   string        `required:"" help:"The servers' store, a URL as theirs."`
	Drain   time.Duration `default:"10s" help:"The longest that stopping may take; bots that still think then are left to others."`
	LogJSON bool          `name:"log-json" env:"GOMOKUD_LOG_JSON" help:"Log as JSON."`
	Pprof   string        `help:"Serve Go's profiles on this address, as '127.0.0.1:6060'; never a public one."`

	Workers int `default:"0" help:"Bots that think at a time; 0 is as many as there are processors."`

	Engines      []string `name:"engine" env:"GOMOKUD_ENGINE" sep:"none" help:"A program that speaks the Gomocup protocol, under the name that the servers know: 'name=/path/to/program arguments'."`
	EngineMemory int64    `default:"1024" help:"Memory of a process of such a program, in MiB; 0 sets no bound."`

	StoreTimeout time.Duration `default:"5s" help:"Longest wait for the store."`
}

// queued is a store that holds queues for workers.
type queued interface {
	hub.Aside
	Jobs(lane string) *redisstore.Jobs
}

// Run thinks until ctx ends, then lets come to an end what it has begun.
func (w *worker) Run(ctx context.Context) error {
	if err := w.validate(); err != nil {
		return usageError{err}
	}
	guests, err := parseGuests(w.Engines, w.EngineMemory)
	if err != nil {
		return usageError{err}
	}
	log := newLogger(w.LogJSON)
	listener, err := net.Listen("tcp", w.Addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	defer listener.Close()
	stopProfiles, err := serveProfiles(w.Pprof, log)
	if err != nil {
		return err
	}
	defer stopProfiles()
	opened, err := w.storage().open(ctx, log)
	if err != nil {
		return err
	}
	closeStore := sync.OnceFunc(func() {
		if err := opened.Close(); err != nil {
			log.Error("could not close the store", "err", err)
		}
	})
	defer closeStore()
	st, ok := opened.(queued)
	if !ok {
		return errors.New("the store has no queue for workers")
	}

	threads := w.Workers
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	runtime.GOMAXPROCS(threads + 1) // somebody must look at the network while all think
	programs, closePrograms := invite(guests, log)
	defer closePrograms()
	counted := prometheus.NewRegistry()
	counted.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	thinkers := newLanes(catalogue(programs), threads, 0, log, counted)
	deputy := hub.NewDeputy(hub.Config{StoreTimeout: w.StoreTimeout}, st, thinkers, log, counted)
	if err := deputy.Start(ctx); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	name := workerName()
	drain := w.Drain - w.Drain/5 // the rest is for what must stop after the bots
	var hands []*jobs.Worker
	for _, l := range thinkers {
		self := store.Worker{Name: name, Threads: l.places, Bots: slices.Sorted(maps.Keys(l.bots))}
		hands = append(hands, jobs.NewWorker(self, drain, st.Jobs(l.queue), deputy, l.log, l.counted))
	}
	server := &http.Server{
		Handler:           w.pages(hands, counted),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       20 * time.Second,
		WriteTimeout:      30 * time.Second,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	log.Info("working", "url", "http://"+readable(listener.Addr().String()), "store", w.storage().String(), "name", name, "threads", threads)
	return w.run(ctx, log, server, listener, hands, deputy, thinkers, closeStore)
}

// run holds the parts together: they stop in the order in which they need each
// other.
func (w *worker) run(ctx context.Context, log *slog.Logger, server *http.Server, l net.Listener, hands []*jobs.Worker, deputy *hub.Deputy, thinkers lanes, closeStore func()) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	thinking, stopThinking := context.WithCancel(context.WithoutCancel(ctx))
	defer stopThinking()
	var running sync.WaitGroup
	running.Go(func() { deputy.Run(thinking) })
	running.Go(func() { thinkers.Run(thinking) })
	served := make(chan error, 1)
	go func() {
		served <- server.Serve(l)
		stop()
	}()
	var bound sync.WaitGroup
	defer bound.Wait()
	stopped := make(chan struct{})
	defer close(stopped)
	bound.Go(func() {
		<-ctx.Done()
		log.Info("stopping")
		select {
		case <-time.After(w.Drain):
			log.Error("stopping took too long; leaving as it is")
			os.Exit(exitFailed)
		case <-stopped:
		}
	})
	var working sync.WaitGroup
	for _, hand := range hands {
		working.Go(func() { hand.Run(ctx) })
	}
	working.Wait()
	stopThinking()
	running.Wait()
	closeStore() // within the bound
	server.Close()
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// pages are what an operator asks for.
func (w *worker) pages(hands []*jobs.Worker, counted *prometheus.Registry) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if slices.ContainsFunc(hands, func(hand *jobs.Worker) bool { return !hand.Ready() }) {
			http.Error(w, "the servers do not know of this worker", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(counted, promhttp.HandlerOpts{}))
	return mux
}

// validate says in one line which flag has a wrong value.
func (w *worker) validate() error {
	_, port, err := net.SplitHostPort(w.Addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	switch {
	case err != nil:
		return fmt.Errorf("--addr %q: must be HOST:PORT", w.Addr)
	case !w.storage().shared():
		return errors.New("--store: workers need a store that can be shared, as redis://HOST")
	case w.Workers < 0 || w.Workers > 1024:
		return fmt.Errorf("--workers %d: must be from 0 to 1024", w.Workers)
	case w.Drain <= 0 || w.StoreTimeout <= 0 || w.EngineMemory < 0:
		return errors.New("--drain, --store-timeout, --engine-memory: one is too small")
	}
	return w.storage().check()
}

// storage is what the flags say about the store.
func (w *worker) storage() storage { return storage{store: w.Store} }

// workerName is a name that no other worker has.
func workerName() string {
	id := make([]byte, 4)
	rand.Read(id)
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	return host + "-" + hex.EncodeToString(id)
}
