package hub

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"gomokud/internal/match"
)

// examples are the JSON objects in the code blocks of docs/protocol.md.
func examples(t *testing.T) []json.RawMessage {
	t.Helper()
	doc, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []json.RawMessage
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(doc, -1) {
		dec := json.NewDecoder(bytes.NewReader(block[1]))
		for dec.More() {
			var one json.RawMessage
			if err := dec.Decode(&one); err != nil {
				t.Fatalf("in docs/protocol.md, %s: %v", block[1], err)
			}
			list = append(list, one)
		}
	}
	if len(list) < 40 {
		t.Fatalf("found only %d examples", len(list))
	}
	return list
}

// messages are what the server sends, by type.
func messages() map[string]any {
	return map[string]any{
		"hello": &helloMessage{}, "ok": &okMessage{}, "error": &errorMessage{}, "seeking": &seekMessage{},
		"unseeking": &unseekingMessage{}, "paired": &pairedMessage{}, "room": &roomMessage{}, "events": &eventsMessage{},
		"spectators": &spectatorsMessage{}, "games": &gamesMessage{}, "pong": &pongMessage{},
		"bye": &byeMessage{}, "service": &serviceMessage{},
	}
}

func TestTheDocumentsExamplesAreTrue(t *testing.T) {
	seen := map[string]bool{}
	for _, example := range examples(t) {
		var head struct{ Type, Kind string }
		if err := json.Unmarshal(example, &head); err != nil {
			t.Fatalf("%s: %v", example, err)
		}
		if head.Kind != "" { // events are package match's matter; its tests read them too
			if _, err := match.Decode(example); err != nil {
				t.Errorf("event %s: %v", example, err)
			}
			continue
		}
		seen[head.Type] = true
		if message, ok := messages()[head.Type]; ok {
			checkSame(t, example, message)
			continue
		}
		req, err := parseRequest(example)
		if err != nil {
			t.Errorf("command %s: %v", example, err)
			continue
		}
		switch req.Type {
		case "ping", "lobby", "seek", "unseek", "create", "join", "leave":
		default:
			if _, err := req.action(); err != nil {
				t.Errorf("command %s: %v", example, err)
			}
		}
	}
	for kind := range messages() {
		if !seen[kind] {
			t.Errorf("docs/protocol.md has no example of %q", kind)
		}
	}
	for _, command := range []string{
		"ping", "lobby", "seek", "unseek", "create", "join", "leave", "sit", "place", "pass",
		"resign", "abort", "claim", "offer", "accept", "decline",
	} {
		if !seen[command] {
			t.Errorf("docs/protocol.md has no example of %q", command)
		}
	}
}

// checkSame decodes an example strictly and compares what it encodes to.
func checkSame(t *testing.T, example json.RawMessage, message any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(example))
	dec.DisallowUnknownFields()
	if err := dec.Decode(message); err != nil {
		t.Errorf("%s: %v", example, err)
		return
	}
	var want, got map[string]any
	if err := json.Unmarshal(example, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(marshal(message), &got); err != nil {
		t.Fatal(err)
	}
	for field := range want {
		if _, there := got[field]; !there {
			t.Errorf("%s: the server sends no %q", example, field)
		}
	}
	for field := range got {
		if _, there := want[field]; !there {
			t.Errorf("%s: the server also sends %q", example, field)
		}
	}
	if !reflect.DeepEqual(got["view"], want["view"]) && want["view"] != nil {
		g, _ := json.Marshal(got["view"])
		w, _ := json.Marshal(want["view"])
		t.Errorf("view: the server sends %s, the document says %s", g, w)
	}
}

func TestEveryErrorCodeIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(doc), "## Errors")
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`(?:refuse\(|code: |, )"([a-z]+_[a-z_]+|busy)", `)
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		source, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codes.FindAllSubmatch(source, -1) {
			if !strings.Contains(table, "`"+string(m[1])+"`") {
				t.Errorf("%s: error code %q is not in docs/protocol.md", f.Name(), m[1])
			}
		}
	}
}

// FuzzParseRequest: no message makes the decoder panic, and what it accepts has
// an id that can be answered.
func FuzzParseRequest(f *testing.F) {
	f.Add([]byte(`{"type":"place","id":"c1","room":"r","ply":0,"point":"h8"}`))
	f.Add([]byte(`{"type":"create","id":"c1","game":{"rule":"renju","size":"15x15","clock":{"main":1000}}}`))
	f.Add([]byte(`{"type":"offer","id":"\u202e","what":7}`))
	f.Add([]byte(`[[[[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		req, err := parseRequest(data)
		if err != nil {
			if sentence(err) == "" {
				t.Error("an error without a sentence")
			}
			return
		}
		if req.ID == "" || len(req.ID) > 64 || req.Type == "" {
			t.Errorf("accepted %q as %+v", data, req)
		}
		if _, err := req.action(); err != nil && refusalOf(err).code == "internal" {
			t.Errorf("%q: %v", data, err)
		}
		if _, err := req.game(); err != nil && refusalOf(err).code == "internal" {
			t.Errorf("%q: %v", data, err)
		}
	})
}
