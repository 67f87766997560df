package web

import (
	"context"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/quota"
)

// account is on whose account a request goes. What comes from this machine
// itself is nobody's, and so is what comes from a proxy that does not say from
// where: who speaks for everybody cannot be bounded like one.
func (s *Server) account(r *http.Request) string { return s.accountOf(s.proxies.client(r)) }

func (s *Server) accountOf(from netip.Addr) string {
	if !from.IsValid() || s.proxies.include(from) || here(from) && !s.cfg.BoundLocal {
		return ""
	}
	return household(from)
}

// here reports whether an address is this machine's usual name for itself.
func here(a netip.Addr) bool {
	return a == netip.AddrFrom4([4]byte{127, 0, 0, 1}) || a == netip.IPv6Loopback()
}

// limits bounds what the requests of a household may cost.
type limits struct {
	requests *quota.Rates
	work     chan struct{} // a place for each request that costs more than to be answered
	turned   *prometheus.CounterVec
}

// working is how many requests at once may read from the store or compute.
const working = 64

func newLimits(perSecond float64, reg prometheus.Registerer) *limits {
	l := &limits{
		requests: quota.NewRates(perSecond, int(60*perSecond)+1),
		work:     make(chan struct{}, working),
		turned: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gomokud_requests_turned_away_total", Help: "HTTP requests and connections that were turned away, by the limit that was hit.",
		}, []string{"limit"}),
	}
	for _, limit := range []string{"address_requests_per_second", "busy", "connections", "address_connections"} {
		l.turned.WithLabelValues(limit)
	}
	reg.MustRegister(l.turned)
	return l
}

// limited answers a household that asks too often with 429.
func (s *Server) limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if household := s.account(r); household != "" {
			if wait, ok := s.limits.requests.Allow(household); !ok {
				s.limits.turned.WithLabelValues("address_requests_per_second").Inc()
				w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
				fail(w, http.StatusTooManyRequests, "too_many", "Too many requests come from your address. Try again in a moment.")
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// costly lets only so many requests at once come through, for so long; others
// are answered with 503.
func (s *Server) costly(next http.HandlerFunc) http.HandlerFunc {
	const patience = 5 * time.Second
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case s.limits.work <- struct{}{}:
			defer func() { <-s.limits.work }()
		default:
			s.limits.turned.WithLabelValues("busy").Inc()
			w.Header().Set("Retry-After", "1")
			fail(w, http.StatusServiceUnavailable, "busy", "Too much is being asked at once. Try again in a moment.")
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), patience)
		defer cancel()
		next(w, r.WithContext(ctx))
	}
}
