package lab_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gomokud/internal/ai"
	"gomokud/internal/lab"
	"gomokud/internal/rules"
)

// images returns the drawings of a position under all symmetries of the board.
func images(o lab.Opening, size rules.Size) []string {
	var all []string
	for k := range 8 {
		if k&4 == 0 || size.Width == size.Height {
			all = append(all, o.Turned(k, size).Position(rules.Freestyle, size).Board().String())
		}
	}
	return all
}

func TestOpeningsAreBalancedInForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom([]rules.Rule{rules.Freestyle, rules.Standard, rules.Caro, rules.Renju}).Draw(t, "rule")
		side := rapid.IntRange(rules.MinSide, rules.MaxSide)
		size := rules.Size{Width: side.Draw(t, "width"), Height: side.Draw(t, "height")}
		all, err := lab.DrawOpenings(context.Background(), rule, size, 20, rapid.Uint64().Draw(t, "seed"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(all) != 20 {
			t.Errorf("only %d openings", len(all))
		}
		seen := map[string]lab.Opening{}
		for _, o := range all {
			if len(o) < 3 || len(o) > 6 {
				t.Errorf("%v has %d stones", o, len(o))
			}
			if err := o.Validate(rule, size); err != nil {
				t.Error(err)
			}
			if rule == rules.Renju && o[0] != size.Center() {
				t.Errorf("%v does not begin in the centre", o)
			}
			drawings := images(o, size)
			if twin, twice := seen[drawings[0]]; twice {
				t.Errorf("%v is %v, turned", o, twin)
			}
			for _, d := range drawings {
				seen[d] = o
			}
			for _, p := range o {
				c := size.Center()
				if far := max(p.X-c.X, c.X-p.X, p.Y-c.Y, c.Y-p.Y); far > 4 {
					t.Errorf("%v: %v is %d from the centre", o, p, far)
				}
			}
		}
	})
}

func TestOpeningsFollowFromTheSeed(t *testing.T) {
	drawn := func(n int, seed uint64) []lab.Opening {
		all, err := lab.DrawOpenings(t.Context(), rules.Standard, square(15), n, seed, nil)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	many, few, others := drawn(60, 1), drawn(10, 1), drawn(60, 2)
	if fmt.Sprint(few) != fmt.Sprint(many[:10]) {
		t.Errorf("%v, and of more %v", few, many[:10])
	}
	if fmt.Sprint(many) == fmt.Sprint(others) {
		t.Error("two seeds, one list")
	}
}

func TestTheJudgeDecides(t *testing.T) {
	// An engine for which every stone is worth 20, and five are a forced win.
	judge := lab.ScoreJudge(func() ai.Engine {
		return engine(func(_ context.Context, p ai.Position, b ai.Budget) (ai.Thought, error) {
			if b.Nodes != 7 {
				t.Errorf("the budget is %+v", b)
			}
			thought := ai.Thought{Score: -20 * len(p.Stones)}
			if len(p.Stones) == 5 {
				thought = ai.Thought{Mate: 3}
			}
			return thought, nil
		})
	}, ai.Budget{Nodes: 7}, 80)
	all, err := lab.DrawOpenings(t.Context(), rules.Freestyle, square(15), 40, 1, judge)
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[int]int{}
	for _, o := range all {
		sizes[len(o)]++
	}
	if sizes[3] == 0 || sizes[4] == 0 || len(sizes) != 2 || len(all) != 40 {
		t.Errorf("openings by stones: %v; want those of 3 and 4", sizes)
	}
	never := func(context.Context, ai.Position) (bool, error) { return false, nil }
	if all, err := lab.DrawOpenings(t.Context(), rules.Freestyle, square(15), 4, 1, never); err == nil {
		t.Errorf("openings that no judge liked: %v", all)
	}
	broken := errors.New("broken")
	fails := func(context.Context, ai.Position) (bool, error) { return false, broken }
	if _, err := lab.DrawOpenings(t.Context(), rules.Freestyle, square(15), 4, 1, fails); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	panics := lab.ScoreJudge(func() ai.Engine {
		return engine(func(context.Context, ai.Position, ai.Budget) (ai.Thought, error) { panic("out of bounds") })
	}, ai.Budget{}, 80)
	_, err = lab.DrawOpenings(t.Context(), rules.Freestyle, square(15), 4, 1, panics)
	if err == nil || !strings.Contains(err.Error(), "out of bounds") {
		t.Errorf("error %v", err)
	}
}

func TestOpeningsAreReadAsTheyAreWritten(t *testing.T) {
	all, err := lab.DrawOpenings(t.Context(), rules.Renju, square(15), 30, 5, nil)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("# drawn\n\n")
	for _, o := range all {
		fmt.Fprintf(&text, "%v # %d stones\n", o, len(o))
	}
	read, err := lab.ReadOpenings(strings.NewReader(text.String()), rules.Renju, square(15))
	if err != nil || !slices.EqualFunc(all, read, slices.Equal) {
		t.Errorf("%v, %v; want %v", read, err, all)
	}
}

func TestBadOpeningsAreRefused(t *testing.T) {
	for _, text := range []string{
		"", "# nothing", "h8 nowhere", "h8 h8", "p1", "a1 b1 a2 b2 a3 b3 a4 b4 a5",
		"d5 a9 f5 h9 e4 a1 e6 h1 e5", // a double three
	} {
		if all, err := lab.ReadOpenings(strings.NewReader(text), rules.Renju, square(15)); err == nil {
			t.Errorf("%q is read as %v", text, all)
		}
	}
}
