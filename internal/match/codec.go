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
	out := make([]byte, 0, 192)
	out = append(out, `{"kind":"`...)
	out = append(out, e.Fact.kind()...)
	out = append(out, `","at":`...)
	out = strconv.AppendInt(out, int64(e.At), 10)
	out, err := appendFact(out, e.Fact)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", e.Fact.kind(), err)
	}
	if e.Cmd != nil {
		out = AppendText(append(out, `,"cmd":{"id":`...), e.Cmd.ID)
		out = AppendText(append(out, `,"by":`...), e.Cmd.By)
		out = strconv.AppendUint(append(out, `,"sum":`...), uint64(e.Cmd.Sum), 10)
		out = append(out, '}')
	}
	return append(out, '}'), nil
}

// appendFact appends a comma and the fact's fields, if it has any. Nearly every
// event is a stone: that one is written by hand.
func appendFact(dst []byte, f Fact) ([]byte, error) {
	if f, ok := f.(Placed); ok {
		point, err := f.Point.MarshalText()
		if err != nil {
			return nil, err
		}
		dst = append(append(dst, `,"point":"`...), point...)
		dst = append(dst, `","clock":`...)
		dst = f.Clock.AppendJSON(dst)
		if f.Failure != "" {
			dst = AppendText(append(dst, `,"failure":`...), f.Failure)
		}
		return dst, nil
	}
	fields, err := json.Marshal(f)
	if err != nil || len(fields) == len("{}") {
		return dst, err
	}
	return append(append(dst, ','), fields[1:len(fields)-1]...), nil
}

// AppendJSON appends what encoding/json makes of the clock.
func (c Clock) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"main":`...), int64(c.Main), 10)
	if c.Periods != 0 {
		dst = strconv.AppendInt(append(dst, `,"periods":`...), int64(c.Periods), 10)
	}
	return append(dst, '}')
}

// AppendText appends what encoding/json makes of a text.
func AppendText(dst []byte, text string) []byte {
	for _, c := range []byte(text) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, _ := json.Marshal(text) // a string is never refused
			return append(dst, quoted...)
		}
	}
	return append(append(append(dst, '"'), text...), '"')
}

// Decode reads what Encode wrote.
func Decode(data []byte) (Event, error) {
	if e, ok := decodePlaced(data); ok {
		return e, nil
	}
	return decode(data)
}

func decode(data []byte) (Event, error) {
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
