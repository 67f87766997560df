package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// healthy asks a server on this machine whether it serves; an image without a
// shell has nothing else to ask with.
type healthy struct {
	Addr string `default:"127.0.0.1:8080" help:"Address on which the server listens."`
}

// Run fails unless /readyz answers 200.
func (h healthy) Run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+readable(listenAddr(h.Addr))+"/readyz", nil)
	if err != nil {
		return fmt.Errorf("ask %s: %w", h.Addr, err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("ask %s: %w", h.Addr, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", h.Addr, resp.Status)
	}
	return nil
}

// listenAddr names the host that ":8080" leaves out.
func listenAddr(addr string) string {
	if len(addr) > 0 && addr[0] == ':' {
		return "localhost" + addr
	}
	return addr
}
