package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
)

// serveProfiles serves Go's profiles on an address of their own until stop is
// called, which waits for the end. They tell more than strangers should know:
// the address is for the operator alone. Without one nothing is served.
func serveProfiles(addr string, log *slog.Logger) (stop func(), err error) {
	if addr == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen for profiles: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	server := &http.Server{Handler: mux}
	served := make(chan struct{})
	go func() {
		defer close(served)
		server.Serve(listener)
	}()
	log.Info("profiling", "url", "http://"+listener.Addr().String())
	return func() {
		server.Close()
		<-served
	}, nil
}
