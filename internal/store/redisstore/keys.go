package redisstore

import (
	"fmt"
	"hash/fnv"
)

// The keys, what they hold and when they expire. A script touches keys with
// one hash tag only, so that in a cluster each runs on one node. Rooms are
// spread over partitions, p00 to p15.
//
//	gomokud:{pNN}:log:ROOM      list    the events; when Done, Keep later
//	gomokud:{pNN}:room:ROOM     hash    epoch; players (msgpack); with the log
//	gomokud:{pNN}:due           zset    room by wake, Unix ms; never
//	gomokud:{pNN}:live          zset    room by when it became live, Unix µs; never
//	gomokud:{pNN}:mine:PLAYER   set     rooms of this partition; when empty
//	gomokud:{pNN}:here:ROOM     hash    node -> what it sees (msgpack); a minute after the last word
//	gomokud:{pair}:queue:QUEUE  zset    player by since, Unix ms; a minute after the last ticket
//	gomokud:{pair}:ticket:PLAYER   string  ticket (msgpack); a minute after its end
//	gomokud:{pair}:searches     zset    player by when the search began, Unix ms; the latest store.MostSearches, a minute after the last ticket
//	gomokud:{pair}:pairing:PLAYER  string  what it led to, or that it was withdrawn (msgpack); pairingKept later
//	gomokud:{jobs}:hints        stream  room, version, bot, deadline; entries until done, or hintKept after the deadline
//	gomokud:{jobs}:crew         hash    worker -> what it can do (msgpack); workerKept after the last word
//	gomokud:{jobs}:hints:LANE, gomokud:{jobs}:crew:LANE  the same of another lane
//	gomokud:{jobs}:asked:ROOM:VERSION  string  the deadline, Unix ms; hintKept after it
//	gomokud:{service}:beat      string  the last beat, Unix ms; never
//	gomokud:{service}:outages   zset    'from:to' by to, Unix ms; trimmed to a day
//	gomokud:{service}:secret    string  32 bytes; never
//
// Announcements go to the shard channel that has the name of the log's key. On
// gomokud:{pNN}:ear:NAME one connection of a node hears the node itself.
//
// Times that callers give decide what is over; expiry by Redis only collects
// what is forgotten, and is a little later.
const (
	prefix     = "gomokud:"
	partitions = 16

	pairKeys    = prefix + "{pair}:"
	keyBeat     = prefix + "{service}:beat"
	keyOutages  = prefix + "{service}:outages"
	keySecret   = prefix + "{service}:secret"
	keyHints    = prefix + "{jobs}:hints"
	keyCrew     = prefix + "{jobs}:crew"
	keyQueue    = pairKeys + "queue:"
	keyTicket   = pairKeys + "ticket:"
	keySearches = pairKeys + "searches"
	keyPairing  = pairKeys + "pairing:"
	secretBytes = 32
)

// A partition is the beginning of its keys. The number of partitions is part
// of the format: changing it loses sight of every room.
type partition string

func partitionOf(room string) partition { return partitionKeys(partitionNumber(room)) }

func partitionNumber(room string) int {
	h := fnv.New32a()
	h.Write([]byte(room))
	return int(h.Sum32() % partitions)
}

func partitionKeys(n int) partition {
	const tags = "p00p01p02p03p04p05p06p07p08p09p10p11p12p13p14p15"
	return partition(prefix + "{" + tags[3*n:3*n+3] + "}:") // for every move
}

func (p partition) log(room string) string    { return string(p) + "log:" + room }
func (p partition) room(room string) string   { return string(p) + "room:" + room }
func (p partition) due() string               { return string(p) + "due" }
func (p partition) live() string              { return string(p) + "live" }
func (p partition) mine(player string) string { return string(p) + "mine:" + player }
func (p partition) here(room string) string   { return string(p) + "here:" + room }
func (p partition) ear(node string) string    { return string(p) + "ear:" + node }

// keyAsked remembers that workers were asked about a position.
func keyAsked(room string, version int) string {
	return fmt.Sprintf("%s{jobs}:asked:%s:%d", prefix, room, version)
}

// roomOf is the room whose log or channel has this key.
func roomOf(logKey string) string {
	return logKey[len(partitionKeys(0).log("")):]
}
