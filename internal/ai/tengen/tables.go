package tengen

import (
	"fmt"
	"io"
	"math/rand/v2"
	"sync"

	"gomokud/internal/rules"
)

type color uint8

const (
	black color = iota
	white
)

func colorOf(c rules.Color) color {
	if c == rules.White {
		return white
	}
	return black
}

func (c color) stone() rules.Color {
	if c == white {
		return rules.White
	}
	return rules.Black
}

// tables is everything that holds for all positions of a rule. It is made once
// and only read.
type tables struct {
	rule       rules.Rule
	sight      int
	lines      *lines
	class      [2][1 << 16]class // by code
	weights    *weights
	situation  *[threatSets]uint8 // by set of threats
	network    *network           // nil while there is none
	related    *relationOf
	reductions *reductions
	keys       [2][squares]uint64 // Zobrist keys
	turn       uint64
}

func newTables(rule rules.Rule) *tables {
	t := &tables{rule: rule, sight: sight(rule), lines: newLines(rule), weights: newWeights(rule), situation: newSituations(), related: newRelationOf(), reductions: newReductions()}
	for c := range t.class {
		fouls := customOf(rule, color(c)).fouls
		for i := range t.class[c] {
			t.class[c][i] = classify(code(i), fouls)
		}
	}
	if n, err := loadNetwork(rule); err == nil {
		t.network = n
	}
	random := rand.New(rand.NewPCG(uint64(rule), 5))
	for c := range t.keys {
		for s := range t.keys[c] {
			t.keys[c][s] = random.Uint64()
		}
	}
	t.turn = random.Uint64()
	return t
}

// Library holds the tables of each rule, made when they are first asked for. It
// may be shared by engines; the zero value is ready.
type Library struct {
	once   [rules.Renju + 1]sync.Once
	tables [rules.Renju + 1]*tables
}

// Prepare makes the tables of all rules, which takes some tens of milliseconds
// each.
func (l *Library) Prepare() {
	for rule := range rules.Renju + 1 {
		l.of(rule)
	}
}

func (l *Library) of(rule rules.Rule) *tables {
	l.once[rule].Do(func() { l.tables[rule] = newTables(rule) })
	return l.tables[rule]
}

// Teach replaces the network of a rule by what a Trainer wrote. It is for before
// anybody thinks.
func (l *Library) Teach(rule rules.Rule, network io.Reader) error {
	n, err := readNetwork(network, rule != rules.Renju)
	if err != nil {
		return fmt.Errorf("teach %v: %w", rule, err)
	}
	l.of(rule).network = n
	return nil
}
