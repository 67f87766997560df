package storetest

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"gomokud/internal/store"
)

// BenchAppend measures appends of one event to 200 rooms by as many writers,
// and the processor time that this process spends on each.
func BenchAppend(b *testing.B, s Store) {
	const rooms = 200
	var next atomic.Int64
	run := time.Now().UnixNano() // b.N grows from run to run, with the same store
	ctx := b.Context()
	b.SetParallelism((rooms + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0))
	b.ReportAllocs()
	before := processorTime()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		room := fmt.Sprintf("room-%d-%d", run, next.Add(1))
		event := Event(room[:4], 0)
		for v := 0; pb.Next(); v++ {
			c := store.Commit{Room: room, Expected: v, Events: [][]byte{event}, Wake: run/1e6 + int64(v)}
			if err := s.Append(ctx, c); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
	b.ReportMetric(float64((processorTime()-before).Nanoseconds())/1e3/float64(b.N), "cpu-µs/op")
}

// processorTime is what the process has used, of user and system together.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
