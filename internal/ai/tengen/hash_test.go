package tengen

import "testing"

// TestWhatATableEntryIsGoodFor: a score of a search that was deep enough counts as
// far as its bound goes, a proven one also of a search that was not.
func TestWhatATableEntryIsGoodFor(t *testing.T) {
	const alpha, beta = -10, 10
	for _, c := range []struct {
		name  string
		entry entry
		deep  bool // is it good for searches up to its own depth
		any   bool // and for deeper ones
	}{
		{"exactly, between", entry{bound: exactly, score: 0}, true, false},
		{"exactly, above", entry{bound: exactly, score: 10}, true, false},
		{"at least, above", entry{bound: atLeast, score: 10}, true, false},
		{"at least, between", entry{bound: atLeast, score: 9}, false, false},
		{"at least, below", entry{bound: atLeast, score: -30}, false, false},
		{"at most, below", entry{bound: atMost, score: -10}, true, false},
		{"at most, above", entry{bound: atMost, score: 30}, false, false},
		{"won", entry{bound: exactly, score: winIn(9)}, true, true},
		{"won in that or less", entry{bound: atLeast, score: winIn(9)}, true, true},
		{"not won sooner", entry{bound: atMost, score: winIn(9)}, false, false},
		{"lost", entry{bound: exactly, score: -winIn(9)}, true, true},
		{"lost in that or less", entry{bound: atMost, score: -winIn(9)}, true, true},
		{"not lost sooner", entry{bound: atLeast, score: -winIn(9)}, false, false},
		{"nothing but what the evaluation says", entry{bound: noBound, score: 30}, false, false},
	} {
		c.entry.depth = 4
		for depth, want := range map[int]bool{3: c.deep, 4: c.deep, 5: c.any} {
			if got := c.entry.suffices(depth, alpha, beta); got != want {
				t.Errorf("%s, for depth %d: %t", c.name, depth, got)
			}
		}
	}
}
