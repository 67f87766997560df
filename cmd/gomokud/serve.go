package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"gomokud/frontend"
	"gomokud/internal/hub"
	"gomokud/internal/match"
	"gomokud/internal/session"
	"gomokud/internal/web"
)

// serve is the service itself.
type serve struct {
	Addr    string        `default:"127.0.0.1:8080" help:"Address to listen on; ':8080' is every interface."`
	Store   string        `default:"embedded" help:"Where games are kept: 'embedded' (a file in --data) or a URL: redis://HOST, redis+sentinel://HOST,HOST,HOST/MASTER, redis+cluster://HOST,HOST."`
	Data    string        `default:"data" type:"path" help:"Folder of the embedded store."`
	Secret  string        `help:"Key that signs sessions, at least 16 characters; without it the store keeps a random one."`
	Origins []string      `name:"origin" env:"GOMOKUD_ORIGIN" help:"Further origins that may open sockets, as 'https://play.example'."`
	Secure  bool          `help:"Send cookies over HTTPS only: set it behind TLS."`
	Proxies []string      `name:"trusted-proxy" env:"GOMOKUD_TRUSTED_PROXY" help:"Addresses and networks of proxies that are believed from where a request comes (X-Forwarded-For), as '10.0.0.0/8'."`
	Keep    time.Duration `default:"2160h" help:"How long finished games are kept."`
	Drain   time.Duration `default:"10s" help:"The longest that stopping may take."`
	LogJSON bool          `name:"log-json" env:"GOMOKUD_LOG_JSON" help:"Log as JSON."`
	Pprof   string        `help:"Serve Go's profiles on this address, as '127.0.0.1:6060'; never a public one."`

	Workers  int `default:"0" help:"Goroutines that think for bots where no worker does; 0 is half of the processors."`
	BotQueue int `default:"1024" help:"Bot turns that may wait."`

	Engines      []string `name:"engine" env:"GOMOKUD_ENGINE" sep:"none" help:"A program that speaks the Gomocup protocol, as one more opponent: 'name=/path/to/program arguments'."`
	EngineMemory int64    `default:"1024" help:"Memory of a process of such a program, in MiB; 0 sets no bound."`

	ClaimAfter   time.Duration `default:"60s" help:"An opponent who is gone for so long may be claimed; ten times as long without a clock."`
	FirstMove    time.Duration `default:"2m" help:"A game with a clock is aborted without a first move by then."`
	OpenFor      time.Duration `default:"24h" help:"How long a friend's seat is kept free."`
	AbandonAfter time.Duration `default:"72h" help:"In games without a clock, who is gone for so long has lost."`
	LagCap       time.Duration `default:"300ms" help:"The most that a move is credited for its way to the server."`

	MessageBytes             int64         `default:"4096" help:"Largest message from a client."`
	CommandsPerSecond        float64       `default:"20" help:"Commands a second on one connection."`
	SessionCommandsPerSecond float64       `default:"40" help:"Commands a second of one player, over all connections."`
	ConnectionsPerSession    int           `default:"16" help:"Connections of one player."`
	RoomsPerSession          int           `default:"20" help:"Unfinished games of one player."`
	RoomsPerMinute           float64       `default:"30" help:"New games of one player in a minute."`
	FollowedRooms            int           `default:"64" help:"Rooms that one connection follows at a time."`
	Outbox                   int           `default:"64" help:"Messages that may wait for a slow client before it must resume."`
	Connections              int           `default:"50000" help:"Sockets of this node, and as many connections that are none; more are answered with 503."`
	ArrivalsPerSecond        float64       `default:"1000" help:"New sockets of this node in a second."`
	AddressConnections       int           `default:"1024" help:"Sockets from one address, and as many connections that are none; more are answered with 429."`
	AddressRequestsPerSecond float64       `default:"50" help:"HTTP requests a second from one address, with a minute's worth of them at once."`
	AddressRoomsPerMinute    float64       `default:"300" help:"New games a minute from one address."`
	LateAfter                time.Duration `default:"100ms" help:"Goroutines that run so late are pressure, under which thumbnails are shed; at twice as much spectators, at four times new games."`
	GuestsPerMinute          float64       `default:"60" help:"New players a minute from one address."`
	GuestsBurst              int           `default:"300" help:"New players at once from one address."`
	StoreTimeout             time.Duration `default:"5s" help:"Longest wait for the store."`
	Silence                  time.Duration `default:"60s" help:"A connection without a sign of life for so long is dropped."`
}

