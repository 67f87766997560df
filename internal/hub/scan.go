package hub

import "gomokud/internal/match"

// scan reads a message as nearly all are: one flat object of plain texts and
// small numbers. It reports false for anything else, right or wrong, which
// encoding/json then decodes at five times the cost.
func (r *request) scan(data []byte) bool {
	s := scanner{rest: data}
	if !s.skip('{') {
		return false
	}
	for {
		key, ok := s.text()
		if !ok || !s.skip(':') || !s.field(r, string(key)) {
			return false
		}
		if s.skip('}') {
			return s.skip(0)
		}
		if !s.skip(',') {
			return false
		}
	}
}

// scanner is what of a message has not been read.
type scanner struct{ rest []byte }

// field reads the value of a field.
func (s *scanner) field(r *request, name string) (ok bool) {
	var text []byte
	switch name {
	case "have":
		r.Have, ok = s.number()
		return ok
	case "version":
		r.Version, ok = s.number()
		return ok
	case "ply":
		r.Ply = new(int)
		*r.Ply, ok = s.number()
		return ok
	}
	if text, ok = s.text(); !ok {
		return false
	}
	switch name {
	case "type":
		if r.Type = "place"; string(text) != r.Type { // the usual one needs no memory
			r.Type = string(text)
		}
	case "id":
		r.ID = string(text)
	case "room":
		r.Room = string(text)
	case "epoch":
		r.Epoch = string(text)
	case "color":
		r.Color = string(text)
	case "bot":
		r.Bot = string(text)
	case "point":
		r.Point = string(text)
	case "what":
		r.What = match.What(text)
	default:
		return false
	}
	return true
}

// space passes over white space.
func (s *scanner) space() {
	for len(s.rest) > 0 && (s.rest[0] == ' ' || s.rest[0] == '\n' || s.rest[0] == '\t' || s.rest[0] == '\r') {
		s.rest = s.rest[1:]
	}
}

// skip passes over one character; 0 is the end.
func (s *scanner) skip(c byte) bool {
	s.space()
	if len(s.rest) == 0 {
		return c == 0
	}
	if s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

// text reads a text of printable ASCII without escapes.
func (s *scanner) text() ([]byte, bool) {
	if !s.skip('"') {
		return nil, false
	}
	for i, c := range s.rest {
		switch {
		case c == '"':
			text := s.rest[:i]
			s.rest = s.rest[i+1:]
			return text, true
		case c < ' ' || c > '~' || c == '\\':
			return nil, false
		}
	}
	return nil, false
}

// number reads a natural number of at most nine digits.
func (s *scanner) number() (n int, ok bool) {
	s.space()
	digits := 0
	for digits < len(s.rest) && s.rest[digits] >= '0' && s.rest[digits] <= '9' {
		n = 10*n + int(s.rest[digits]-'0')
		if digits++; digits > 9 {
			return 0, false
		}
	}
	if digits == 0 || digits > 1 && s.rest[0] == '0' {
		return 0, false
	}
	s.rest = s.rest[digits:]
	return n, true // what must not follow a number is not skipped as ',' or '}'
}
