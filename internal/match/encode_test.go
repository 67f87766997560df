package match

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"gomokud/internal/rules"
)

// FuzzEncodePlaced: what is written by hand is what encoding/json would write.
func FuzzEncodePlaced(f *testing.F) {
	f.Add("m1", "ann", uint32(7), int64(1), int64(299_000), 0, int8(7), int8(7))
	f.Add(`"<é&>`, "a\\b\x7f\x00\xff", uint32(math.MaxUint32), int64(math.MinInt64), int64(-1), -3, int8(24), int8(24))
	f.Add("\u2028", "", uint32(0), int64(0), int64(0), 100, int8(-1), int8(25))
	f.Fuzz(func(t *testing.T, id, by string, sum uint32, at, left int64, periods int, x, y int8) {
		fact := Placed{Point: rules.Point{X: x, Y: y}, Clock: Clock{Main: Millis(left), Periods: periods}}
		for _, cmd := range []*Stamp{nil, {ID: id, By: by, Sum: sum}} {
			got, err := Encode(Event{At: Instant(at), Cmd: cmd, Fact: fact})
			want, wrong := json.Marshal(struct {
				Kind string  `json:"kind"`
				At   Instant `json:"at"`
				Placed
				Cmd *Stamp `json:"cmd,omitempty"`
			}{"placed", Instant(at), fact, cmd})
			if (err != nil) != (wrong != nil) {
				t.Fatalf("error %v, want %v", err, wrong)
			}
			if err == nil && string(got) != string(want) {
				t.Fatalf("%s, want %s", got, want)
			}
		}
	})
}

// TestSumsAreThoseInOldLogs: a sum that came out differently would make a
// repeated command another one.
func TestSumsAreThoseInOldLogs(t *testing.T) {
	actions := []Action{
		Sit{}, Pass{Ply: 3}, Resign{}, Offer{What: Draw}, Accept{What: Takeback}, Decline{What: Rematch}, Abort{}, Claim{},
		New{Game: Game{Rule: rules.Renju, Size: rules.Size{Width: 15, Height: 15}}, Color: "black", Bot: "b"},
		Place{Ply: math.MinInt}, Place{Ply: math.MaxInt, Point: rules.Point{X: -128, Y: 127}},
	}
	for p := range (rules.Size{Width: 25, Height: 25}).All() {
		actions = append(actions, Place{Ply: int(p.X) * int(p.Y), Point: p})
	}
	for _, a := range actions {
		h := fnv.New32a()
		fmt.Fprint(h, a.name(), a)
		if got := sum(a); got != h.Sum32() {
			t.Errorf("%T%v: %d, want %d", a, a, got, h.Sum32())
		}
	}
}
