package tengen

import (
	"math/rand/v2"
	"testing"
)

// parseWindow reads the places around a point, nearest to the middle dot: 'x' is
// Black's, 'o' White's, '_' empty and '|' beyond the edge.
func parseWindow(t *testing.T, text string) (key strip) {
	t.Helper()
	if len(text) != 2*networkSight+1 {
		t.Fatalf("%q: not a window", text)
	}
	for i, r := range text {
		place := i
		if i > networkSight {
			place--
		}
		switch r {
		case '_':
			key |= bothMay << (2 * place)
		case 'x':
			key |= blackMay << (2 * place)
		case 'o':
			key |= whiteMay << (2 * place)
		}
	}
	return key
}

func TestWindowsThatAreTheSame(t *testing.T) {
	w := newWindows()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"____.____", "||__.____", true}, // no stones: nothing to tell
		{"___x.____", "____.x___", true}, // from the other end
		{"__xo.____", "oxxo.____", true}, // behind both colours
		{"__xx.____", "o_xx.____", false},
		{"__xx.____", "__oo.____", false},
		{"___x.____", "|__x.____", false}, // the edge takes room
		{"__x_.____", "___x.____", false},
		{"||xo.____", "__xo.____", true}, // the edge behind both
	} {
		a, b := w.number[parseWindow(t, c.a)], w.number[parseWindow(t, c.b)]
		if same := a == b; same != c.same {
			t.Errorf("%q and %q: the same is %v", c.a, c.b, same)
		}
	}
}

func TestWindowsWithTheColoursExchanged(t *testing.T) {
	w := newWindows()
	l := newLines(0)
	for key := range w.number {
		if l.torn(strip(key)) {
			continue
		}
		if a, b := w.other[w.number[key]], w.number[strip(key).swapped()]; a != b {
			t.Fatalf("%016b: %d, exchanged %d", key, a, b)
		}
	}
}

// The window around a point of a strip is the key that its places make.
func TestWindowOfAStrip(t *testing.T) {
	w := newWindows()
	random := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		var s strip
		for place := 2 * margin; place < 2*(margin+15); place += 2 {
			s |= strip(1+random.IntN(3)) << place
		}
		place := 2 * (margin + random.IntN(15))
		key := strip(0)
		for i := range networkSight {
			key |= s >> (place - 2*(networkSight-i)) & bothMay << (2 * i)
			key |= s >> (place + 2*(i+1)) & bothMay << (2 * (networkSight + i))
		}
		if got, want := w.of(s, place), w.number[key]; got != want {
			t.Fatalf("%b at %d: %d, want %d", s, place, got, want)
		}
	}
}
