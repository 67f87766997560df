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
	pingEvery  = time.Second            // so that there is always something to hear
	silence    = 3 * pingEvery          // after so long without, the connection counts as dead
	redialWait = 200 * time.Millisecond // before the next connection
)

// hearing is the node's subscriptions: one, or in a cluster one for each
// partition, as a shard channel is heard only on the master that has its slot.
type hearing struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
	log    *slog.Logger
	deaf   atomic.Int32 // ears whose subscription is known to be lost
	ears   []*ear
}

// An ear is one subscription. Rooms come and go as followers do; whenever the
// server confirms one, its followers are told to look, as they may have missed
// something: at the first time, and after a broken connection has been
// replaced.
//
// It hears its own voice too: what it says every second goes the way of the
// announcements. So it is no use to it that a connection is in good health
// which leads to a master that was deposed, or that lost the slot.
//
// Whom the server counts among the listeners of a voice, it counts among those
// of the logs that the voice's connection hears. So extend.lua knows where
// nobody else listens, and saves the announcement.
type ear struct {
	partition partition
	deaf      bool
	poke      chan struct{} // has room for one: there are dirty rooms

	mu    sync.Mutex
	dirty map[string]struct{} // rooms whose followers have come or gone
	voice string              // a channel that only this connection hears; "" until it does
	heard map[string]bool     // logs that it hears
	asked map[string]int      // what it was asked about logs and has not answered
}

// listen begins to hear announcements; hearing.close ends it.
func (s *Store) listen(m mode, log *slog.Logger) {
	var ctx context.Context
	h := &s.hearing
	ctx, h.cancel = context.WithCancel(context.Background())
	h.log = log
	n := 1
	if m == cluster {
		n = partitions
	}
	for i := range n {
		h.ears = append(h.ears, &ear{partition: partitionKeys(i), dirty: make(map[string]struct{}), poke: make(chan struct{}, 1)})
	}
	s.followers.Changed = func(room string) { h.of(room).changed(room) }
	for _, e := range h.ears {
		h.done.Go(func() {
			for ctx.Err() == nil {
				err := s.session(ctx, e)
				select {
				case <-ctx.Done():
				case <-time.After(redialWait):
					h.lost(e, err)
					s.servers.refresh(ctx)
				}
			}
		})
	}
}

// of is the ear for a room.
func (h *hearing) of(room string) *ear { return h.ears[partitionNumber(room)%len(h.ears)] }

func (h *hearing) close() {
	h.cancel()
	h.done.Wait()
}

// lost and back log when announcements cease to come and when all come again.
func (h *hearing) lost(e *ear, err error) {
	if !e.deaf && h.deaf.Add(1) == 1 {
		h.log.Warn("redis subscription lost: rooms are slow to follow other nodes", "err", err)
	}
	e.deaf = true
}

func (h *hearing) back(e *ear) {
	if e.deaf && h.deaf.Add(-1) == 0 {
		h.log.Info("redis subscription is back")
	}
	e.deaf = false
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

// begin forgets the last connection. On the next one all that is followed then is
// subscribed to.
func (e *ear) begin() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dirty = make(map[string]struct{})
	e.voice, e.heard, e.asked = "", make(map[string]bool), make(map[string]int)
}

// speaks notes that the connection hears its voice.
func (e *ear) speaks(voice string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.voice = voice
}

// ask notes that the server will be asked to (un)subscribe these. From then on
// until the last answer it is not known whether they are heard.
func (e *ear) ask(channels []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range channels {
		e.asked[c]++
		delete(e.heard, c)
	}
}

// answered notes the answer.
func (e *ear) answered(channel string, subscribed bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.asked[channel]--; e.asked[channel] <= 0 {
		delete(e.asked, channel)
		if subscribed {
			e.heard[channel] = true
		}
	}
}

