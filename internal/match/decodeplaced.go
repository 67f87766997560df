package match

import (
	"bytes"
	"math"

	"gomokud/internal/rules"
)

// decodePlaced reads a stone that is written as Encode writes it: nearly every
// event is one. It says false to all else, which encoding/json is to judge.
func decodePlaced(data []byte) (Event, bool) {
	var e Event
	var f Placed
	r := written{rest: data}
	r.word(`{"kind":"placed","at":`)
	e.At = Instant(r.number())
	r.word(`,"point":`)
	point, err := rules.ParsePoint(r.text())
	f.Point = point
	r.word(`,"clock":{"main":`)
	f.Clock.Main = Millis(r.number())
	if r.has(`,"periods":`) {
		f.Clock.Periods = int(r.number())
	}
	r.word("}")
	if r.has(`,"cmd":{"id":`) {
		e.Cmd = &Stamp{ID: r.text()}
		r.word(`,"by":`)
		e.Cmd.By = r.text()
		r.word(`,"sum":`)
		sum := r.number()
		r.wrong = r.wrong || sum > math.MaxUint32
		e.Cmd.Sum = uint32(sum)
		r.word("}")
	}
	r.word("}")
	e.Fact = f
	return e, err == nil && !r.wrong && len(r.rest) == 0
}

// written is text that is read from its beginning to its end. Once something is
// wrong with it, it stays wrong.
type written struct {
	rest  []byte
	wrong bool
}

// has takes a word if it comes next.
func (w *written) has(word string) bool {
	if len(w.rest) < len(word) || string(w.rest[:len(word)]) != word {
		return false
	}
	w.rest = w.rest[len(word):]
	return true
}

// word takes a word that must come next.
func (w *written) word(word string) { w.wrong = !w.has(word) || w.wrong }

// number takes a whole number from 0 on.
func (w *written) number() int64 {
	const most = 18 // digits, which surely fit
	n, digits := int64(0), 0
	for digits < len(w.rest) && '0' <= w.rest[digits] && w.rest[digits] <= '9' {
		n = 10*n + int64(w.rest[digits]-'0')
		if digits++; digits > most {
			break
		}
	}
	w.wrong = w.wrong || digits == 0 || digits > most || digits > 1 && w.rest[0] == '0'
	w.rest = w.rest[digits:]
	return n
}

// text takes a string of nothing but plain characters.
func (w *written) text() string {
	w.word(`"`)
	end := bytes.IndexByte(w.rest, '"')
	if end < 0 {
		w.wrong = true
		return ""
	}
	text := w.rest[:end]
	for _, c := range text {
		w.wrong = w.wrong || c < ' ' || c > '~' || c == '\\'
	}
	w.rest = w.rest[end+1:]
	return string(text)
}
