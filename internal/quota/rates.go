package quota

import (
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rates gives everybody a rate of their own: so many in a second, and as many
// at once as burst. Make it with NewRates.
type Rates struct {
	perSecond rate.Limit
	burst     int

	mu     sync.Mutex
	recent map[string]*rate.Limiter
	old    map[string]*rate.Limiter // forgotten at the next turn
	turn   time.Time
}

// NewRates returns rates that nobody has used.
func NewRates(perSecond float64, burst int) *Rates {
	return &Rates{perSecond: rate.Limit(perSecond), burst: burst, recent: map[string]*rate.Limiter{}}
}

// remembered is how many are remembered, twice: those of this turn and those of
// the last. Who is forgotten early begins anew with a full burst.
const remembered = 100_000

// Allow takes one of what is due to who, or tells after how long there will be
// one.
func (r *Rates) Allow(who string) (wait time.Duration, ok bool) {
	now := time.Now()
	l := r.of(who, now)
	if l.AllowN(now, 1) {
		return 0, true
	}
	missing := 1 - l.TokensAt(now)
	return time.Duration(math.Ceil(missing / float64(r.perSecond) * float64(time.Second))), false
}

func (r *Rates) of(who string, now time.Time) *rate.Limiter {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.turn) > r.full() || len(r.recent) >= remembered {
		r.old, r.recent, r.turn = r.recent, map[string]*rate.Limiter{}, now
	}
	l := r.recent[who]
	if l == nil {
		if l = r.old[who]; l == nil {
			l = rate.NewLimiter(r.perSecond, r.burst)
		}
		r.recent[who] = l
	}
	return l
}

// full is how long it takes until a burst is there again, and who used it may
// be forgotten.
func (r *Rates) full() time.Duration {
	return max(time.Minute, time.Duration(float64(r.burst)/float64(r.perSecond)*float64(time.Second)))
}

// Size is how many are remembered.
func (r *Rates) Size() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.recent) + len(r.old)
}
