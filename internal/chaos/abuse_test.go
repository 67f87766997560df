package chaos

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// abusePlan is the size of an abuse run.
type abusePlan struct {
	tables int
	calm   time.Duration // before the abuse begins
	abuse  time.Duration
	crowd  int // connections of each kind of abuser
}

// What the node under abuse is given. The bounds of an address are lower than
// usual, so that a short run reaches them.
const (
	memoryLimit  = 128 << 20 // GOMEMLIMIT
	residentMost = 2 * memoryLimit
	routinesMost = 4000
	socketsOfOne = 64
	requestRate  = 10
)

// TestAbuseDoesNotReachThePlayers: people play while every kind of abuse goes
// on at once. Each of their moves is acknowledged and in the log, each abuser
// gets the answer that is stated, and memory stays within its bound. It prints
// how long moves took without the abuse and with it; what that says is another
// machine's matter.
func TestAbuseDoesNotReachThePlayers(t *testing.T) {
	p := abusePlan{tables: 12, calm: 2 * time.Second, abuse: 8 * time.Second, crowd: 80}
	if long() {
		p = abusePlan{tables: 100, calm: 20 * time.Second, abuse: 2 * time.Minute, crowd: 150}
	}
	programs.build(t)
	var said said
	node, err := launch(&said, programs.real, []string{"GOMEMLIMIT=" + strconv.Itoa(memoryLimit)}, "serve", "--addr=127.0.0.1:0", "--data="+t.TempDir(),
		"--trusted-proxy=127.0.0.1", fmt.Sprint("--address-connections=", socketsOfOne), fmt.Sprint("--address-requests-per-second=", requestRate),
		"--guests-burst=20", "--address-rooms-per-minute=10")
	if err != nil {
		t.Fatalf("%v\n%s", err, said.since(0))
	}
	t.Cleanup(func() {
		if err := node.end(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if text := said.since(0); crash.Match(text) || t.Failed() {
			t.Errorf("the node said:\n%s", tail(text, 4000))
		}
	})

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var playing sync.WaitGroup
	tables := make([]*fairTable, p.tables)
	for i := range tables {
		if tables[i], err = newFairTable(node.addr, i); err != nil {
			t.Fatal(err)
		}
		playing.Go(func() { tables[i].play(ctx) })
	}
	var watch watchman
	watching, stopWatching := context.WithCancel(t.Context())
	var watched sync.WaitGroup
	watched.Go(func() { watch.run(watching, node.addr) })

	time.Sleep(p.calm)
	before, nodeBefore := latencies(tables), ownMeasure(node.addr)
	var answers tally
	abuse, stopAbuse := context.WithTimeout(t.Context(), p.abuse)
	defer stopAbuse()
	var abusing sync.WaitGroup
	for _, a := range abusers() {
		abusing.Go(func() {
			a.run(abuse, villain{addr: node.addr, from: a.from, crowd: p.crowd, answers: &answers, rooms: roomsOf(tables)})
		})
	}
	abusing.Wait()
	during, nodeDuring := latencies(tables), ownMeasure(node.addr)
	cancel()
	playing.Wait()

	moves := 0
	for i, tb := range tables {
		if err := tb.leave(); err != nil {
			t.Errorf("table %d: %v", i, err)
		}
		moves += tb.total
	}
	if moves < 10*p.tables {
		t.Errorf("only %d moves were made at %d tables", moves, p.tables)
	}
	for _, a := range abusers() {
		for _, want := range a.stated {
			if answers.of(a.kind, want) == 0 {
				t.Errorf("%s: nobody was told %q, but %v", a.kind, want, answers.all(a.kind))
			}
		}
		t.Logf("%s: %v", a.kind, answers.all(a.kind))
	}
	stopWatching()
	watched.Wait()
	t.Logf("%d moves; half and 99%% of them took %s without the abuse, %s with it", moves, percentiles(before), percentiles(during))
	t.Logf("by the node's own measure 99%% took at most %g s without the abuse, %g s with it", nodeBefore.upTo(0.99), nodeDuring.since(nodeBefore).upTo(0.99))
	t.Logf("at most %d MiB resident, %d goroutines, pressure %d", watch.resident>>20, watch.routines, watch.pressure)
	if watch.looks == 0 || watch.resident > residentMost || watch.routines > routinesMost {
		t.Errorf("%d MiB resident, want %d at most; %d goroutines, want %d at most; from %d looks",
			watch.resident>>20, residentMost>>20, watch.routines, routinesMost, watch.looks)
	}
	if _, err := newFairTable(node.addr, p.tables); err != nil {
		t.Errorf("after the abuse: %v", err)
	}
}

// TestANodeNearItsMemoryLimit sheds what may be shed, says so, and serves on:
// with a limit that it cannot keep, all the time.
func TestANodeNearItsMemoryLimit(t *testing.T) {
	programs.build(t)
	var said said
	data := t.TempDir()
	node, err := launch(&said, programs.real, nil, "serve", "--addr=127.0.0.1:0", "--data="+data)
	if err != nil {
		t.Fatalf("%v\n%s", err, said.since(0))
	}
	tb, err := newFairTable(node.addr, 0)
	if err != nil {
		t.Fatal(err)
	}
	tb.move()
	if err := node.end(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if node, err = launch(&said, programs.real, []string{"GOMEMLIMIT=1MiB"}, "serve", "--addr=127.0.0.1:0", "--data="+data); err != nil {
		t.Fatalf("%v\n%s", err, said.since(0))
	}
	t.Cleanup(func() {
		if err := node.end(syscall.SIGTERM); err != nil || t.Failed() {
			t.Errorf("%v\n%s", err, tail(said.since(0), 4000))
		}
	})
	await(t, "the node to feel the pressure", func() bool {
		var w watchman
		w.look(&http.Client{Timeout: patience}, node.addr)
		return w.pressure == 3
	})
	if err := tb.comeBack(node.addr); err != nil {
		t.Fatal(err)
	}
	if h, err := tb.people[0].ask(`"type":"create","game":{"rule":"freestyle","size":"15x15","clock":{}}`); err != nil || h.Code != "busy" || h.Retry == 0 {
		t.Errorf("a new game was answered with %+v, %v", h, err)
	}
	for range 10 {
		tb.move()
	}
	if err := tb.leave(); err != nil || tb.moves != 11 {
		t.Errorf("after %d moves: %v", tb.moves, err)
	}
}

// tally counts who was told what.
type tally struct {
	mu     sync.Mutex
	counts map[string]map[string]int
}

func (a *tally) add(kind, answer string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.counts == nil {
		a.counts = map[string]map[string]int{}
	}
	if a.counts[kind] == nil {
		a.counts[kind] = map[string]int{}
	}
	a.counts[kind][answer]++
}

func (a *tally) of(kind, answer string) int { return a.all(kind)[answer] }

func (a *tally) all(kind string) map[string]int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.counts[kind])
}