// Run serves until ctx ends, then drains.
func (s *serve) Run(ctx context.Context) error {
	if err := s.validate(); err != nil {
		return usageError{err}
	}
	guests, err := parseGuests(s.Engines, s.EngineMemory)
	if err != nil {
		return usageError{err}
	}
	proxies, err := s.proxies()
	if err != nil {
		return usageError{err}
	}
	log := newLogger(s.LogJSON)
	listener, err := net.Listen("tcp", s.Addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	defer listener.Close()
	stopProfiles, err := serveProfiles(s.Pprof, log)
	if err != nil {
		return err
	}
	defer stopProfiles()

	st, err := s.storage().open(ctx, log)
	if err != nil {
		return err
	}
	closeStore := sync.OnceFunc(func() {
		if err := st.Close(); err != nil {
			log.Error("could not close the store", "err", err)
		}
	})
	defer closeStore()
	signer, err := s.signer(ctx, st)
	if err != nil {
		return err
	}

	// With one processor to itself Go looks at the network only every 10 ms while
	// an engine thinks, and does nothing else for as long while it waits for a disk;
	// a second one, shared by the system, keeps moves quick. Who leaves thinking to
	// workers, and storing to Redis, may ask for one by GOMAXPROCS.
	if os.Getenv("GOMAXPROCS") == "" || !s.storage().shared() {
		runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))
	}
	programs, closePrograms := invite(guests, log)
	defer closePrograms()
	bots := catalogue(programs)
	counted := prometheus.NewRegistry()
	counted.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	thinkers := newLanes(bots, s.Workers, s.BotQueue, log, counted)
	thinkers.askWorkers(st)
	h := hub.New(s.hubConfig(), st, thinkers, bots.players, log, counted)
	if err := h.Start(ctx); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	site := web.New(s.webConfig(proxies), h, st, signer, bots.offered, frontend.Files(), counted, log)
	server := &http.Server{
		Handler:           site.Handler(),
		ConnState:         site.ConnState,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       20 * time.Second, // of a request; a socket has its own
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	return s.run(ctx, log, server, site.Listen(listener), h, thinkers, closeStore)
}

// run holds the server, the hub and the thinkers together: they stop as one, in the
// order in which they need each other.
func (s *serve) run(ctx context.Context, log *slog.Logger, server *http.Server, l net.Listener, h *hub.Hub, thinkers lanes, closeStore func()) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	thinking, stopThinking := context.WithCancel(context.WithoutCancel(ctx))
	defer stopThinking()

	var running sync.WaitGroup
	running.Go(func() { thinkers.Run(thinking) })
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	log.Info("serving", "url", "http://"+readable(l.Addr().String()), "store", s.storage().String())

	hubDone := make(chan struct{})
	go func() {
		h.Run(ctx)
		close(hubDone)
	}()

	var err error
	select {
	case <-ctx.Done():
		log.Info("stopping")
	case err = <-served:
		stop()
	}
	bound := time.AfterFunc(s.Drain, func() {
		log.Error("stopping took too long; leaving as it is")
		os.Exit(exitFailed)
	})
	defer bound.Stop()
	defer closeStore() // within the bound
	<-hubDone
	stopThinking()
	running.Wait()
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if e := server.Shutdown(closing); e != nil {
		server.Close()
	}
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// validate says in one line which flag has a wrong value.
func (s *serve) validate() error {
	_, port, err := net.SplitHostPort(s.Addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return fmt.Errorf("--addr %q: must be HOST:PORT", s.Addr)
	}
	if err := s.storage().check(); err != nil {
		return err
	}
	if s.Secret != "" && len(s.Secret) < 16 {
		return errors.New("--secret: must have at least 16 characters")
	}
	for _, o := range s.Origins {
		if u, err := url.Parse(o); err != nil || u.Scheme == "" || u.Host == "" || strings.TrimSuffix(o, "/") != u.Scheme+"://"+u.Host {
			return fmt.Errorf("--origin %q: must be like https://play.example", o)
		}
	}
	for name, v := range map[string]float64{
		"message-bytes": float64(s.MessageBytes) - 255, "commands-per-second": s.CommandsPerSecond,
		"session-commands-per-second": s.SessionCommandsPerSecond, "connections-per-session": float64(s.ConnectionsPerSession),
		"rooms-per-session": float64(s.RoomsPerSession), "rooms-per-minute": s.RoomsPerMinute,
		"followed-rooms": float64(s.FollowedRooms), "outbox": float64(s.Outbox), "bot-queue": float64(s.BotQueue),
		"late-after": s.LateAfter.Seconds(), "connections": float64(s.Connections), "arrivals-per-second": s.ArrivalsPerSecond, "address-connections": float64(s.AddressConnections),
		"address-requests-per-second": s.AddressRequestsPerSecond, "address-rooms-per-minute": s.AddressRoomsPerMinute,
		"guests-per-minute": s.GuestsPerMinute, "guests-burst": float64(s.GuestsBurst),
		"keep": s.Keep.Seconds(), "drain": s.Drain.Seconds(), "claim-after": s.ClaimAfter.Seconds(),
		"first-move": s.FirstMove.Seconds(), "open-for": s.OpenFor.Seconds(), "abandon-after": s.AbandonAfter.Seconds(),
		"lag-cap": s.LagCap.Seconds() + 1, "workers": float64(s.Workers) + 1, "engine-memory": float64(s.EngineMemory) + 1,
		"store-timeout": s.StoreTimeout.Seconds(), "silence": s.Silence.Seconds(),
	} {
		if v <= 0 {
			return fmt.Errorf("--%s: is too small", name)
		}
	}
	return nil
}

