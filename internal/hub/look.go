package hub

import (
	"context"
	"time"

	"gomokud/internal/store"
)

// look runs after an announcement of something unknown here, the n-th: it reads
// what is missing, unless the announcement brought all of it along.
func (r *room) look(ctx context.Context, a store.Announcement, n int64) error {
	if err := r.take(ctx); err != nil {
		return err
	}
	defer r.give()
	r.looking.Store(false)
	last := r.news.Load() == n // else there is more than this one says
	switch {
	case r.closed:
		return nil
	case last && r.continues(a) && r.foldAnnounced(a):
		return nil
	case !last || r.state == nil || a.Version == 0 || a.Version > r.state.Version:
		return r.catchUp(ctx)
	}
	return nil
}

// continues reports whether an announcement brings along all that is missing.
func (r *room) continues(a store.Announcement) bool {
	return r.state != nil && a.Version > 0 && a.Version-len(a.Events) == r.state.Version
}

// foldAnnounced reports whether that went well; if not, the log will tell.
func (r *room) foldAnnounced(a store.Announcement) bool {
	r.known.Store(int64(a.Version))
	err := r.fold(a.Events)
	if err != nil {
		r.hub.log.Warn("could not follow a room", "room", r.id, "err", err)
	}
	return err == nil
}

// overhear is look when there is nothing to wait for: the token is free, and
// nothing else is missing. It reports whether a look is no longer needed.
func (r *room) overhear(a store.Announcement, n int64) bool {
	select {
	case r.token <- struct{}{}:
		defer r.give()
	default:
		return false
	}
	if r.closed || r.hub.life.Err() != nil || r.news.Load() != n || !r.continues(a) || !r.foldAnnounced(a) {
		return false
	}
	r.looking.Store(false)
	// If there is more by now, a look is needed, unless another has begun.
	return r.news.Load() == n || !r.looking.CompareAndSwap(false, true)
}

// lookAgain keeps looking until the log can be read, after a commit whose fate
// is unknown: who sees the room must learn it even if nobody asks again.
func (r *room) lookAgain() {
	if !r.looking.CompareAndSwap(false, true) {
		return
	}
	r.hub.spawn(func(ctx context.Context) {
		for pause := 250 * time.Millisecond; ; pause = min(2*pause, 4*time.Second) {
			if !sleep(ctx, pause) || r.look(ctx, store.Announcement{}, 0) == nil {
				return
			}
			r.looking.Store(true)
		}
	})
}

// announced is called by the store; it must not block.
func (r *room) announced(a store.Announcement) {
	if a.Version != 0 && int64(a.Version) <= r.known.Load() {
		return
	}
	n := r.news.Add(1) // before the swap: a look that is to come must see it
	if !r.looking.CompareAndSwap(false, true) {
		return // that look will read everything
	}
	if r.overhear(a, n) { // as usual: a goroutine would cost as much as the rest
		return
	}
	r.hub.spawn(func(ctx context.Context) {
		if err := r.look(ctx, a, n); err != nil && ctx.Err() == nil {
			r.hub.log.Warn("could not follow a room", "room", r.id, "err", err)
		}
	})
}

// reach sees to it that a client is not sent back to a version before the one
// it has: another node may have told it more than this one knows yet.
func (r *room) reach(ctx context.Context, epoch string, have int) error {
	if epoch != r.epoch || have <= r.state.Version {
		return nil
	}
	if err := r.catchUp(ctx); err != nil {
		return err
	}
	if have > r.state.Version && !r.doubted {
		r.doubted = true // once: the claim may be made up
		r.hub.log.Warn("a client claims to have seen more than a room's log has", "room", r.id, "seen", have, "has", r.state.Version)
	}
	return nil
}
