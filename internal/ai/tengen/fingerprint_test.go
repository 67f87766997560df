package tengen

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

var update = flag.Bool("update", false, "rewrite testdata/fingerprint.txt")

const fingerprintFile = "testdata/fingerprint.txt"

// fingerprinted are positions of openings and of fights.
func fingerprinted(t testing.TB) (all []ai.Position) {
	t.Helper()
	for _, c := range []struct {
		rule  rules.Rule
		size  rules.Size
		moves string
	}{
		{rules.Freestyle, side(15), "h8 i9 g7 i7 i8 g8"},
		{rules.Freestyle, side(20), "j10 k11 j11 j9 k10 i12"},
		{rules.Freestyle, rules.Size{Width: 20, Height: 15}, "h8 h9 i9 g7 j10 k11"},
		{rules.Standard, side(15), "h8 i9 i8 g8 h7 h9 g9"},
		{rules.Standard, side(15), "d4 l12 e5 k11 e4 k12"},
		{rules.Standard, side(9), "e5 f6 e6 e4 d5"},
		{rules.Caro, side(15), "h8 g8 h9 h7 i9 g7 g9"},
		{rules.Caro, side(19), "k10 j11 k12 k11 l11"},
		{rules.Renju, side(15), "h8 i9 i8 g8 h7 h9"},
		{rules.Renju, side(15), "h8 h9 j8 g7 i6 i9 g9"},
		{rules.Renju, side(15), "h8 i7 f9 i8 j9"},
		{rules.Renju, rules.Size{Width: 11, Height: 25}, "f12 g13 g12 e12 f11 f10"},
	} {
		all = append(all, played(t, c.rule, c.size, c.moves))
	}
	return all
}

// TestFingerprint counts the nodes of searches to a fixed depth. A change that
// should make no difference leaves the number as it was; after one that should,
// go test -update writes the new one.
func TestFingerprint(t *testing.T) {
	var each strings.Builder
	sum := int64(0)
	for _, from := range fingerprinted(t) {
		thought, err := newTestEngine(1).Think(t.Context(), from, ai.Budget{Depth: 5})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&each, "%v %v: %v, %d nodes\n", from.Rule, from.Size, thought.Move, thought.Nodes)
		sum += thought.Nodes
	}
	got := fmt.Sprintln(sum)
	if *update {
		if err := os.WriteFile(fingerprintFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(fingerprintFile)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s nodes, want %s\n%s", strings.TrimSpace(got), strings.TrimSpace(string(want)), &each)
	}
}
