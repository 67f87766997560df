package tengen

import (
	"strings"
	"testing"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// A line is drawn from left to right: * the point, o own stones, x the
// opponent's, _ empty, | the edge. Beyond a drawing without an edge the line is
// empty.
func TestPatternsOfDrawnLines(t *testing.T) {
	all := func(p pattern) [5]pattern { return [5]pattern{p, p, p, p, p} }
	for _, c := range []struct {
		line string
		want [5]pattern // by sides: freestyle, standard, caro, renju's Black, its White
	}{
		// Rows of five and more.
		{"oooo*", all(five)},
		{"oo*oo", all(five)},
		{"|oooo*|", all(five)},
		{"xoooo*_", all(five)},
		{"xoooo*x", [5]pattern{five, five, dead, five, five}},
		{"xoo*oox", [5]pattern{five, five, dead, five, five}},
		{"|oooo*x", all(five)}, // the edge stops nothing
		{"ooooo*", [5]pattern{five, dead, dead, fouled, five}},
		{"oo*ooo", [5]pattern{five, dead, dead, fouled, five}},
		{"oooo*oooo", [5]pattern{five, dead, dead, fouled, five}},
		{"xoo*ooox", [5]pattern{five, dead, dead, fouled, five}},

		// Fours.
		{"ooo*", all(openFour)},
		{"o*oo", all(openFour)},
		{"xooo*_", all(four)},
		{"|ooo*_", all(four)},
		{"|_ooo*|", all(four)},
		{"oo_o*", all(four)},
		{"o_oo*", all(four)},
		{"o*_oo", all(four)},
		{"xo*_oox", [5]pattern{four, four, dead, four, four}},
		{"xooo*_x", [5]pattern{four, four, dead, four, four}},
		{"xoo*_o_x", all(four)},
		{"xooo*x", all(dead)},
		// Under caro a stone at one end stops the five at the other as well.
		{"_ooo*_x", [5]pattern{openFour, openFour, four, openFour, openFour}},
		{"x_ooo*_x", [5]pattern{openFour, openFour, four, openFour, openFour}},
		{"|_ooo*_|", all(openFour)},
		{"o_o*o_ox", [5]pattern{openFour, openFour, four, fouled, openFour}},
		// A sixth stone spoils an end.
		{"o_ooo*_", [5]pattern{openFour, four, four, four, openFour}},
		{"o_ooo*_o", [5]pattern{openFour, dead, dead, dead, openFour}},
		{"o_ooo*x", [5]pattern{four, dead, dead, dead, four}},
		// Two fours in one line.
		{"o_o*o_o", [5]pattern{openFour, openFour, openFour, fouled, openFour}},
		{"oo_*o_oo", [5]pattern{openFour, openFour, openFour, fouled, openFour}},
		{"ooo_*_ooo", [5]pattern{openFour, openFour, openFour, fouled, openFour}},

		// Threes.
		{"oo*", all(open3)},
		{"o_o*", all(open3s)},
		{"oo_*", all(open3s)},
		{"xoo*_", all(closed3)},
		{"|oo*_", all(closed3)},
		{"oo__*", all(closed3)},
		{"xoo*x", all(dead)},
		{"xoo*_x", all(dead)},
		{"|oo*__|", all(closed3)},
		{"x_oo*_x", [5]pattern{closed3, closed3, dead, closed3, closed3}},
		{"|_oo*_|", all(closed3)},

		// Less.
		{"*o", all(open2a)},
		{"_o__*____", all(open2)},
		{"*", all(open1)},
		{"x*o_", all(closed2)},
		{"|*o_", all(closed2)},
		{"x*_x", all(dead)},
		{"|__*__|", all(closed1)},
		{"x__*__x", [5]pattern{closed1, closed1, dead, closed1, closed1}},
	} {
		for i, s := range sides {
			for d, name := range [directions]string{"across", "up", "rising", "falling"} {
				p, star := lined(s.rule, s.color, c.line, d)
				if got := p.points[star].code[s.color].pattern(d); got != c.want[i] {
					t.Errorf("%s, %s, %s: pattern %d, want %d", c.line, s.name, name, got, c.want[i])
				}
			}
		}
	}
}

// lined puts a drawn line on a board in one of the directions.
func lined(rule rules.Rule, own color, line string, d int) (*position, square) {
	inner := strings.Trim(line, "|")
	first, long := 0, rules.MaxSide
	switch left, right := line[0] == '|', line[len(line)-1] == '|'; {
	case left && right:
		long = max(len(inner), rules.MinSide)
	case right:
		first = long - len(inner)
	case !left:
		first = (long - len(inner)) / 2
	}
	size := rules.Size{Width: long, Height: rules.MaxSide}
	place := func(i int) rules.Point { return rules.Point{X: int8(i), Y: rules.MaxSide / 2} }
	switch d {
	case 1:
		size.Width, size.Height = size.Height, size.Width
		place = func(i int) rules.Point { return rules.Point{X: rules.MaxSide / 2, Y: int8(i)} }
	case 2:
		place = func(i int) rules.Point { return rules.Point{X: int8(i), Y: int8(i)} }
	case 3:
		place = func(i int) rules.Point { return rules.Point{X: int8(i), Y: int8(rules.MaxSide - 1 - i)} }
	}
	from := ai.Position{Rule: rule, Size: size, ToMove: own.stone()}
	star := nowhere
	for i, c := range inner {
		at := place(first + i)
		switch c {
		case '*':
			star = squareOf(at)
		case 'o':
			from.Stones = append(from.Stones, ai.Stone{Point: at, Color: own.stone()})
		case 'x':
			from.Stones = append(from.Stones, ai.Stone{Point: at, Color: own.stone().Opponent()})
		}
	}
	return loaded(from), star
}