// hears returns the voice if the connection that has it hears all these logs.
func (e *ear) hears(members []member) (voice string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range members {
		if !e.heard[members[i].log] {
			return ""
		}
	}
	return e.voice
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
func (s *Store) session(ctx context.Context, e *ear) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e.begin()
	voice := e.partition.ear(store.NewEpoch()) // like no other
	to, err := s.servers.holder(ctx, voice)
	if err != nil {
		return err
	}
	// Of that server's own client, as a subscription of a cluster's client
	// would choose a server by itself.
	sub := to.client.SSubscribe(ctx)
	// Closing is what ends a receive that waits.
	closed := make(chan struct{})
	context.AfterFunc(ctx, func() { defer close(closed); _ = sub.Close() })
	var tending sync.WaitGroup
	var tendErr error
	tending.Go(func() {
		defer cancel()
		tendErr = s.tend(ctx, e, sub, voice)
	})
	err = s.receive(ctx, e, sub, voice)
	cancel()
	tending.Wait()
	<-closed
	return errors.Join(err, tendErr)
}

var (
	errSilent = errors.New("redisstore: the subscription does not hear its own node")
	errMoved  = errors.New("redisstore: the partition has moved to another master")
)

// receive passes on what comes in, until an error.
func (s *Store) receive(ctx context.Context, e *ear, sub *redis.PubSub, voice string) error {
	for heard := time.Now(); ; {
		patience := silence - time.Since(heard)
		if patience <= 0 {
			return errSilent
		}
		msg, err := sub.ReceiveTimeout(ctx, patience)
		if err != nil {
			return err // also that another master has the slot
		}
		switch msg := msg.(type) {
		case *redis.Subscription:
			own, on := msg.Channel == voice, msg.Kind == "ssubscribe"
			if !own {
				e.answered(msg.Channel, on)
			}
			switch {
			case own && !on: // not by us
				return errMoved
			case own:
				heard = time.Now()
				e.speaks(voice)
				s.hearing.back(e)
			case on:
				s.followers.Announce(store.Announcement{Room: roomOf(msg.Channel)})
			}
		case *redis.Message:
			if msg.Channel == voice {
				heard = time.Now()
				continue
			}
			s.followers.Announce(parseAnnouncement(msg.Channel, msg.Payload))
		}
	}
}

// tend subscribes to what is followed, at first and as it changes, and speaks,
// until an error.
func (s *Store) tend(ctx context.Context, e *ear, sub *redis.PubSub, voice string) error {
	if err := sub.SSubscribe(ctx, voice); err != nil {
		return err
	}
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	subscribed := make(map[string]bool)
	rooms := slices.DeleteFunc(s.followers.Rooms(), func(room string) bool { return s.hearing.of(room) != e })
	for {
		if err := s.subscribe(ctx, e, sub, rooms, subscribed); err != nil {
			return err
		}
		rooms = nil
		select {
		case <-ctx.Done():
			return nil
		case <-e.poke:
			rooms = e.takeDirty()
		case <-ping.C:
			s.say(ctx, voice)
		}
	}
}

// say lets whoever listens to a channel hear something: the ear its voice, or a
// room's followers that they should look. If that fails, they will not.
func (s *Store) say(ctx context.Context, channel string) {
	ctx, cancel := context.WithTimeout(ctx, pingEvery)
	defer cancel()
	_, _ = run(ctx, s.servers, channel, func(ctx context.Context) *redis.IntCmd {
		return redis.NewIntCmd(ctx, "spublish", channel, "")
	})
}

// subscribe makes the subscriptions of these rooms what the followers want. A
// command is about one partition: a cluster of one node behind a redis:// URL
// allows it only one slot, too.
func (s *Store) subscribe(ctx context.Context, e *ear, sub *redis.PubSub, rooms []string, subscribed map[string]bool) error {
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
		e.ask(channels)
		if err := sub.SSubscribe(ctx, channels...); err != nil {
			return err
		}
	}
	for _, channels := range drop {
		e.ask(channels)
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
