package hub_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"gomokud/internal/hub"
)

// TestAnIdleConnectionIsOneGoroutine: what waits for something that may never
// come costs memory all the while.
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
	after := before
	for range 100 { // what the handshakes needed is on its way out
		if after = runtime.NumGoroutine(); after <= before+connections {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%d more goroutines for %d connections", after-before, connections)
}
