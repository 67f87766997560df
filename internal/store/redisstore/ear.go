package redisstore

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"gomokud/internal/store"
)

const (
	pingEvery  = 2 * time.Second        // so that there is always something to hear
	silence    = 3 * pingEvery          // after so long the connection counts as dead
	redialWait = 200 * time.Millisecond // before the next connection
)

// An ear is the node's one subscription. Rooms come and go as followers do;
// whenever the server confirms one, its followers are told to look, as they
// may have missed something: at the first time, and after a broken connection
// has been replaced.
//
// (A cluster of several nodes would need one for each partition, as a shard
// channel is heard only on the node that has its slot.)
type ear struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
	log    *slog.Logger
	deaf   atomic.Bool // the loss of the subscription has been logged

	mu    sync.Mutex
	dirty map[string]struct{} // rooms whose followers have come or gone
	poke  chan struct{}       // has room for one: there are dirty rooms
}

// listen begins to hear announcements; ear.close ends it.
func (s *Store) listen(log *slog.Logger) {
	var ctx context.Context
	ctx, s.ear.cancel = context.WithCancel(context.Background())
	s.ear.log = log
	s.ear.dirty = make(map[string]struct{})
	s.ear.poke = make(chan struct{}, 1)
	s.followers.Changed = s.ear.changed
	s.ear.done.Go(func() {
		for ctx.Err() == nil {
			err := s.session(ctx)
			select {
			case <-ctx.Done():
			case <-time.After(redialWait):
				s.ear.lost(err)
			}
		}
	})
}

func (e *ear) close() {
	e.cancel()
	e.done.Wait()
}

// lost and hears log when announcements cease to come and when they come again.
func (e *ear) lost(err error) {
	if !e.deaf.Swap(true) {
		e.log.Warn("redis subscription lost: rooms are slow to follow other nodes", "err", err)
	}
}

func (e *ear) hears() {
	if e.deaf.Swap(false) {
		e.log.Info("redis subscription is back")
	}
}

// changed notes that the room may have to be (un)subscribed.
func (e *ear) changed(room string) {
	e.mu.Lock()
	e.dirty[room] = struct{}{}
	e.mu.Unlock()
	select {
	case e.poke <- struct{}{}:
	default:
	}
}

func (e *ear) takeDirty() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	rooms := slices.Collect(maps.Keys(e.dirty))
	clear(e.dirty)
	return rooms
}

// Follow implements hub.Logs.
func (s *Store) Follow(room string, fn func(store.Announcement)) (stop func()) {
	return s.followers.Follow(room, fn)
}

// session listens on one connection until that is broken, silent or no longer
// wanted.
func (s *Store) session(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sub := s.client.SSubscribe(ctx)
	// Closing is what ends a receive that waits.
	closed := make(chan struct{})
	context.AfterFunc(ctx, func() { defer close(closed); _ = sub.Close() })
	var tending sync.WaitGroup
	var tendErr error
	tending.Go(func() {
		defer cancel()
		tendErr = s.tend(ctx, sub)
	})
	err := s.receive(ctx, sub)
	cancel()
	tending.Wait()
	<-closed
	return errors.Join(err, tendErr)
}

// receive passes on what comes in, until an error.
func (s *Store) receive(ctx context.Context, sub *redis.PubSub) error {
	for {
		msg, err := sub.ReceiveTimeout(ctx, silence)
		if err != nil {
			return err
		}
		switch msg := msg.(type) {
		case *redis.Subscription:
			if msg.Kind == "ssubscribe" {
				s.ear.hears()
				s.followers.Announce(store.Announcement{Room: roomOf(msg.Channel)})
			}
		case *redis.Message:
			s.followers.Announce(parseAnnouncement(msg.Channel, msg.Payload))
		}
	}
}

// tend subscribes to what is followed, at first and as it changes, and pings,
// until an error.
func (s *Store) tend(ctx context.Context, sub *redis.PubSub) error {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	subscribed := make(map[string]bool)
	rooms := s.followers.Rooms()
	for {
		if err := s.subscribe(ctx, sub, rooms, subscribed); err != nil {
			return err
		}
		rooms = nil
		select {
		case <-ctx.Done():
			return nil
		case <-s.ear.poke:
			rooms = s.ear.takeDirty()
		case <-ping.C:
			if err := sub.Ping(ctx); err != nil {
				return err
			}
		}
	}
}

// subscribe makes the subscriptions of these rooms what the followers want. A
// command is about one partition, since a cluster allows it only one slot.
func (s *Store) subscribe(ctx context.Context, sub *redis.PubSub, rooms []string, subscribed map[string]bool) error {
	add, drop := make(map[partition][]string), make(map[partition][]string)
	for _, room := range rooms {
		p := partitionOf(room)
		switch wanted := s.followers.Followed(room); {
		case wanted && !subscribed[room]:
			subscribed[room] = true
			add[p] = append(add[p], p.log(room))
		case !wanted && subscribed[room]:
			delete(subscribed, room)
			drop[p] = append(drop[p], p.log(room))
		}
	}
	for _, channels := range add {
		if err := sub.SSubscribe(ctx, channels...); err != nil {
			return err
		}
	}
	for _, channels := range drop {
		if err := sub.SUnsubscribe(ctx, channels...); err != nil {
			return err
		}
	}
	return nil
}

// parseAnnouncement reads what append.lua publishes. Of what it cannot read it
// says 'look'.
func parseAnnouncement(channel, payload string) store.Announcement {
	a := store.Announcement{Room: roomOf(channel)}
	if len(payload) < 4 {
		return a
	}
	b := []byte(payload)
	version, b := int(binary.BigEndian.Uint32(b)), b[4:]
	var events [][]byte
	for len(b) >= 4 {
		n := int(binary.BigEndian.Uint32(b))
		if n > len(b)-4 {
			return a
		}
		events = append(events, b[4:4+n:4+n])
		b = b[4+n:]
	}
	a.Version, a.Events = version, events
	return a
}
