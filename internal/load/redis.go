package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
)

const redisServer = "redis-server"

// beginRedis starts a Redis with an empty database in a folder, on a free port.
// It keeps its data as a service's would: in a file, synced once a second.
func beginRedis(ctx context.Context, folder string, cpu int) (*process, error) {
	const tries = 5 // another process may be quicker to take the port
	var errs []error
	for range tries {
		addr, err := freeAddr()
		if err != nil {
			return nil, err
		}
		_, port, _ := net.SplitHostPort(addr)
		p, err := begin(ctx, redisServer, []string{
			"--bind", "127.0.0.1", "--port", port, "--dir", folder, "--maxmemory-policy", "noeviction",
			"--save", "", "--appendonly", "yes", "--appendfsync", "everysec", "--auto-aof-rewrite-percentage", "0",
		}, nil, place{cpu: cpu}, func(p *process) bool {
			p.addr = addr
			return strings.Contains(p.said.String(), "Ready to accept connections")
		})
		if err == nil || ctx.Err() != nil {
			return p, err
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().String(), nil
}
