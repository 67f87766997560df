// Package web is the HTTP face of the service: the pages, a small JSON API
// around the socket, and the sessions of those who come.
package web

import (
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"gomokud/internal/hub"
	"gomokud/internal/quota"
	"gomokud/internal/session"
)

// Config is what the operator decides.
type Config struct {
	Secure     bool           // cookies over HTTPS only
	SessionFor time.Duration  // how long a session lasts after its last renewal; a year
	Guests     GuestRate      // new sessions from one address
	Proxies    []netip.Prefix // whose X-Forwarded-For is believed

	Connections              int     // that are no sockets; 50,000
	AddressConnections       int     // of them from one household; 1024
	AddressRequestsPerSecond float64 // of one household, with as many at once as in a minute; 50
	BoundLocal               bool    // also this machine's own addresses
}

// Opponent is a bot as the page presents it.
type Opponent struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	About    string `json:"about"`
	Level    int    `json:"level,omitempty"`    // of our own engine, from 1
	Elo      int    `json:"elo,omitempty"`      // unless it was not measured
	External bool   `json:"external,omitempty"` // a program that the operator added

	Works func() bool `json:"-"` // at the moment, else it is not on show; nil: always
}

// Server answers HTTP requests.
type Server struct {
	cfg     Config
	hub     *hub.Hub
	logs    hub.Logs
	signer  *session.Signer
	bots    []Opponent
	pages   fs.FS
	counted *prometheus.Registry
	guests  *quota.Rates
	limits  *limits
	door    *door
	proxies proxies
	log     *slog.Logger
}

// New returns the server of a hub. pages holds the built frontend, counted what
// /metrics tells.
func New(cfg Config, h *hub.Hub, logs hub.Logs, signer *session.Signer, bots []Opponent, pages fs.FS, counted *prometheus.Registry, log *slog.Logger) *Server {
	if cfg.SessionFor == 0 {
		cfg.SessionFor = 365 * 24 * time.Hour
	}
	setDefault(&cfg.Connections, 50_000)
	setDefault(&cfg.AddressConnections, 1024)
	setDefault(&cfg.AddressRequestsPerSecond, 50)
	setDefault(&cfg.Guests.PerMinute, 60)
	setDefault(&cfg.Guests.Burst, 300)
	s := &Server{
		cfg: cfg, hub: h, logs: logs, signer: signer, bots: bots, pages: pages, counted: counted, log: log,
		guests: quota.NewRates(cfg.Guests.PerMinute/60, cfg.Guests.Burst), proxies: cfg.Proxies,
		limits: newLimits(cfg.AddressRequestsPerSecond, counted),
	}
	s.door = s.newDoor()
	return s
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Handler is every route of the service.
func (s *Server) Handler() http.Handler {
	watched := http.NewServeMux() // by the operator's own machines, which nothing may keep out
	watched.HandleFunc("GET /healthz", s.alive)
	watched.HandleFunc("GET /readyz", s.ready)
	watched.Handle("GET /metrics", promhttp.HandlerFor(s.counted, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ws", s.socket)
	mux.HandleFunc("GET /api/session", s.getSession)
	mux.HandleFunc("POST /api/session", s.postSession)
	mux.HandleFunc("POST /api/session/link", s.linkSession)
	mux.HandleFunc("GET /session/{token}", s.enterLink)
	mux.HandleFunc("POST /session/{token}", s.takeLink)
	mux.HandleFunc("GET /api/options", s.options)
	mux.HandleFunc("GET /api/position", s.costly(s.position))
	mux.HandleFunc("GET /api/rooms/{room}/games/{number}", s.costly(s.game))
	mux.HandleFunc("GET /api/", func(w http.ResponseWriter, _ *http.Request) {
		fail(w, http.StatusNotFound, "not_found", "There is no such thing here.")
	})
	mux.HandleFunc("GET /", s.page)
	watched.Handle("/", s.limited(http.NewCrossOriginProtection().Handler(mux)))
	return headers(watched)
}

// headers puts on every answer what keeps a page from being misused.
func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data:; connect-src 'self'; "+
			"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
		next.ServeHTTP(w, r)
	})
}

func (s *Server) alive(w http.ResponseWriter, _ *http.Request) {
	w.Write([]byte("ok\n"))
}

func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	switch {
	case s.hub.Draining():
		http.Error(w, "draining", http.StatusServiceUnavailable)
	case !s.hub.Healthy():
		http.Error(w, "the store cannot be reached", http.StatusServiceUnavailable)
	default:
		w.Write([]byte("ready\n"))
	}
}

func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	p, _, err := s.who(r)
	if err != nil {
		fail(w, http.StatusUnauthorized, "no_session", "Ask for a session first: POST /api/session.")
		return
	}
	s.hub.ServeSocket(w, r, p, s.account(r))
}
