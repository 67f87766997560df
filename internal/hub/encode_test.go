package hub

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/gorilla/websocket"
	"pgregory.net/rapid"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// TestEventsAreEncodedAsEver: what is written by hand is what encoding/json
// would write.
func TestEventsAreEncodedAsEver(t *testing.T) {
	point := rapid.Custom(func(t *rapid.T) rules.Point {
		return rules.Point{X: rapid.Int8Range(0, 24).Draw(t, "x"), Y: rapid.Int8Range(0, 24).Draw(t, "y")}
	})
	clock := rapid.Custom(func(t *rapid.T) match.Clock {
		return match.Clock{Main: match.Millis(rapid.Int64().Draw(t, "main")), Periods: rapid.IntRange(-1, 9).Draw(t, "periods")}
	})
	event := rapid.Custom(func(t *rapid.T) json.RawMessage {
		cmd := match.Stamp{ID: rapid.String().Draw(t, "id"), By: rapid.String().Draw(t, "by"), Sum: rapid.Uint32().Draw(t, "sum")}
		raw, err := match.Encode(match.Event{At: 7, Fact: match.Placed{Point: point.Draw(t, "point"), Clock: clock.Draw(t, "clock")}, Cmd: &cmd})
		if err != nil {
			t.Fatal(err)
		}
		return raw
	})
	rapid.Check(t, func(t *rapid.T) {
		m := eventsMessage{
			Type: "events", Room: rapid.String().Draw(t, "room"),
			ID: rapid.String().Draw(t, "id"), By: rapid.String().Draw(t, "by"),
			Version: rapid.Int().Draw(t, "version"), Now: rapid.Int64().Draw(t, "now"),
			Events: rapid.SliceOfN(event, 0, 5).Draw(t, "events"),
			View: view{
				Turn: rules.Color(rapid.IntRange(0, 2).Draw(t, "turn")), Running: rapid.Bool().Draw(t, "running"),
				Spent:     match.Millis(rapid.Int64().Draw(t, "spent")),
				Forbidden: []forbiddenView{},
				Row:       rapid.SliceOfN(point, 0, 6).Draw(t, "row"),
			},
		}
		if rapid.Bool().Draw(t, "clocks") {
			m.View.Clocks = &clocksView{Black: clock.Draw(t, "black"), White: clock.Draw(t, "white")}
		}
		for _, p := range rapid.SliceOfN(point, 0, 3).Draw(t, "forbidden") {
			m.View.Forbidden = append(m.View.Forbidden, forbiddenView{Point: p, Foul: rules.DoubleThree})
		}
		if m.Events == nil {
			m.Events = []json.RawMessage{}
		}
		if got, want := string(m.append(nil)), string(marshal(m)); got != want {
			t.Fatalf("%s, want\n%s", got, want)
		}
		if got, want := string(m.encode()), string(frame(websocket.TextMessage, marshal(m))); got != want {
			t.Fatalf("the frame %q, want\n%q", got, want)
		}
	})
}

// FuzzScan: what is read by hand encoding/json reads alike.
func FuzzScan(f *testing.F) {
	for _, line := range []string{
		`{"type":"place","id":"m1","room":"K4","ply":12,"point":"h8","version":3}`,
		`{ "type" : "join" , "id" : "1" , "room" : "K4" , "epoch":"e" , "have" : 0 } `,
		`{"type":"seek","color":"black","bot":"b","what":"draw","ply":0,"ply":1}`,
		`{"type":"place","ply":01}`, `{"type":"place","ply":1.5}`, `{"type":"place","ply":1e3}`, `{"ply":12 3}`, `{"ply":1"point":"h8"}`,
		`{"Type":"place"}`, `{"type":null}`, `{"type":"pl\u0061ce"}`, `{"type":"é"}`, `{"on":true,"id":"1"}`, `{}`, `{"a":1}`, ``, `{"id":"1"}x`, `{"id":"1",}`,
		`{"have":9999999999}`, `{"have":-1}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got request
		if !got.scan(data) {
			return
		}
		want, err := decodeRequest(data)
		if err != nil {
			t.Fatalf("%q was read as %+v, but: %v", data, got, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q was read as %+v, want %+v", data, got, want)
		}
	})
}

func TestUsualCommandsAreScanned(t *testing.T) {
	for _, line := range []string{
		`{"type":"place","room":"K4","version":12,"ply":12,"point":"h8","id":"m1"}`,
		`{"type": "join", "id": "1", "room": "K4", "epoch": "e", "have": 17}`,
		`{"type":"offer","id":"1","room":"K4","what":"takeback"}`,
	} {
		if new(request).scan([]byte(line)) == false {
			t.Errorf("%s is left to encoding/json", line)
		}
	}
}

func TestFramesHaveTheShortestHead(t *testing.T) {
	for size, head := range map[int]string{
		0: "\x81\x00", 1: "\x81\x01", 125: "\x81\x7d", 126: "\x81\x7e\x00\x7e", 65535: "\x81\x7e\xff\xff",
		65536: "\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00",
	} {
		payload := bytes.Repeat([]byte("a"), size)
		if got := frame(websocket.TextMessage, payload); string(got) != head+string(payload) {
			t.Errorf("%d bytes: %.20q, want %q first", size, got, head)
		}
	}
}
