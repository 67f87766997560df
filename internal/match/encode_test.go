package match

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
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

// FuzzDecodePlaced: what is read by hand is what encoding/json would read, and
// that is what Encode writes of a usual stone.
func FuzzDecodePlaced(f *testing.F) {
	for _, e := range []Event{
		{At: 1, Fact: Placed{Point: rules.Point{X: 7, Y: 7}}},
		{At: 1767225600000, Fact: Placed{Point: rules.Point{X: 24, Y: 9}, Clock: Clock{Main: 3, Periods: 2}}, Cmd: &Stamp{ID: "m1", By: "ann", Sum: 7}},
	} {
		data, err := Encode(e)
		if err != nil {
			f.Fatal(err)
		}
		if _, ok := decodePlaced(data); !ok {
			f.Errorf("%s is not read by hand", data)
		}
		f.Add(data)
	}
	stone := func(at, point, main, cmd string) {
		f.Add([]byte(`{"kind":"placed","at":` + at + `,"point":"` + point + `","clock":{"main":` + main + `}` + cmd + `}`))
	}
	for _, number := range []string{"", "-1", "-0", "01", "0", "1e3", "1.5", "9223372036854775807", "9223372036854775808", "99999999999999999999"} {
		stone(number, "h8", "0", "")
		stone("1", "h8", number, `,"cmd":{"id":"","by":"","sum":`+number+`}`)
	}
	for _, text := range []string{"", "H8", "h08", "z1", `h\u0038`, "h8\x7f", "\xff8", "h\"8"} {
		stone("1", text, "0", `,"cmd":{"id":"`+text+`","by":"`+text+`","sum":4294967296}`)
		stone("1", "a1", "0", `,"cmd":{"id":"`+text+`","by":"`+text+`","sum":4294967295}`)
	}
	stone("1", "a1", "0", "} ")
	stone("1", "a1", "0", `,"format":1`)
	f.Fuzz(func(t *testing.T, data []byte) {
		got, ok := decodePlaced(data)
		if !ok {
			return
		}
		want, err := decode(data)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s was read as %+v; encoding/json reads %+v, %v", data, got, want, err)
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
