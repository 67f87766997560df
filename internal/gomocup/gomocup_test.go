package gomocup

import (
	"errors"
	"testing"

	"gomokud/internal/rules"
)

func TestPoints(t *testing.T) {
	small, wide := rules.Size{Width: 15, Height: 15}, rules.Size{Width: 25, Height: 5}
	for _, c := range []struct {
		size rules.Size
		name string
		text string
	}{
		{small, "h8", "7,7"},
		{small, "a1", "0,14"}, // y is downwards
		{small, "a15", "0,0"},
		{small, "o1", "14,14"},
		{wide, "y5", "24,0"},
		{wide, "y1", "24,4"},
		{rules.Size{Width: 20, Height: 20}, "k10", "10,10"}, // the centre
	} {
		p, err := rules.ParsePoint(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := FormatPoint(c.size, p); got != c.text {
			t.Errorf("%s on %v is written %q, want %q", c.name, c.size, got, c.text)
		}
		if got, err := ParsePoint(c.size, c.text); got != p || err != nil {
			t.Errorf("%q on %v is %v (%v), want %s", c.text, c.size, got, err, c.name)
		}
	}
}

func TestEveryPointIsReadAsItIsWritten(t *testing.T) {
	for w := rules.MinSide; w <= rules.MaxSide; w++ {
		for h := rules.MinSide; h <= rules.MaxSide; h++ {
			size, seen := rules.Size{Width: w, Height: h}, map[string]bool{}
			for p := range size.All() {
				text := FormatPoint(size, p)
				if got, err := ParsePoint(size, text); got != p || err != nil || seen[text] {
					t.Fatalf("%v on %v: %q, which is %v (%v)", p, size, text, got, err)
				}
				seen[text] = true
			}
		}
	}
}

func TestBadPoints(t *testing.T) {
	size := rules.Size{Width: 15, Height: 10}
	if p, err := ParsePoint(size, " 3 ,\t4 "); err != nil || p != (rules.Point{X: 3, Y: 5}) {
		t.Errorf("spaces: %v, %v", p, err)
	}
	for _, text := range []string{
		"", ",", "7", "7,", ",7", "7 7", "7;7", "h8", "15,0", "0,10", "-1,-1", "-1,0", "7,7,1", "7,7 8,8", "7.0,7", "0x7,7",
		"99999999999999999999,0", "263,0", // 256 + 7
	} {
		if p, err := ParsePoint(size, text); !errors.Is(err, ErrPoint) {
			t.Errorf("%q is %v (%v)", text, p, err)
		}
	}
}

func TestRules(t *testing.T) {
	for rule, number := range map[rules.Rule]int{rules.Freestyle: 0, rules.Standard: 1, rules.Renju: 4, rules.Caro: 9} {
		if got := RuleNumber(rule); got != number {
			t.Errorf("%v has number %d, want %d", rule, got, number)
		}
		if got, ok := ParseRule(number); got != rule || !ok {
			t.Errorf("%d is %v (%v), want %v", number, got, ok, rule)
		}
	}
	if got, ok := ParseRule(2); got != rules.Renju || !ok { // Yixin's
		t.Errorf("2 is %v (%v)", got, ok)
	}
	for _, number := range []int{-1, 3, 8, 10, 16, 1 << 20} {
		if got, ok := ParseRule(number); ok || got != rules.Freestyle {
			t.Errorf("%d is %v (%v)", number, got, ok)
		}
	}
}
