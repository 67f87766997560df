package hub

import "time"

// bucket limits a rate: so much a second, and at most as much at once as the
// bucket holds. The zero value is a full one. rate.Limiter would do, at several
// times the memory for every connection.
type bucket struct {
	spent float64   // of what it holds
	since time.Time // as of when
}

// take takes one, or reports false if there is none.
func (b *bucket) take(now time.Time, perSecond, holds float64) bool {
	return b.takeN(now, 1, perSecond, holds)
}

// takeN takes n, or none.
func (b *bucket) takeN(now time.Time, n, perSecond, holds float64) bool {
	if !b.since.IsZero() {
		b.spent = max(0, b.spent-now.Sub(b.since).Seconds()*perSecond)
	}
	b.since = now
	if b.spent+n > holds {
		return false
	}
	b.spent += n
	return true
}
