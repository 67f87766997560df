package match_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// written is one event of each kind, and its JSON.
var written = []struct {
	event match.Event
	json  string
}{
	{
		match.Event{At: 1, Fact: match.Created{
			Game: match.Game{Rule: rules.Renju, Size: rules.Size{Width: 15, Height: 15},
				Clock: match.TimeControl{Main: 300000, Increment: 3000}, Forbidden: match.Loses},
			Host: "ann", Limits: match.Limits{ClaimAfter: 1, FirstMove: 2, OpenFor: 3, AbandonAfter: 4, LagCap: 5},
		}},
		`{"kind":"created","at":1,"game":{"rule":"renju","size":"15x15","clock":{"main":300000,"increment":3000},"forbidden":"loses"},` +
			`"host":"ann","limits":{"claim_after":1,"first_move":2,"open_for":3,"abandon_after":4,"lag_cap":5}}`,
	},
	{
		match.Event{At: 2, Fact: match.Seated{Color: rules.Black, Player: match.Player{ID: "ann", Name: "Ann"}}},
		`{"kind":"seated","at":2,"color":"black","player":{"id":"ann","name":"Ann"}}`,
	},
	{
		match.Event{At: 3, Fact: match.Seated{Color: rules.White, Player: match.Player{ID: "b", Name: "B", Bot: "seven-step"}}},
		`{"kind":"seated","at":3,"color":"white","player":{"id":"b","name":"B","bot":"seven-step"}}`,
	},
	{
		match.Event{At: 4, Fact: match.Started{Number: 1, Black: "ann", White: "b"}, Cmd: &match.Stamp{ID: "c1", By: "b", Sum: 7}},
		`{"kind":"started","at":4,"number":1,"black":"ann","white":"b","cmd":{"id":"c1","by":"b","sum":7}}`,
	},
	{
		match.Event{At: 5, Fact: match.Placed{Point: rules.Point{X: 7, Y: 7}, Clock: match.Clock{Main: 1, Periods: 2}}},
		`{"kind":"placed","at":5,"point":"h8","clock":{"main":1,"periods":2}}`,
	},
	{
		match.Event{At: 5, Fact: match.Placed{Point: rules.Point{X: 7, Y: 7}, Failure: "late"}, Cmd: &match.Stamp{ID: "bot-3", By: "bot:b", Sum: 1}},
		`{"kind":"placed","at":5,"point":"h8","clock":{"main":0},"failure":"late","cmd":{"id":"bot-3","by":"bot:b","sum":1}}`,
	},
	{
		match.Event{At: 5, Fact: match.Placed{Point: rules.Point{X: 24, Y: 24}}, Cmd: &match.Stamp{ID: `"<é`, By: "ann", Sum: 1 << 31}},
		`{"kind":"placed","at":5,"point":"y25","clock":{"main":0},"cmd":{"id":"\"\u003cé","by":"ann","sum":2147483648}}`,
	},
	{match.Event{At: 6, Fact: match.Passed{Clock: match.Clock{Main: 9}}}, `{"kind":"passed","at":6,"clock":{"main":9}}`},
	{match.Event{At: 7, Fact: match.Offered{What: match.Draw, Color: rules.White}}, `{"kind":"offered","at":7,"what":"draw","color":"white"}`},
	{match.Event{At: 8, Fact: match.Declined{What: match.Rematch, Color: rules.Black}}, `{"kind":"declined","at":8,"what":"rematch","color":"black"}`},
	{match.Event{At: 9, Fact: match.TakenBack{Plies: 2}}, `{"kind":"takenback","at":9,"plies":2}`},
	{match.Event{At: 10, Fact: match.Away{Color: rules.White}}, `{"kind":"away","at":10,"color":"white"}`},
	{match.Event{At: 11, Fact: match.Back{Color: rules.White}}, `{"kind":"back","at":11,"color":"white"}`},
	{
		match.Event{At: 12, Fact: match.Credited{Color: rules.Black, Span: 3, Until: 11}},
		`{"kind":"credited","at":12,"color":"black","ms":3,"until":11}`,
	},
	{
		match.Event{At: 13, Fact: match.Ended{Winner: rules.Black, Reason: match.ByFive, Row: []rules.Point{{X: 0, Y: 0}, {X: 1, Y: 1}}}},
		`{"kind":"ended","at":13,"winner":"black","reason":"five","row":["a1","b2"]}`,
	},
	{
		match.Event{At: 14, Fact: match.Ended{Winner: rules.White, Reason: match.ByFoul, Foul: rules.DoubleFour}},
		`{"kind":"ended","at":14,"winner":"white","reason":"foul","foul":"double-four"}`,
	},
	{match.Event{At: -1, Fact: match.Ended{Reason: match.Aborted}}, `{"kind":"ended","at":-1,"reason":"aborted"}`},
}

