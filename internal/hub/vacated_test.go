package hub

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestARoomIsKeptForAWhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v, early, late := new(vacated), new(room), new(room)
		takes := func(when string, want ...*room) {
			t.Helper()
			over := v.take(time.Now())
			if len(over) != len(want) {
				t.Fatalf("%s: %d rooms are given up, want %d", when, len(over), len(want))
			}
			for i, r := range want {
				if over[i].room != r {
					t.Errorf("%s: another room is given up", when)
				}
			}
		}
		takes("at first")
		v.add(early)
		time.Sleep(lingerFor / 2)
		v.add(late)
		takes("soon")
		time.Sleep(lingerFor / 2)
		takes("after the time", early)
		v.add(early) // left again
		time.Sleep(lingerFor)
		takes("after the second time", late, early)
	})
}

func TestOnlySoManyRoomsAreKept(t *testing.T) {
	t.Parallel()
	v := new(vacated)
	for range mostLingering {
		if !v.add(new(room)) {
			t.Fatal("too few are kept")
		}
	}
	if v.add(new(room)) {
		t.Error("too many are kept")
	}
	if n := len(v.take(time.Now().Add(lingerFor))); n != mostLingering || !v.add(new(room)) {
		t.Errorf("%d were given up, and there is no place", n)
	}
}