func newLogger(json bool) *slog.Logger {
	if json {
		return slog.New(slog.NewJSONHandler(os.Stderr, nil))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, nil))
}

// proxies are the networks that --trusted-proxy names.
func (s *serve) proxies() ([]netip.Prefix, error) {
	networks := make([]netip.Prefix, len(s.Proxies))
	for i, text := range s.Proxies {
		var err error
		if networks[i], err = web.ParseNetwork(text); err != nil {
			return nil, fmt.Errorf("--trusted-proxy %q: %w", text, err)
		}
	}
	return networks, nil
}

// storage is what the flags say about the store.
func (s *serve) storage() storage { return storage{store: s.Store, data: s.Data, keep: s.Keep} }

func (s *serve) signer(ctx context.Context, st hub.Store) (*session.Signer, error) {
	if s.Secret != "" {
		return session.NewSigner([]byte(s.Secret))
	}
	key, err := st.Secret(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the session key: %w", err)
	}
	return session.NewSigner(key)
}

func (s *serve) hubConfig() hub.Config {
	node := make([]byte, 4)
	rand.Read(node)
	origins := make([]string, len(s.Origins))
	for i, o := range s.Origins {
		origins[i] = strings.TrimSuffix(o, "/") // as browsers send it
	}
	return hub.Config{
		Node: hex.EncodeToString(node), Origins: origins,
		Limits: match.Limits{
			ClaimAfter: millis(s.ClaimAfter), FirstMove: millis(s.FirstMove), OpenFor: millis(s.OpenFor),
			AbandonAfter: millis(s.AbandonAfter), LagCap: millis(s.LagCap),
		},
		MessageBytes: s.MessageBytes, CommandsPerSecond: s.CommandsPerSecond,
		SessionCommandsPerSecond: s.SessionCommandsPerSecond, ConnectionsPerSession: s.ConnectionsPerSession,
		RoomsPerSession: s.RoomsPerSession, RoomsPerMinute: s.RoomsPerMinute, FollowedRooms: s.FollowedRooms,
		Outbox: s.Outbox, StoreTimeout: s.StoreTimeout, Silence: s.Silence,
		Connections: s.Connections, AddressConnections: s.AddressConnections, ArrivalsPerSecond: s.ArrivalsPerSecond,
		AddressRoomsPerMinute: s.AddressRoomsPerMinute, LateAfter: s.LateAfter,
	}
}

func (s *serve) webConfig(proxies []netip.Prefix) web.Config {
	return web.Config{
		Secure: s.Secure, Proxies: proxies, Guests: web.GuestRate{PerMinute: s.GuestsPerMinute, Burst: s.GuestsBurst},
		Connections: s.Connections, AddressConnections: s.AddressConnections, AddressRequestsPerSecond: s.AddressRequestsPerSecond,
	}
}

func millis(d time.Duration) match.Millis { return match.Millis(d.Milliseconds()) }

// readable turns the address of every interface into one that can be clicked.
func readable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err == nil && (host == "::" || host == "0.0.0.0") {
		return "localhost:" + port
	}
	return addr
}
