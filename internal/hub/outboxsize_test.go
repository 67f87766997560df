package hub

import (
	"testing"
	"testing/synctest"
)

// TestAnOutboxHoldsOnlySoManyBytes, however few the frames are; one alone may
// be larger, or nobody would ever get it.
func TestAnOutboxHoldsOnlySoManyBytes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox(new(paper), 100)
		post := func(size int, want posting) {
			t.Helper()
			if got := o.post(make([]byte, size)); got != want {
				t.Errorf("%d bytes beside %d: %v, want %v", size, o.size, got, want)
			}
		}
		post(2*mostBytes, first)
		post(1, full)
		writeOut(o)
		synctest.Wait()
		post(mostBytes/2, first)
		post(mostBytes/2, queued)
		post(1, full)
		waits := true
		go func() {
			o.postPatiently(make([]byte, mostBytes))
			waits = false
		}()
		synctest.Wait()
		if !waits {
			t.Error("who answers does not wait for room")
		}
		writeOut(o)
		synctest.Wait()
		if waits || o.size != mostBytes {
			t.Errorf("%d bytes wait, want %d", o.size, mostBytes)
		}
		writeOut(o)
		synctest.Wait()
		post(3, first)
		post(4, queued)
		o.finish([]byte("end"), true)
		if o.size != len("end") {
			t.Errorf("%d bytes wait at the end, want %d", o.size, len("end"))
		}
		writeOut(o)
		o.ended()
		if o.size != 0 {
			t.Errorf("%d bytes are left", o.size)
		}
	})
}

// TestWhatWentInPartsIsCounted: half of a frame is gone, the rest waits.
func TestWhatWentInPartsIsCounted(t *testing.T) {
	t.Parallel()
	o := newOutbox(&half{takes: 5}, 100)
	o.post([]byte("four"))
	o.post([]byte("more"))
	if rest, err := o.flush(); !rest || err != nil {
		t.Fatalf("rest %v, %v", rest, err)
	}
	if o.size != len("more") {
		t.Errorf("%d bytes wait, want those of the second", o.size)
	}
	if err := o.drain(); err != nil || o.size != 0 {
		t.Errorf("%v, %d bytes wait", err, o.size)
	}
}
