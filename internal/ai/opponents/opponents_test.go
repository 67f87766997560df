package opponents

import (
	"regexp"
	"testing"
)

func TestEveryOpponentIsPresentable(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9-]{1,32}$`)
	seen := map[string]string{}
	for _, o := range All(nil) {
		for _, text := range []string{o.Name, o.Title, o.About} {
			if text == "" {
				t.Errorf("%+v lacks a name, a title or a sentence", o)
			} else if other := seen[text]; other != "" {
				t.Errorf("%s and %s share %q", other, o.Name, text)
			}
			seen[text] = o.Name
		}
		if !name.MatchString(o.Name) {
			t.Errorf("the name %q does not fit into a command", o.Name)
		}
		if found, ok := Find(o.Name, nil); !ok || found.Title != o.Title {
			t.Errorf("Find(%q) = %q, %v", o.Name, found.Title, ok)
		}
	}
	if _, ok := Find("nobody", nil); ok {
		t.Error("nobody was found")
	}
}

func TestLevelsRiseFromOneToTen(t *testing.T) {
	all := All(nil)
	for i := range 10 {
		if all[i].Level != i+1 {
			t.Errorf("opponent %d has level %d", i, all[i].Level)
		}
		if i > 0 && all[i].Elo < all[i-1].Elo {
			t.Errorf("%s has %d Elo, less than the %d of the level below", all[i].Name, all[i].Elo, all[i-1].Elo)
		}
	}
	for _, o := range all[10:] {
		if o.Level != 0 {
			t.Errorf("%s has level %d, though it is not our engine", o.Name, o.Level)
		}
	}
}