// watchman looks at what the node says of itself.
type watchman struct {
	looks, resident, routines, pressure int
}

var metric = regexp.MustCompile(`(?m)^(process_resident_memory_bytes|go_goroutines|gomokud_pressure) (\S+)$`)

func (w *watchman) run(ctx context.Context, addr string) {
	client := http.Client{Timeout: patience}
	defer client.CloseIdleConnections()
	for ; ctx.Err() == nil; rest(ctx, 200*time.Millisecond) {
		w.look(&client, addr)
	}
}

func (w *watchman) look(client *http.Client, addr string) {
	res, err := client.Get("http://" + addr + "/metrics")
	if err != nil {
		return
	}
	text := readSome(res.Body)
	for _, m := range metric.FindAllStringSubmatch(text, -1) {
		value, _ := strconv.ParseFloat(m[2], 64)
		most := map[string]*int{"process_resident_memory_bytes": &w.resident, "go_goroutines": &w.routines, "gomokud_pressure": &w.pressure}[m[1]]
		*most = max(*most, int(value))
	}
	w.looks++
}

// buckets are how many moves took up to so many seconds, as the node measures
// it: without what the abusers cost the machine that people and they share.
type buckets map[float64]float64

var moveBucket = regexp.MustCompile(`(?m)^gomokud_move_seconds_bucket\{le="([0-9.e+-]+)"\} (\S+)$`)

func ownMeasure(addr string) buckets {
	b := buckets{}
	client := http.Client{Timeout: patience}
	defer client.CloseIdleConnections()
	res, err := client.Get("http://" + addr + "/metrics")
	if err != nil {
		return b
	}
	for _, m := range moveBucket.FindAllStringSubmatch(readSome(res.Body), -1) {
		le, _ := strconv.ParseFloat(m[1], 64)
		b[le], _ = strconv.ParseFloat(m[2], 64)
	}
	return b
}

func (b buckets) since(before buckets) buckets {
	more := buckets{}
	for le, n := range b {
		more[le] = n - before[le]
	}
	return more
}

// upTo is the bucket that holds a share of all moves that are in any.
func (b buckets) upTo(share float64) float64 {
	bounds := slices.Sorted(maps.Keys(b))
	for _, le := range bounds {
		if b[le] >= share*b[bounds[len(bounds)-1]] {
			return le
		}
	}
	return 0
}

func rest(ctx context.Context, pause time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
}

// latencies takes what was measured since it was last asked.
func latencies(tables []*fairTable) []time.Duration {
	var all []time.Duration
	for _, tb := range tables {
		tb.mu.Lock()
		all, tb.took = append(all, tb.took...), nil
		tb.mu.Unlock()
	}
	slices.Sort(all)
	return all
}

func percentiles(sorted []time.Duration) string {
	if len(sorted) == 0 {
		return "nothing"
	}
	at := func(share float64) time.Duration {
		return sorted[int(share*float64(len(sorted)-1))].Round(10 * time.Microsecond)
	}
	return fmt.Sprintf("%s and %s", at(0.5), at(0.99))
}

func roomsOf(tables []*fairTable) []string {
	rooms := make([]string, len(tables))
	for i, tb := range tables {
		rooms[i] = tb.room
	}
	return rooms
}
