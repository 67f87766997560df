package storetest

import (
	"bytes"
	"reflect"
	"sync"
	"testing"
	"time"

	"gomokud/internal/store"
)

var presence = []contract{
	{"nodes' attendances add up", func(t *testing.T, s Store) {
		attend(t, s, "n1", "r", store.Attendance{Black: true, Spectators: 3}, 1000)
		attend(t, s, "n2", "other", store.Attendance{White: true, Spectators: 50}, 1000)
		got := attend(t, s, "n2", "r", store.Attendance{White: true, Spectators: 4}, 1000)
		if want := (store.Attendance{Black: true, White: true, Spectators: 7}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}},
	{"a node's last word counts", func(t *testing.T, s Store) {
		attend(t, s, "n1", "r", store.Attendance{Black: true, Spectators: 3}, 1000)
		got := attend(t, s, "n1", "r", store.Attendance{Spectators: 1}, 1001)
		if want := (store.Attendance{Spectators: 1}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}},
	{"a word that is not repeated is forgotten", func(t *testing.T, s Store) {
		attend(t, s, "n1", "r", store.Attendance{Black: true, Spectators: 3}, 1000)
		before := attend(t, s, "n2", "r", store.Attendance{}, 1000+ttl.Milliseconds()-1)
		after := attend(t, s, "n2", "r", store.Attendance{}, 1000+ttl.Milliseconds())
		if !before.Black || after.Black || after.Spectators != 0 {
			t.Errorf("got %+v before and %+v after the end", before, after)
		}
	}},
	{"beats without a gap are no outage", func(t *testing.T, s Store) {
		for now := int64(1_000_000); now < 1_010_000; now += 1000 {
			expectOutages(t, s, now)
		}
	}},
	{"a gap is an outage for a day", func(t *testing.T, s Store) {
		const day = int64(24 * time.Hour / time.Millisecond)
		expectOutages(t, s, 1_000_000)
		expectOutages(t, s, 1_005_000) // the gap itself is still none
		first := store.Outage{From: 1_005_000, To: 1_020_000}
		expectOutages(t, s, 1_020_000, first)
		expectOutages(t, s, 1_021_000, first)
		second := store.Outage{From: 1_021_000, To: 1_500_000}
		expectOutages(t, s, 1_500_000, first, second)
		third := store.Outage{From: 1_500_000, To: first.To + day}
		expectOutages(t, s, third.To, second, third)
	}},
	{"a late beat does not turn back the time", func(t *testing.T, s Store) {
		expectOutages(t, s, 1_000_000)
		expectOutages(t, s, 1_004_000)
		expectOutages(t, s, 999_000)
		expectOutages(t, s, 1_008_000)
	}},
	{"many beats at once note an outage once", func(t *testing.T, s Store) {
		expectOutages(t, s, 1_000_000)
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				if _, err := s.Beat(t.Context(), 1_100_000, gap); err != nil {
					t.Errorf("beat: %v", err)
				}
			})
		}
		wg.Wait()
		expectOutages(t, s, 1_100_000, store.Outage{From: 1_000_000, To: 1_100_000})
	}},
	{"there is a clock", func(t *testing.T, s Store) {
		now, err := s.Now(t.Context())
		if err != nil || now.Year() < 2020 {
			t.Errorf("it is %v, %v", now, err)
		}
	}},
	{"there is one secret", func(t *testing.T, s Store) {
		var wg sync.WaitGroup
		secrets := make([][]byte, 16)
		for i := range secrets {
			wg.Go(func() {
				var err error
				if secrets[i], err = s.Secret(t.Context()); err != nil {
					t.Errorf("secret: %v", err)
				}
			})
		}
		wg.Wait()
		for _, secret := range secrets {
			if len(secret) != 32 || !bytes.Equal(secret, secrets[0]) {
				t.Fatalf("got %x and %x", secrets[0], secret)
			}
		}
	}},
}

// gap is the longest time between beats that is no outage.
const gap = 5 * time.Second

func expectOutages(t *testing.T, s Store, now int64, want ...store.Outage) {
	t.Helper()
	got, err := s.Beat(t.Context(), now, gap)
	if err != nil {
		t.Fatalf("beat at %d: %v", now, err)
	}
	if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Fatalf("beat at %d: outages %v, want %v", now, got, want)
	}
}

func attend(t *testing.T, s Store, node, room string, a store.Attendance, now int64) store.Attendance {
	t.Helper()
	sum, err := s.Attend(t.Context(), node, room, a, now, ttl)
	if err != nil {
		t.Fatalf("attend: %v", err)
	}
	return sum
}
