package rules_test

import (
	"strings"
	"testing"

	"gomokud/internal/rules"
	"pgregory.net/rapid"
)

func TestBoardDrawing(t *testing.T) {
	drawing := strings.Join([]string{
		". . . . . O",
		". . X . . .",
		". . O X . .",
		". . . . . .",
		"X . . . . .",
		"",
	}, "\n")
	b := parse(t, drawing)
	if got := b.String(); got != drawing {
		t.Errorf("got\n%s\nwant\n%s", got, drawing)
	}
	if got, want := b.Size().String(), "6x5"; got != want {
		t.Errorf("size: got %s, want %s", got, want)
	}
	if got, want := b.Stones(), 5; got != want {
		t.Errorf("stones: got %d, want %d", got, want)
	}
	for name, want := range map[string]rules.Color{
		"a1": rules.Black, "f5": rules.White, "c3": rules.White, "d3": rules.Black, "c4": rules.Black,
		"b1": rules.Empty, "g1": rules.Empty, "a6": rules.Empty,
	} {
		if got := b.At(point(t, name)); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	if sloppy := parse(t, "\n\t.....o\n..x...\r\n. .Ox..\n\n......\n x.....\n"); *sloppy != *b {
		t.Errorf("got\n%v\nwant\n%v", sloppy, b)
	}
}

func TestBoardDrawingErrors(t *testing.T) {
	rows := func(rows ...string) string { return strings.Join(rows, "\n") }
	for name, drawing := range map[string]string{
		"nothing":        " \n",
		"too low":        rows(".....", ".....", ".....", "....."),
		"too narrow":     rows("....", "....", "....", "....", "...."),
		"too wide":       strings.Repeat(strings.Repeat(".", 26)+"\n", 5),
		"too high":       strings.Repeat(".....\n", 26),
		"a short row":    rows(".....", ".....", "....", ".....", "....."),
		"a long row":     rows(".....", ".....", "......", ".....", "....."),
		"no such stone":  rows(".....", ".....", "..?..", ".....", "....."),
		"a letter aside": rows(".....", ".....", "..é.", ".....", "....."),
	} {
		if b, err := rules.ParseBoard(drawing); err == nil {
			t.Errorf("%s: got\n%vwant an error", name, b)
		}
	}
}

func TestBoardPanicsOnTheImpossible(t *testing.T) {
	b := rules.NewBoard(rules.Size{Width: 6, Height: 5})
	p := point(t, "c3")
	b.Place(p, rules.Black)
	before := *b
	mustPanic(t, "a stone on a stone", func() { b.Place(p, rules.White) })
	mustPanic(t, "a stone off the board", func() { b.Place(point(t, "a6"), rules.White) })
	mustPanic(t, "a stone left of the board", func() { b.Place(rules.Point{X: -1}, rules.White) })
	mustPanic(t, "a stone of no colour", func() { b.Place(point(t, "a1"), rules.Empty) })
	mustPanic(t, "no stone to remove", func() { b.Remove(point(t, "a1")) })
	mustPanic(t, "removing off the board", func() { b.Remove(point(t, "y25")) })
	mustPanic(t, "no such board", func() { rules.NewBoard(rules.Size{Width: 4, Height: 5}) })
	if *b != before {
		t.Errorf("a panic changed the board to\n%v", b)
	}
}

// A board is what a map from points to colours is, drawn or not.
func TestBoardIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := sizes().Draw(t, "size")
		b, model := rules.NewBoard(size), map[rules.Point]rules.Color{}
		for range rapid.IntRange(0, 2*size.Points()).Draw(t, "steps") {
			p := points(size).Draw(t, "point")
			if model[p] != rules.Empty {
				b.Remove(p)
				delete(model, p)
				continue
			}
			c := colors().Draw(t, "color")
			clone := b.Clone()
			b.Place(p, c)
			model[p] = c
			if clone.At(p) != rules.Empty {
				t.Fatalf("a stone on %v went to the clone too", p)
			}
		}
		for p := range size.All() {
			if got, want := b.At(p), model[p]; got != want {
				t.Fatalf("%v: got %v, want %v", p, got, want)
			}
		}
		if got, want := b.Stones(), len(model); got != want {
			t.Fatalf("stones: got %d, want %d", got, want)
		}
		if got, want := b.Full(), len(model) == size.Points(); got != want {
			t.Fatalf("full: got %v, want %v", got, want)
		}
		if redrawn, err := rules.ParseBoard(b.String()); err != nil || *redrawn != *b {
			t.Fatalf("drawn and read again: got\n%v%v\nwant\n%v", redrawn, err, b)
		}
	})
}

func TestFullBoard(t *testing.T) {
	b := rules.NewBoard(square(5))
	for p := range b.Size().All() {
		if b.Full() {
			t.Fatalf("full with %v empty", p)
		}
		b.Place(p, rules.White)
	}
	if !b.Full() {
		t.Errorf("not full:\n%v", b)
	}
}
