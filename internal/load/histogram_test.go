package load

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestQuantile compares with the sorted truth.
func TestQuantile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Min(0), 1, 200).Draw(t, "values")
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		h := new(histogram)
		for _, v := range values {
			h.record(time.Duration(v))
		}
		slices.Sort(values)
		want := values[max(0, int(math.Ceil(q*float64(len(values))))-1)]
		got := int64(h.quantile(q))
		if off := math.Abs(float64(got) - float64(want)); off > float64(want)/128+1 {
			t.Fatalf("quantile %v of %v: got %d, want %d", q, values, got, want)
		}
		if n := h.count(); n != int64(len(values)) {
			t.Fatalf("counts %d, want %d", n, len(values))
		}
	})
}

// TestQuantileOfNothing and of a clock that went backwards.
func TestQuantileOfNothing(t *testing.T) {
	h := new(histogram)
	if got := h.quantile(0.5); got != 0 {
		t.Errorf("got %v, want 0", got)
	}
	if h.record(-time.Second); h.quantile(0.99) != 0 {
		t.Errorf("got %v, want 0", h.quantile(0.99))
	}
}

// TestBucketsJoin checks that buckets follow each other without a gap, up to
// the last.
func TestBucketsJoin(t *testing.T) {
	for b := 1; b < buckets; b++ {
		if got := bucketOf(middle(b)); got != b {
			t.Fatalf("the middle of bucket %d is in bucket %d", b, got)
		}
		if middle(b) <= middle(b-1) {
			t.Fatalf("bucket %d does not follow %d", b, b-1)
		}
	}
	if got := bucketOf(math.MaxUint64); got != buckets-1 {
		t.Fatalf("the largest value is in bucket %d of %d", got, buckets)
	}
}
