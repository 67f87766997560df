package rules_test

import (
	"testing"

	"gomokud/internal/rules"
)

// boardFrom reads any bytes as a board: two for the sides, then four points a
// byte, row by row.
func boardFrom(data []byte) *rules.Board {
	side := func() int {
		if len(data) == 0 {
			return rules.MinSide
		}
		n := int(data[0]) % (rules.MaxSide - rules.MinSide + 1)
		data = data[1:]
		return rules.MinSide + n
	}
	b := rules.NewBoard(rules.Size{Width: side(), Height: side()})
	i := 0
	for p := range b.Size().All() {
		if i/4 >= len(data) {
			break
		}
		if c := rules.Color(data[i/4] >> (i % 4 * 2) & 3); c == rules.Black || c == rules.White {
			b.Place(p, c)
		}
		i++
	}
	return b
}

// bytesOf is the inverse of boardFrom.
func bytesOf(b *rules.Board) []byte {
	data := []byte{byte(b.Size().Width - rules.MinSide), byte(b.Size().Height - rules.MinSide)}
	i := 0
	for p := range b.Size().All() {
		if i%4 == 0 {
			data = append(data, 0)
		}
		data[len(data)-1] |= byte(b.At(p)) << (i % 4 * 2)
		i++
	}
	return data
}

func FuzzForbidden(f *testing.F) {
	f.Add(bytesOf(parse(f, midgame)))
	for _, c := range recursions(f) {
		f.Add(bytesOf(c.board))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := disagreement(boardFrom(data)); err != nil {
			t.Error(err)
		}
	})
}

func FuzzPoint(f *testing.F) {
	f.Add("h8")
	f.Add("Y25")
	f.Add("a01")
	f.Fuzz(func(t *testing.T, name string) {
		p, err := rules.ParsePoint(name)
		if err != nil {
			return
		}
		if q, err := rules.ParsePoint(p.String()); err != nil || q != p {
			t.Errorf("%q is %v, which is %v, %v", name, p, q, err)
		}
		if len(p.String()) != len(name) {
			t.Errorf("%q was taken for %v", name, p)
		}
	})
}

func FuzzSize(f *testing.F) {
	f.Add("15x15")
	f.Add("05x25")
	f.Fuzz(func(t *testing.T, text string) {
		size, err := rules.ParseSize(text)
		if err == nil && size.String() != text {
			t.Errorf("%q was taken for %v", text, size)
		}
		if err == nil && size.Validate() != nil {
			t.Errorf("%q is no valid size", text)
		}
	})
}

func FuzzBoard(f *testing.F) {
	f.Add(midgame)
	f.Add(".....\n.XO..\n.....\n.....\n....x\n")
	f.Fuzz(func(t *testing.T, drawing string) {
		b, err := rules.ParseBoard(drawing)
		if err != nil {
			return
		}
		if again, err := rules.ParseBoard(b.String()); err != nil || *again != *b {
			t.Errorf("got\n%v%v\nwant\n%v", again, err, b)
		}
	})
}
