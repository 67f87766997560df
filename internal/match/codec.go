package match

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// An event is stored and sent as one flat JSON object: "kind", "at", the fact's
// own fields, and "cmd" where a command led to it. Fields may be added; a kind
// that is not known, or a format number other than none, is refused.

// header is what every event has.
type header struct {
	Kind   string  `json:"kind"`
	At     Instant `json:"at"`
	Cmd    *Stamp  `json:"cmd"`
	Format int     `json:"format"` // reserved: a log of a later format says so
}

// Encode returns the event's JSON.
func Encode(e Event) ([]byte, error) {
	fact, err := json.Marshal(e.Fact)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", e.Fact.kind(), err)
	}
	out := make([]byte, 0, 160)
	out = append(out, `{"kind":"`...)
	out = append(out, e.Fact.kind()...)
	out = append(out, `","at":`...)
	out = strconv.AppendInt(out, int64(e.At), 10)
	if len(fact) > len("{}") {
		out = append(out, ',')
		out = append(out, fact[1:len(fact)-1]...)
	}
	if e.Cmd != nil {
		cmd, err := json.Marshal(e.Cmd)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", e.Fact.kind(), err)
		}
		out = append(out, `,"cmd":`...)
		out = append(out, cmd...)
	}
	return append(out, '}'), nil
}

// Decode reads what Encode wrote.
func Decode(data []byte) (Event, error) {
	var h header
	if err := json.Unmarshal(data, &h); err != nil {
		return Event{}, fmt.Errorf("decode event: %w", err)
	}
	if h.Format != 0 {
		return Event{}, fmt.Errorf("decode event: format %d is not known here", h.Format)
	}
	fact, err := decodeFact(h.Kind, data)
	if err != nil {
		return Event{}, fmt.Errorf("decode event %q: %w", h.Kind, err)
	}
	return Event{At: h.At, Cmd: h.Cmd, Fact: fact}, nil
}

func decodeFact(kind string, data []byte) (Fact, error) {
	switch kind {
	case "created":
		return parse[Created](data)
	case "seated":
		return parse[Seated](data)
	case "started":
		return parse[Started](data)
	case "placed":
		return parse[Placed](data)
	case "passed":
		return parse[Passed](data)
	case "offered":
		return parse[Offered](data)
	case "declined":
		return parse[Declined](data)
	case "takenback":
		return parse[TakenBack](data)
	case "away":
		return parse[Away](data)
	case "back":
		return parse[Back](data)
	case "credited":
		return parse[Credited](data)
	case "ended":
		return parse[Ended](data)
	}
	return nil, fmt.Errorf("no such kind")
}

func parse[F Fact](data []byte) (Fact, error) {
	var f F
	err := json.Unmarshal(data, &f)
	return f, err
}
