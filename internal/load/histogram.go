package load

import (
	"math"
	"math/bits"
	"sync/atomic"
	"time"
)

// histogram counts durations in buckets that are at most 1/64 of their value
// wide. Any number of goroutines may record; quantiles are for when they are
// done.
type histogram struct {
	buckets [buckets]atomic.Int64
}

const (
	bucketBits = 6 // 64 buckets for each doubling
	buckets    = (64-bucketBits)<<bucketBits + 1<<bucketBits
)

func (h *histogram) record(d time.Duration) { h.buckets[bucketOf(uint64(max(0, d)))].Add(1) }

func bucketOf(v uint64) int {
	shift := max(0, bits.Len64(v)-bucketBits-1)
	return shift<<bucketBits + int(v>>shift)
}

// middle is the value that stands for a bucket.
func middle(bucket int) uint64 {
	shift := max(0, bucket>>bucketBits-1)
	low := uint64(bucket-shift<<bucketBits) << shift
	return low + 1<<shift/2
}

func (h *histogram) count() (n int64) {
	for i := range h.buckets {
		n += h.buckets[i].Load()
	}
	return n
}

// quantile is the smallest value that a share q of all does not exceed, to
// within a bucket; 0 if there are none.
func (h *histogram) quantile(q float64) time.Duration {
	rank := max(1, int64(math.Ceil(q*float64(h.count()))))
	for i := range h.buckets {
		if rank -= h.buckets[i].Load(); rank <= 0 {
			return time.Duration(middle(i))
		}
	}
	return 0
}
