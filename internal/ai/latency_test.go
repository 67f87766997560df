package ai

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
	"time"

	"gomokud/internal/rules"
)

// echoAddress names the variable that turns the test binary into the person at
// the other end of BenchmarkLatencyBesideEngines.
const echoAddress = "GOMOKUD_TEST_ECHO"

// BenchmarkLatencyBesideEngines measures what a person feels while engines
// think: the time of a byte to an echo over a socket and back, once a
// millisecond. The person is a process of its own, since one in this process
// would only ask when the engines let it. Compare GOMAXPROCS=1 with GOMAXPROCS=2
// in the environment: a list after -cpu comes too late for a single round.
func BenchmarkLatencyBesideEngines(b *testing.B) {
	share := max(1, runtime.GOMAXPROCS(0)/2)
	for _, bb := range []struct {
		name    string
		engines int
		worker  func(b *testing.B, ctx context.Context)
	}{
		{"idle", 0, nil},
		{"goroutines", share, bareWorker},
		{"pool", share, poolWorker},
	} {
		b.Run(bb.name, func(b *testing.B) {
			ctx, stop := context.WithCancel(b.Context())
			for range bb.engines {
				bb.worker(b, ctx)
			}
			person := exec.Command(os.Args[0])
			person.Env = append(os.Environ(), echoAddress+"="+serveEcho(b))
			person.Stderr = os.Stderr
			out, err := person.Output()
			stop()
			if err != nil {
				b.Fatal(err)
			}
			var p50, p99 float64
			if _, err := fmt.Sscan(string(out), &p50, &p99); err != nil {
				b.Fatalf("%v: %q", err, out)
			}
			b.ReportMetric(p50, "p50-µs")
			b.ReportMetric(p99, "p99-µs")
			b.ReportMetric(0, "ns/op") // it would tell how long the person asked
		})
	}
}

// beThePerson asks the echo and prints the median and the 99th percentile of
// its answers in microseconds.
func beThePerson(address string) error {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer c.Close()
	took := make([]int64, 1000)
	for i := range took {
		time.Sleep(time.Millisecond)
		began := time.Now()
		var buf [1]byte
		if _, err := c.Write(buf[:]); err != nil {
			return err
		}
		if _, err := c.Read(buf[:]); err != nil {
			return err
		}
		took[i] = time.Since(began).Microseconds()
	}
	slices.Sort(took)
	_, err = fmt.Println(took[len(took)/2], took[len(took)*99/100])
	return err
}

// burn computes until ctx ends, with a breath every quarter of a millisecond.
func burn(ctx context.Context, _ Position, _ Budget) (Thought, error) {
	for x := uint64(1); ; {
		for range 100_000 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
		if err := Breathe(ctx); err != nil {
			return Thought{Nodes: int64(x)}, err
		}
	}
}

// bareWorker thinks in an ordinary goroutine, for comparison.
func bareWorker(b *testing.B, ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		burn(ctx, Position{}, Budget{})
	}()
	b.Cleanup(func() { <-done })
}

// poolWorker thinks in a pool of one worker.
func poolWorker(b *testing.B, ctx context.Context) {
	p := NewPool(PoolConfig{
		Workers: 1, Log: slog.New(slog.DiscardHandler),
		Engines: map[string]func() Engine{"burn": func() Engine { return engine(burn) }},
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.Run(ctx)
	}()
	b.Cleanup(func() { <-done })
	pos := Position{Size: rules.Size{Width: 15, Height: 15}, ToMove: rules.Black}
	err := p.Submit(Job{Room: "r", Bot: "burn", Position: pos, Budget: Budget{Time: time.Hour}}, func(Answer) {})
	if err != nil {
		b.Fatal(err)
	}
}

// serveEcho sends back to one caller what it gets, and returns its address.
func serveEcho(b *testing.B) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		for buf := make([]byte, 1); ; {
			if _, err := c.Read(buf); err != nil {
				return
			}
			if _, err := c.Write(buf); err != nil {
				return
			}
		}
	}()
	b.Cleanup(func() {
		l.Close()
		<-done
	})
	return l.Addr().String()
}
