package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"gomokud/internal/store"
	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
)

func TestAWorkerWorksAndStops(t *testing.T) {
	redis := redistest.Start(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan int, 1)
	program := "centred=" + writeProgram(t, 0o700) + " 7,7"
	go func() {
		done <- run(ctx, []string{"worker", "--addr", addr, "--store", redis.URL, "--workers", "3", "--engine", program})
	}()
	for run(t.Context(), []string{"healthy", "--addr", addr}) != exitOK {
		select {
		case code := <-done:
			t.Fatalf("it ended with %d", code)
		case <-time.After(10 * time.Millisecond):
		}
	}
	st, err := redisstore.Open(t.Context(), redis.URL, redisstore.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	crew := func() store.Crew {
		t.Helper()
		c, err := st.Jobs("").Crew(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	engines := catalogue(nil).own
	if c := crew(); len(c.Workers) != 1 || c.Workers[0].Threads != 3 || len(c.Workers[0].Bots) != len(engines) {
		t.Errorf("there work %+v", c)
	}
	if c, err := st.Jobs("external").Crew(t.Context()); err != nil || len(c.Workers) != 1 || c.Workers[0].Threads < 4 || fmt.Sprint(c.Workers[0].Bots) != "[centred]" {
		t.Errorf("for programs from elsewhere there work %+v, %v", c, err)
	}
	// A hint of a room that there never was is struck off.
	if _, _, err := st.Jobs("").Ask(t.Context(), store.Hint{Room: "nowhere", Version: 1, Bot: "tengen-1"}, time.Minute); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); crew().Waiting+crew().Taken > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the hint is still there")
		}
	}
	client := &http.Client{Timeout: 5 * time.Second}
	defer client.CloseIdleConnections()
	resp, err := client.Get("http://" + addr + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	if want := `gomokud_worker_turns_total{end="failed",lane="own"} 1`; err != nil || !strings.Contains(string(page), want) {
		t.Errorf("the metrics lack %s", want)
	}
	stop()
	if code := <-done; code != exitOK {
		t.Errorf("it ended with %d", code)
	}
	if c := crew(); len(c.Workers) != 0 {
		t.Errorf("it left %+v", c)
	}
}
