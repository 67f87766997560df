package quota

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

func TestEverybodyHasARateOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRates(2, 3)
		for range 3 {
			if _, ok := r.Allow("ann"); !ok {
				t.Fatal("refused within the burst")
			}
		}
		wait, ok := r.Allow("ann")
		if ok || wait != time.Second/2 {
			t.Errorf("over the burst: %v, wait %s; want half a second", ok, wait)
		}
		if _, ok := r.Allow("bob"); !ok {
			t.Error("bob pays for ann")
		}
		time.Sleep(wait)
		if _, ok := r.Allow("ann"); !ok {
			t.Error("refused after the wait")
		}
		if _, ok := r.Allow("ann"); ok {
			t.Error("two came after the wait for one")
		}
	})
}

// TestWhoIsForgottenGainsNothing: a turn may come at any moment.
func TestWhoIsForgottenGainsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRates(1, 10)
		const seconds = 600
		let := 0
		for range seconds * 4 {
			if _, ok := r.Allow("ann"); ok {
				let++
			}
			time.Sleep(time.Second / 4)
		}
		if let > seconds+10 {
			t.Errorf("%d were let in within %d seconds at one a second", let, seconds)
		}
	})
}

func TestWhatIsRememberedIsBounded(t *testing.T) {
	t.Parallel()
	r := NewRates(1, 10)
	for i := range 2*remembered + 10 {
		r.Allow(fmt.Sprint(i))
	}
	if size := r.Size(); size > 2*remembered {
		t.Errorf("%d are remembered", size)
	}
	synctest.Test(t, func(t *testing.T) {
		r := NewRates(1, 10)
		for i := range 1000 {
			r.Allow(fmt.Sprint(i))
		}
		time.Sleep(time.Hour)
		r.Allow("ann")
		time.Sleep(time.Hour)
		r.Allow("ann")
		if size := r.Size(); size > 2 {
			t.Errorf("%d are remembered after an hour", size)
		}
	})
}

func TestPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all, each := rapid.IntRange(1, 12).Draw(t, "all"), rapid.IntRange(1, 6).Draw(t, "each")
		p := NewPlaces(all, each)
		taken, by := 0, map[string]int{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			who := rapid.SampledFrom([]string{"ann", "bob", "eve", ""}).Draw(t, "who")
			if by[who] > 0 && rapid.Bool().Draw(t, "leaves") {
				p.Leave(who)
				by[who]--
				taken--
				continue
			}
			want := Taken
			switch {
			case taken == all:
				want = Full
			case who != "" && by[who] == each:
				want = Yours
			default:
				by[who]++
				taken++
			}
			if got := p.Take(who); got != want {
				t.Fatalf("%q with %d of %d, %d of %d in all: %d, want %d", who, by[who], each, taken, all, got, want)
			}
		}
		if p.Size() != taken {
			t.Fatalf("%d taken, want %d", p.Size(), taken)
		}
		for who, n := range by {
			if who != "" && p.by[who] != n {
				t.Fatalf("%q has %d, want %d", who, p.by[who], n)
			}
			if _, kept := p.by[who]; n == 0 && kept {
				t.Fatalf("%q is remembered with nothing", who)
			}
		}
	})
}
