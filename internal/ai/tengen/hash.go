package tengen

import (
	"sync/atomic"
	"unsafe"
)

// hashTable remembers what searches found out about positions. It has a fixed
// size and is shared by the threads of a search without locks: an entry is two
// words of which one is mixed with the other, so that a torn one is no match.
type hashTable struct {
	buckets []bucket
	mask    uint64
	salt    uint64 // of the hashes
	now     uint8  // the search; entries of older ones are the first to go
	since   uint8  // entries of searches before it do not count
}

const bucketSize = 4

type bucket [bucketSize]struct{ lock, data atomic.Uint64 }

// bound says what a stored score means.
type bound uint8

const (
	noBound bound = iota
	atMost
	atLeast
	exactly
)

// entry is what is known of a position.
type entry struct {
	move  square
	score int // mates count from this position
	eval  int
	depth int
	bound bound
	pv    bool
}

// suffices reports whether the score, counted from the root, is all that a search to
// a depth has to know. A proven one is so at any depth.
func (e entry) suffices(depth, alpha, beta int) bool {
	deep := e.depth >= depth
	lower, upper := e.bound == exactly || e.bound == atLeast, e.bound == exactly || e.bound == atMost
	return lower && upper && deep ||
		lower && e.score >= beta && (deep || e.score > proven) ||
		upper && e.score <= alpha && (deep || e.score < -proven)
}

// corrects reports whether the score says more than an evaluation does.
func (e entry) corrects(eval int) bool {
	return !isProven(e.score) &&
		(e.bound == exactly || e.bound == atLeast && e.score > eval || e.bound == atMost && e.score < eval)
}

// newHashTable takes at most so many bytes, and at least one bucket.
func newHashTable(bytes int64) *hashTable {
	n := uint64(1)
	for int64(n*2)*bucketSize*16 <= bytes {
		n *= 2
	}
	t := &hashTable{buckets: make([]bucket, n), mask: n - 1}
	clear(t.buckets) // the system finds each page now, and not in the first search
	return t
}

// age begins a search; a fresh one knows nothing of those before.
func (t *hashTable) age(fresh bool) {
	t.now++
	if t.now == 0 { // the numbers start again: nothing old may look new
		t.salt += 0x9e3779b97f4a7c15
		t.now, fresh = 1, true
	}
	if fresh {
		t.since = t.now
	}
}

const (
	depthBias = 16
	valueBias = 1 << 15
)

func (e entry) pack(now uint8) uint64 {
	data := uint64(e.move) | uint64(e.bound)<<11 | uint64(e.depth+depthBias)<<14 |
		uint64(e.score+valueBias)<<22 | uint64(e.eval+valueBias)<<38 | uint64(now)<<56
	if e.pv {
		data |= 1 << 13
	}
	return data
}

func unpack(data uint64) entry {
	return entry{
		move: square(data & (1<<11 - 1)), bound: bound(data >> 11 & 3), pv: data>>13&1 != 0,
		depth: int(data>>14&255) - depthBias,
		score: int(data>>22&(1<<16-1)) - valueBias, eval: int(data>>38&(1<<16-1)) - valueBias,
	}
}

func (t *hashTable) live(data uint64) bool { return t.now-uint8(data>>56) <= t.now-t.since }

// expect tells that a position will be asked for soon: what is known of it is
// likely not to be in the processor's caches.
func (t *hashTable) expect(hash uint64) { prefetch(unsafe.Pointer(&t.buckets[(hash^t.salt)&t.mask])) }

// find returns what is known of a position.
func (t *hashTable) find(hash uint64) (entry, bool) {
	hash ^= t.salt
	b := &t.buckets[hash&t.mask]
	for i := range b {
		data := b[i].data.Load()
		if b[i].lock.Load()^data == hash && data != 0 && t.live(data) {
			return unpack(data), true
		}
	}
	return entry{}, false
}

// store keeps an entry in the place of the one that is worth least: of the same
// position, else of an old search, else of the least depth.
func (t *hashTable) store(hash uint64, e entry) {
	hash ^= t.salt
	b := &t.buckets[hash&t.mask]
	place, least := 0, 1<<30
	for i := range b {
		data := b[i].data.Load()
		worth := int(data >> 14 & 255)
		switch {
		case data == 0 || !t.live(data):
			worth = -1 << 20
		case b[i].lock.Load()^data == hash:
			if e.move == nowhere {
				e.move = square(data & (1<<11 - 1))
			}
			worth = -1 << 21
		default:
			worth -= 8 * int(t.now-uint8(data>>56))
		}
		if worth < least {
			place, least = i, worth
		}
	}
	data := e.pack(t.now)
	b[place].data.Store(data)
	b[place].lock.Store(hash ^ data)
}
