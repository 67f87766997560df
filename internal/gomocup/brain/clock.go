package brain

import "time"

const (
	untold    = time.Second                   // for a move, if the manager says nothing
	patience  = time.Minute                   // the same, if it bounds the search otherwise
	glance    = 4 * time.Millisecond          // that any thought gets
	grace     = 8 * time.Millisecond          // after the limit: an engine that is not back then is late
	readiness = 5 * time.Second               // for an engine that fills its tables
	forever   = 1000 * time.Hour              // the longest time that is understood
	noLimit   = 2147483647 * time.Millisecond // what `INFO time_left` says without a match time
)

// clock is what the manager said of time. The zero clock was told nothing.
type clock struct {
	turn  *time.Duration // for a move
	match time.Duration  // for a game; 0: no limit
	left  *time.Duration // of the game, at the next move
	used  time.Duration  // in this game, as far as we know
}

// limit is the time in which the next move must be out. Moves are about how many
// of ours are to come, most is the most that can; bounded says whether the
// search has other bounds.
func (c *clock) limit(moves, most int, bounded bool) time.Duration {
	limit := untold
	switch {
	case c.turn != nil:
		limit = *c.turn
	case bounded:
		limit = patience
	}
	left := noLimit
	switch {
	case c.left != nil:
		left = *c.left
	case c.match > 0:
		left = c.match - c.used
	}
	if left < noLimit {
		left -= time.Duration(most) * (glance + glance/4) // so that none will have nothing
		limit = min(limit, left/time.Duration(moves))
	}
	return max(limit, 0)
}

// spend counts the time that a move has taken.
func (c *clock) spend(d time.Duration) {
	c.used += d
	if c.left != nil && *c.left < noLimit {
		left := *c.left - d
		c.left = &left
	}
}

// movesToGo is how many moves of ours a game may still have, about and at the
// most. Most games are over after 30; one that is not is near its end, or
// decided by small things.
func movesToGo(stones, points int) (about, most int) {
	most = max((points-stones+1)/2, 1)
	return min(max(30-stones/2, 12), most), most
}

// aim is when thinking shall end so that the answer is out within the limit.
func aim(limit time.Duration) time.Duration {
	reserve := min(max(limit/16, 3*time.Millisecond), 30*time.Millisecond)
	return max(limit-reserve, glance)
}
