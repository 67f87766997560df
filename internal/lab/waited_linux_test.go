package lab

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// TestWaitingForAProcessorIsSeen: of more busy threads than there are processors
// some must wait.
func TestWaitingForAProcessorIsSeen(t *testing.T) {
	if _, err := os.Stat("/proc/thread-self/schedstat"); err != nil {
		t.Skipf("the system does not tell: %v", err)
	}
	threads := 2*runtime.NumCPU() + 1
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	var seen atomic.Bool
	var wait sync.WaitGroup
	for range threads {
		wait.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			before := waited()
			for range 2000 {
				if seen.Load() {
					return
				}
				busy := 1.0
				for range 100_000 {
					busy *= 1.0000001
				}
				if waited() > before && busy > 1 {
					seen.Store(true)
				}
			}
		})
	}
	wait.Wait()
	if !seen.Load() {
		t.Error("nobody has waited")
	}
}
