package hub_test

import (
	"fmt"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"gomokud/internal/hub"
)

// TestAnIdleConnectionIsOneGoroutine, on a shallow stack: what waits for
// something that may never come costs memory all the while.
func TestAnIdleConnectionIsOneGoroutine(t *testing.T) {
	n := startNode(t, openBolt(t, t.TempDir()), hub.Config{})
	warm := n.connect("warm")
	warm.must(message{"type": "ping"})
	before := runtime.NumGoroutine()
	const connections = 30
	for i := range connections {
		p := n.connect(fmt.Sprintf("p%d", i))
		p.must(message{"type": "create", "game": freestyle})
	}
	after, deep := before, 0
	for range 100 { // what the handshakes needed is on its way out
		after, deep = runtime.NumGoroutine(), within(t, "(*client).readOne")
		if after <= before+connections && deep == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%d more goroutines for %d connections, %d of them within a message", after-before, connections, deep)
}

// within is how many different stacks have a function on them.
func within(t *testing.T, function string) int {
	t.Helper()
	var stacks strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&stacks, 1); err != nil {
		t.Fatal(err)
	}
	return strings.Count(stacks.String(), function)
}
