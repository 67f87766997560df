package rules_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gomokud/internal/rules"
)

func TestPointNames(t *testing.T) {
	for _, tt := range []struct {
		point rules.Point
		name  string
	}{
		{rules.Point{X: 0, Y: 0}, "a1"},
		{rules.Point{X: 7, Y: 7}, "h8"},
		{rules.Point{X: 8, Y: 8}, "i9"}, // i is not skipped
		{rules.Point{X: 14, Y: 14}, "o15"},
		{rules.Point{X: 24, Y: 24}, "y25"},
		{rules.Point{X: 24, Y: 9}, "y10"},
	} {
		if got := tt.point.String(); got != tt.name {
			t.Errorf("String of %d,%d: got %q, want %q", tt.point.X, tt.point.Y, got, tt.name)
		}
		for _, name := range []string{tt.name, strings.ToUpper(tt.name)} {
			if got, err := rules.ParsePoint(name); err != nil || got != tt.point {
				t.Errorf("ParsePoint(%q): got %v, %v; want %v", name, got, err, tt.point)
			}
		}
	}
}

func TestPointErrors(t *testing.T) {
	for _, name := range []string{
		"", "h", "8", "hh", "8h", "h0", "h08", "h008", "h26", "h99", "h100", "z1", "@1", "`1", "{1",
		" h8", "h8 ", "h 8", "h+8", "h-8", "h8.", "hh8", "é1", "h٨",
	} {
		if got, err := rules.ParsePoint(name); err == nil {
			t.Errorf("ParsePoint(%q): got %v, want an error", name, got)
		}
	}
	for _, p := range []rules.Point{{X: -1, Y: 0}, {X: 0, Y: -1}, {X: 25, Y: 0}, {X: 0, Y: 25}} {
		if text, err := p.MarshalText(); err == nil {
			t.Errorf("MarshalText of a point off every board: got %q, want an error", text)
		}
	}
	if got, want := (rules.Point{X: -1, Y: 25}).String(), "Point(-1,25)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSizes(t *testing.T) {
	for _, tt := range []struct {
		text   string
		points int
		center string
	}{
		{"5x5", 25, "c3"},
		{"15x15", 225, "h8"},
		{"19x19", 361, "j10"},
		{"20x20", 400, "k10"},
		{"25x25", 625, "m13"},
		{"20x5", 100, "k3"},
		{"5x12", 60, "c6"},
	} {
		size, err := rules.ParseSize(tt.text)
		if err != nil {
			t.Errorf("ParseSize(%q): %v", tt.text, err)
		}
		if got := size.String(); got != tt.text {
			t.Errorf("String: got %q, want %q", got, tt.text)
		}
		if got := size.Points(); got != tt.points {
			t.Errorf("%v: %d points, want %d", size, got, tt.points)
		}
		if got := size.Center().String(); got != tt.center {
			t.Errorf("%v: centre on %s, want %s", size, got, tt.center)
		}
	}
	for _, text := range []string{
		"", "15", "x", "15x", "x15", "4x15", "15x4", "26x15", "15x26", "0x0", "-5x5", "+5x5",
		"05x5", "15X15", "15 x 15", "15x15x15", "15*15", "99999999999999999999x5",
	} {
		if size, err := rules.ParseSize(text); err == nil {
			t.Errorf("ParseSize(%q): got %v, want an error", text, size)
		}
	}
	if text, err := (rules.Size{}).MarshalText(); err == nil {
		t.Errorf("MarshalText of no size: got %q, want an error", text)
	}
}

func TestSizeAll(t *testing.T) {
	size := rules.Size{Width: 6, Height: 5}
	var all []string
	for p := range size.All() {
		if !size.Contains(p) {
			t.Errorf("%v is not on the board", p)
		}
		all = append(all, p.String())
		if p.String() == "b2" {
			break
		}
	}
	if got, want := strings.Join(all, " "), "a1 b1 c1 d1 e1 f1 a2 b2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, p := range []rules.Point{{X: -1, Y: 0}, {X: 0, Y: -1}, {X: 6, Y: 0}, {X: 0, Y: 5}} {
		if size.Contains(p) {
			t.Errorf("%v contains %v", size, p)
		}
	}
}

func TestJSON(t *testing.T) {
	type everything struct {
		Side  rules.Color
		Point rules.Point
		Size  rules.Size
		Rules map[rules.Rule]rules.Foul
	}
	for _, text := range []string{
		`{"Side":"black","Point":"h8","Size":"15x15","Rules":{"freestyle":"","renju":"double-three"}}`,
		`{"Side":"white","Point":"y25","Size":"25x5","Rules":{"caro":"overline","standard":"double-four"}}`,
	} {
		var v everything
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(v); err != nil || string(got) != text {
			t.Errorf("got %s, %v; want %s", got, err, text)
		}
	}
	for _, text := range []string{
		`{"Side":"empty"}`, `{"Side":""}`, `{"Side":"Black"}`, `{"Point":""}`, `{"Size":"1x1"}`,
		`{"Rules":{"gomoku":""}}`, `{"Rules":{"renju":"three-three"}}`,
	} {
		if err := json.Unmarshal([]byte(text), new(everything)); err == nil {
			t.Errorf("%s: want an error", text)
		}
	}
	for _, v := range []any{rules.Color(3), rules.Rule(4), rules.Foul(4)} {
		if text, err := json.Marshal(v); err == nil {
			t.Errorf("%v: got %s, want an error", v, text)
		}
	}
}

func TestColors(t *testing.T) {
	for _, tt := range []struct {
		color, opponent rules.Color
		name            string
	}{
		{rules.Black, rules.White, "black"},
		{rules.White, rules.Black, "white"},
		{rules.Empty, rules.Empty, "empty"},
	} {
		if got := tt.color.Opponent(); got != tt.opponent {
			t.Errorf("opponent of %v: got %v, want %v", tt.color, got, tt.opponent)
		}
		if got := tt.color.String(); got != tt.name {
			t.Errorf("got %q, want %q", got, tt.name)
		}
	}
}
