package session

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTokens(t *testing.T) {
	s, err := NewSigner([]byte("0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	other, _ := NewSigner([]byte("fedcba9876543210"))
	now := time.Unix(1_764_000_000, 0)
	p := Player{ID: "p1", Name: "Quiet Crane"}
	good := s.Sign(p, Identity, now.Add(time.Hour))
	body, sig, _ := strings.Cut(good, ".")

	for _, tt := range []struct {
		name, token string
		use         Purpose
		at          time.Time
		want        error
	}{
		{"good", good, Identity, now, nil},
		{"a second before its end", good, Identity, now.Add(time.Hour - time.Second), nil},
		{"at its end", good, Identity, now.Add(time.Hour), ErrExpired},
		{"for another purpose", good, Transfer, now, ErrForged},
		{"by another key", other.Sign(p, Identity, now.Add(time.Hour)), Identity, now, ErrForged},
		{"empty", "", Identity, now, ErrForged},
		{"no signature", body, Identity, now, ErrForged},
		{"empty signature", body + ".", Identity, now, ErrForged},
		{"another body", "e30." + sig, Identity, now, ErrForged},
		{"a byte more", good + "A", Identity, now, ErrForged},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := s.Verify(tt.token, tt.use, tt.at)
			if !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
				t.Fatalf("Verify: %v, want %v", err, tt.want)
			}
			if err == nil && got != p {
				t.Errorf("player %v, want %v", got, p)
			}
		})
	}
	if _, err := NewSigner([]byte("short")); err == nil {
		t.Error("a short key was taken")
	}
}

func TestNoBitOfATokenMayChange(t *testing.T) {
	s, _ := NewSigner([]byte("0123456789abcdef"))
	now := time.Unix(1_764_000_000, 0)
	p := Player{ID: "p1", Name: "Quiet Crane"}
	good := s.Sign(p, Identity, now.Add(time.Hour))
	rapid.Check(t, func(t *rapid.T) {
		bad := []byte(good)
		i := rapid.IntRange(0, len(bad)-1).Draw(t, "byte")
		bad[i] ^= byte(rapid.IntRange(1, 255).Draw(t, "change"))
		got, err := s.Verify(string(bad), Identity, now)
		if err == nil && got != p { // the last character has unused bits
			t.Fatalf("changed byte %d: became %v", i, got)
		}
	})
}

func TestCleanName(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"Ada", "Ada"},
		{"  Ada   Lovelace ", "Ada Lovelace"},
		{"五子棋", "五子棋"},
		{"O'Brien-Smith_2.0", "O'Brien-Smith_2.0"},
		{"Åsa", "Åsa"}, // decomposed on the way in
		{"Nguyễn", "Nguyễn"},
		{"A", ""},
		{strings.Repeat("a", 21), ""},
		{"", ""}, {"   ", ""}, {"--", ""},
		{"evil\u202etxt", ""}, {"nul\x00l", ""}, {"tab\tbed", "tab bed"}, {"zero\u200bwidth", ""},
		{"<b>bold</b>", ""}, {"a\xffb", ""}, {"smile😀", ""},
		{"Z̸̡̢̛̼̲a", ""},
		{"Botvinnik", "Botvinnik"}, {"Robot 9", "Robot 9"},
		{"Bot Five", ""}, {"bot 9", ""}, {"bot9", ""}, {"BOT-9", ""}, {"Bot", ""}, {"_bot_", ""}, {"- Bot 9", ""},
	} {
		got, err := CleanName(tt.in)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("CleanName(%q) = %q, %v; want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestCleanNameIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		clean, err := CleanName(name)
		if err != nil {
			return
		}
		if again, err := CleanName(clean); err != nil || again != clean {
			t.Fatalf("cleaning %q again: %q, %v", clean, again, err)
		}
	})
}

func TestGuestsHaveGoodNames(t *testing.T) {
	ids := map[string]bool{}
	for range 500 {
		g := NewGuest()
		if clean, err := CleanName(g.Name); err != nil || clean != g.Name {
			t.Fatalf("guest name %q: %v", g.Name, err)
		}
		if len(g.ID) != 12 || ids[g.ID] {
			t.Fatalf("bad or doubled id %q", g.ID)
		}
		ids[g.ID] = true
	}
}
