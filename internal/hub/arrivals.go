package hub

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/quota"
)

// arrivals bounds the sockets of this node: how many there are, how many of one
// household, and how quickly they come.
type arrivals struct {
	places *quota.Places
	rooms  *quota.Rates // new ones of a household
	turned *prometheus.CounterVec

	mu   sync.Mutex
	rate bucket
}

func (a *arrivals) init(cfg Config, reg prometheus.Registerer) {
	a.places = quota.NewPlaces(cfg.Connections, cfg.AddressConnections)
	a.rooms = quota.NewRates(cfg.AddressRoomsPerMinute/60, int(2*cfg.AddressRoomsPerMinute)+1)
	a.turned = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "gomokud_sockets_turned_away_total", Help: "Requests for a socket that were turned away, by the limit that was hit.",
	}, []string{"limit"})
	for _, c := range []crowded{tooQuick, tooFull, tooMany} {
		a.turned.WithLabelValues(c.limit)
	}
	reg.MustRegister(a.turned)
}

// crowded is what somebody is told for whom there is no place.
type crowded struct {
	limit, text string
	status      int
	retry       int // in seconds
}

var (
	tooQuick = crowded{limit: "arrivals_per_second", status: http.StatusServiceUnavailable, retry: 1, text: "too many connections are being made at once"}
	tooFull  = crowded{limit: "connections", status: http.StatusServiceUnavailable, retry: 10, text: "this server is full"}
	tooMany  = crowded{limit: "address_connections", status: http.StatusTooManyRequests, retry: 30, text: "too many connections come from your address"}
)

// admit takes a place for a socket on the account of a household. If there is
// none it answers the request and reports false.
func (h *Hub) admit(w http.ResponseWriter, household string) bool {
	a := &h.arrivals
	no := tooFull
	switch a.places.Take(household) {
	case quota.Taken:
		if a.takes(time.Now(), h.cfg.ArrivalsPerSecond) {
			return true
		}
		a.places.Leave(household)
		no = tooQuick
	case quota.Yours:
		no = tooMany
	}
	a.turned.WithLabelValues(no.limit).Inc()
	w.Header().Set("Retry-After", strconv.Itoa(no.retry))
	http.Error(w, no.text, no.status)
	return false
}

// takes reports whether one more may come now, with five seconds' worth of them at once.
func (a *arrivals) takes(now time.Time, perSecond float64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.rate.take(now, perSecond, 5*perSecond+1)
}

// mayFound takes one of the new rooms of a household, if the client has one.
func (a *arrivals) mayFound(household string) error {
	if household == "" {
		return nil
	}
	if wait, ok := a.rooms.Allow(household); !ok {
		return &refusal{code: "too_many", text: "Too many new games come from your address.", limit: "address_rooms_per_minute", retry: wait}
	}
	return nil
}
