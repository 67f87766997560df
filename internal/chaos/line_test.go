package chaos

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// line is a connection that can be disturbed: from a node to Redis, or from
// clients to a node.
type line struct {
	addr  string
	proxy *toxiproxy.Proxy
}

// newLine listens on a port of its own.
func newLine(t testing.TB, name, to string) (*line, error) {
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	l := &line{proxy: toxiproxy.NewProxy(server, name, "127.0.0.1:0", to)}
	if err := l.proxy.Start(); err != nil {
		return nil, fmt.Errorf("a proxy for %s: %w", name, err)
	}
	l.addr = l.proxy.Listen
	t.Cleanup(l.proxy.Stop)
	return l, nil
}

// cut ends all connections and refuses new ones; mend takes new ones again.
// Two faults may do it to one line at a time: the first end of them mends it.
func (l *line) cut() { l.proxy.Stop() }

func (l *line) mend() error {
	var err error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		err = l.proxy.Start()
		if err == nil || errors.Is(err, toxiproxy.ErrProxyAlreadyStarted) {
			return nil
		} // else somebody has the port for a moment
	}
	return fmt.Errorf("mend the line of %s: %w", l.proxy.Name, err)
}

// The toxics.
const (
	slow   = `{"type":"latency","attributes":{"latency":150,"jitter":140}}`
	sticky = `{"type":"latency","attributes":{"latency":700,"jitter":0}}`
	// black swallows what is sent and keeps the connections open, to end them when
	// it is lifted.
	black = `{"type":"timeout","attributes":{"timeout":0}}`
)

var directions = [...]string{"upstream", "downstream"}

// poison adds a toxic in the given directions.
func (l *line) poison(toxic string, directions ...string) error {
	for _, direction := range directions {
		named := strings.Replace(toxic, "{", fmt.Sprintf(`{"name":%q,"stream":%q,`, direction, direction), 1)
		if _, err := l.proxy.Toxics.AddToxicJson(strings.NewReader(named)); err != nil {
			return fmt.Errorf("poison the line of %s: %w", l.proxy.Name, err)
		}
	}
	return nil
}

func (l *line) heal() { l.proxy.Toxics.ResetToxics(context.Background()) }

func TestALineThatTwoFaultsCutIsMended(t *testing.T) {
	behind, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer behind.Close()
	l, err := newLine(t, "twice", behind.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	l.cut()
	l.cut()
	if c, err := net.Dial("tcp", l.addr); err == nil {
		c.Close()
		t.Error("it takes connections while it is cut")
	}
	for range 2 {
		if err := l.mend(); err != nil {
			t.Fatal(err)
		}
	}
	c, err := net.Dial("tcp", l.addr)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}
