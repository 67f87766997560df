package redisstore_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"gomokud/internal/store"
	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
	"gomokud/internal/store/storetest"
)

func TestNodesShareEverything(t *testing.T) {
	server := redistest.Start(t)
	a, b := open(t, server.URL, redisstore.Options{}), open(t, server.URL, redisstore.Options{})
	ctx := t.Context()

	heard := make(chan store.Announcement, 100)
	defer b.Follow("r", func(an store.Announcement) { heard <- an })()
	awaitVersion(t, heard, 0) // subscribed
	w := &writer{T: t, store: a}
	w.mustAppend()
	if an := awaitVersion(t, heard, 1); len(an.Events) != 1 || !bytes.Equal(an.Events[0], storetest.Event("r", 0)) {
		t.Errorf("announced: %q", an.Events)
	}
	storetest.CheckLog(t, b, "r", 1)

	secretA, errA := a.Secret(ctx)
	secretB, errB := b.Secret(ctx)
	if errA != nil || errB != nil || !bytes.Equal(secretA, secretB) {
		t.Errorf("secrets %x, %v and %x, %v", secretA, errA, secretB, errB)
	}
	if _, err := a.Attend(ctx, "a", "r", store.Attendance{Black: true, Spectators: 2}, 0, time.Second); err != nil {
		t.Fatal(err)
	}
	sum, err := b.Attend(ctx, "b", "r", store.Attendance{Spectators: 3}, 0, time.Second)
	if want := (store.Attendance{Black: true, Spectators: 5}); err != nil || sum != want {
		t.Errorf("attendance %+v, %v, want %+v", sum, err, want)
	}
}

func awaitVersion(t *testing.T, heard <-chan store.Announcement, version int) store.Announcement {
	t.Helper()
	deadline := time.After(storetest.Patience)
	for {
		select {
		case a := <-heard:
			if a.Version == version {
				return a
			}
		case <-deadline:
			t.Fatalf("version %d was not announced", version)
		}
	}
}

func TestFinishedRoomsExpire(t *testing.T) {
	server := redistest.Start(t)
	s := open(t, server.URL, redisstore.Options{Keep: time.Hour})
	lasts := func() bool { return server.Do("PTTL", redisstore.LogKey("r")) == ":-1" }
	version := 0
	commit := func(ix *store.Index) {
		t.Helper()
		if err := s.Append(t.Context(), store.Commit{Room: "r", Expected: version, Events: storetest.Events("r", version, version+1), Index: ix}); err != nil {
			t.Fatal(err)
		}
		version++
	}
	commit(&store.Index{Live: true})
	if !lasts() {
		t.Error("a room in progress expires")
	}
	commit(&store.Index{Done: true})
	if ttl := server.Do("PTTL", redisstore.LogKey("r")); lasts() || !strings.HasPrefix(ttl, ":") || len(ttl) < 7 {
		t.Errorf("a finished room expires in %s ms", ttl)
	}
	commit(nil)
	if lasts() {
		t.Error("what was said about the room is forgotten")
	}
	commit(&store.Index{})
	if !lasts() {
		t.Error("a room that goes on expires")
	}

	soon := open(t, server.URL, redisstore.Options{Keep: time.Millisecond})
	err := soon.Append(t.Context(), store.Commit{Room: "r", Expected: version, Events: storetest.Events("r", 0, 1), Index: &store.Index{Done: true}})
	if err != nil {
		t.Fatal(err)
	}
	wait(t, "the room to expire", func() bool {
		return s.Append(t.Context(), store.Commit{Room: "r", Events: storetest.Events("r", 0, 1)}) == nil
	})
	storetest.CheckLog(t, s, "r", 1)
	if rooms := server.Do("DBSIZE"); rooms != ":2" {
		t.Errorf("%s keys are left, want the room's two", rooms)
	}
}