func TestEncodeDecode(t *testing.T) {
	for _, w := range written {
		data, err := match.Encode(w.event)
		if err != nil || string(data) != w.json {
			t.Errorf("Encode(%+v)\n got %s, error %v\nwant %s", w.event, data, err, w.json)
		}
		event, err := match.Decode([]byte(w.json))
		if err != nil || !reflect.DeepEqual(event, w.event) {
			t.Errorf("Decode(%s)\n got %+v, error %v\nwant %+v", w.json, event, err, w.event)
		}
	}
}

// Later versions may say more than we know, and less of what may be absent.
func TestDecodeToleratesFields(t *testing.T) {
	for _, text := range []string{
		`{"at":9,"plies":2,"kind":"takenback"}`,
		`{"kind":"takenback","at":9,"plies":2,"why":{"mercy":[1]}}`,
		`{"kind":"takenback","format":0,"at":9,"plies":2,"cmd":null}`,
		" {\n\"kind\": \"takenback\", \"at\": 9, \"plies\": 2 } ",
	} {
		got, err := match.Decode([]byte(text))
		want := match.Event{At: 9, Fact: match.TakenBack{Plies: 2}}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Decode(%s) is %+v, error %v, want %+v", text, got, err, want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":             ``,
		"no object":           `[]`,
		"half an object":      `{"kind":"passed"`,
		"two objects":         `{"kind":"passed","at":1}{}`,
		"no kind":             `{"at":1}`,
		"an unknown kind":     `{"kind":"swapped","at":1}`,
		"a later format":      `{"kind":"passed","at":1,"format":2}`,
		"a broken time":       `{"kind":"passed","at":"noon"}`,
		"an unknown colour":   `{"kind":"away","at":1,"color":"green"}`,
		"a colour for nobody": `{"kind":"away","at":1,"color":"empty"}`,
		"a point off":         `{"kind":"placed","at":1,"point":"z99"}`,
		"an impossible size":  `{"kind":"created","at":1,"game":{"size":"4x400"}}`,
		"an unknown rule":     `{"kind":"created","at":1,"game":{"rule":"go","size":"15x15"}}`,
		"a broken number":     `{"kind":"takenback","at":1,"plies":1.5}`,
	} {
		if event, err := match.Decode([]byte(text)); err == nil {
			t.Errorf("%s: Decode(%s) is %+v, want an error", name, text, event)
		}
	}
}

// The protocol's examples of events are events, and say all that is in them.
func TestProtocolExamples(t *testing.T) {
	page, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, `{"kind":`) {
			continue
		}
		event, err := match.Decode([]byte(line))
		if err != nil {
			t.Errorf("%s%v", line, err)
			continue
		}
		data, err := match.Encode(event)
		if err != nil {
			t.Errorf("%s%v", line, err)
			continue
		}
		got, want := fields(t, data), fields(t, []byte(line))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("the page's event comes back with other fields:\n got %s\nwant %s", data, line)
		}
		kinds[want["kind"].(string)] = true
	}
	for _, w := range written {
		if kind := fields(t, []byte(w.json))["kind"].(string); !kinds[kind] {
			t.Errorf("the page has no example of %q", kind)
		}
	}
}

func fields(t *testing.T, data []byte) (object map[string]any) {
	t.Helper()
	if err := json.Unmarshal(data, &object); err != nil {
		t.Fatal(err)
	}
	return object
}
