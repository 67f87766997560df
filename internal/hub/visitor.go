package hub

import (
	"hash/fnv"
	"slices"
	"sync"
	"time"
)

// visitor is a player as this node knows them, over all their connections.
type visitor struct {
	clients []*client
	until   time.Time // forgotten then, once no connection is left

	mu      sync.Mutex
	rate    bucket    // commands
	create  bucket    // new rooms
	refused []refused // the latest, oldest first
}

// mayCommand takes one command of what the player may send.
func (v *visitor) mayCommand(cfg *Config, now time.Time) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.rate.take(now, cfg.SessionCommandsPerSecond, 2*cfg.SessionCommandsPerSecond+1)
}

// mayCreate takes one room of those the player may make.
func (v *visitor) mayCreate(cfg *Config, now time.Time) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.create.take(now, cfg.RoomsPerMinute/60, cfg.RoomsPerMinute+1)
}

// refused is a command that was answered with an error for good.
type refused struct {
	id     string
	sum    uint32
	answer []byte
}

// rememberRefused is how many refused commands of a player are known again.
const rememberRefused = 64

// recall returns the answer that a command got before. An id that stood for
// something else is refused.
func (v *visitor) recall(id string, message []byte) ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, old := range v.refused {
		if old.id != id {
			continue
		}
		if old.sum != sumOf(message) {
			return nil, refuse("id_reused", "That id was another command's.")
		}
		return old.answer, nil
	}
	return nil, nil
}

func (v *visitor) remember(id string, message, answer []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.refused) == rememberRefused {
		v.refused = append(v.refused[:0], v.refused[1:]...)
	}
	v.refused = append(v.refused, refused{id: id, sum: sumOf(message), answer: answer})
}

func sumOf(message []byte) uint32 {
	h := fnv.New32a()
	h.Write(message)
	return h.Sum32()
}

// visitors is everybody who is connected to this node or was a moment ago.
type visitors struct {
	cfg  Config
	mu   sync.Mutex
	byID map[string]*visitor
}

// lingering is how long a visitor is remembered after the last connection.
const lingering = 2 * time.Minute

func (v *visitors) init(cfg Config) {
	v.cfg, v.byID = cfg, map[string]*visitor{}
}

// arrive registers a connection, or reports false if its player has too many.
func (v *visitors) arrive(c *client) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.forget()
	who := v.byID[c.player.ID]
	if who == nil {
		who = new(visitor)
		v.byID[c.player.ID] = who
	}
	if len(who.clients) >= v.cfg.ConnectionsPerSession {
		return false
	}
	who.clients = append(who.clients, c)
	c.visitor = who
	return true
}

func (v *visitors) depart(c *client) {
	v.mu.Lock()
	defer v.mu.Unlock()
	here := &c.visitor.clients
	*here = slices.DeleteFunc(*here, func(other *client) bool { return other == c })
	c.visitor.until = time.Now().Add(lingering)
}

// tidy forgets somebody even when nobody arrives.
func (v *visitors) tidy() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.forget()
}

// forget drops those who are long gone; a few at every arrival suffice.
func (v *visitors) forget() {
	now := time.Now()
	looked := 0
	for id, who := range v.byID {
		if len(who.clients) == 0 && now.After(who.until) {
			delete(v.byID, id)
		}
		if looked++; looked == 8 {
			return
		}
	}
}

// send gives a message to every connection of the player but one, which may be
// nil.
func (v *visitors) send(player string, message []byte, but *client) {
	v.mu.Lock()
	defer v.mu.Unlock()
	who := v.byID[player]
	if who == nil {
		return
	}
	for _, c := range who.clients {
		if c != but {
			c.send(message)
		}
	}
}

// connected reports whether the player has a connection to this node.
func (v *visitors) connected(player string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	who := v.byID[player]
	return who != nil && len(who.clients) > 0
}

// online counts the players with a connection.
func (v *visitors) online() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := 0
	for _, who := range v.byID {
		if len(who.clients) > 0 {
			n++
		}
	}
	return n
}
