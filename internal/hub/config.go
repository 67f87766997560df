package hub

import (
	"time"

	"gomokud/internal/match"
)

// Config is how a hub behaves. A zero field means the default named beside it.
type Config struct {
	Node    string       // this node's name among its siblings; required
	Origins []string     // origins beside our own that may open sockets, as "https://host"
	Limits  match.Limits // of new rooms; match.DefaultLimits

	MessageBytes             int64         // the largest message from a client; 4096
	CommandsPerSecond        float64       // on one connection, with twice as many at once; 20
	SessionCommandsPerSecond float64       // of one session over all connections, likewise; 40
	ConnectionsPerSession    int           // 16
	RoomsPerSession          int           // unfinished games of one player; 20
	RoomsPerMinute           float64       // new rooms of one player, with as many at once; 30
	FollowedRooms            int           // that one connection follows at a time; 64
	Outbox                   int           // messages that may wait for a slow client; 64
	StoreTimeout             time.Duration // for one question to the store; 5 s
	Silence                  time.Duration // a connection without a sign of life for so long is dropped; 60 s
	WriteTimeout             time.Duration // for one message to a client; 10 s

	Connections           int           // of this node; 50,000
	AddressConnections    int           // of one household; 1024
	AddressRoomsPerMinute float64       // new rooms of one household, with twice as many at once; 300
	ArrivalsPerSecond     float64       // new connections of this node, with five times as many at once; 1000
	LateAfter             time.Duration // goroutines that run so late are pressure; 100 ms

	memory func() (live, limit uint64) // in bytes; memoryInUse
}

func (c Config) withDefaults() Config {
	setDefault(&c.Limits, match.DefaultLimits())
	setDefault(&c.MessageBytes, 4096)
	setDefault(&c.CommandsPerSecond, 20)
	setDefault(&c.SessionCommandsPerSecond, 40)
	setDefault(&c.ConnectionsPerSession, 16)
	setDefault(&c.RoomsPerSession, 20)
	setDefault(&c.RoomsPerMinute, 30)
	setDefault(&c.FollowedRooms, 64)
	setDefault(&c.Outbox, 64)
	setDefault(&c.StoreTimeout, 5*time.Second)
	setDefault(&c.Silence, time.Minute)
	setDefault(&c.WriteTimeout, 10*time.Second)
	setDefault(&c.Connections, 50_000)
	setDefault(&c.AddressConnections, 1024)
	setDefault(&c.AddressRoomsPerMinute, 300)
	setDefault(&c.ArrivalsPerSecond, 1000)
	setDefault(&c.LateAfter, 100*time.Millisecond)
	if c.memory == nil {
		c.memory = memoryInUse
	}
	return c
}

// limitsFor are the limits of a new room. Without a clock people are in no
// hurry, so that it takes ten times as long until they are given up.
func (c Config) limitsFor(g match.Game) match.Limits {
	l := c.Limits
	if g.Clock.Unlimited() {
		l.ClaimAfter *= 10
	}
	return l
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
