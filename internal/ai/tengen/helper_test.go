package tengen

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gomokud/internal/ai"
	"gomokud/internal/rules"

	"pgregory.net/rapid"
)

// common has the tables for all tests, which are only read.
var common Library

var allRules = []rules.Rule{rules.Freestyle, rules.Standard, rules.Caro, rules.Renju}

// sides are the rules by colour, where they differ.
var sides = []struct {
	name  string
	rule  rules.Rule
	color color
}{
	{"freestyle", rules.Freestyle, black},
	{"standard", rules.Standard, black},
	{"caro", rules.Caro, black},
	{"renju black", rules.Renju, black},
	{"renju white", rules.Renju, white},
}

func loaded(from ai.Position) *position {
	p := newPosition(common.of(from.Rule), from.Size)
	p.load(from)
	return p
}

// drawn reads a board as rules.ParseBoard does.
func drawn(t testing.TB, rule rules.Rule, toMove rules.Color, drawing string) ai.Position {
	t.Helper()
	b, err := rules.ParseBoard(drawing)
	if err != nil {
		t.Fatal(err)
	}
	return positionOf(b, rule, toMove)
}

func positionOf(b *rules.Board, rule rules.Rule, toMove rules.Color) ai.Position {
	from := ai.Position{Rule: rule, Size: b.Size(), ToMove: toMove}
	for at := range b.Size().All() {
		if c := b.At(at); c != rules.Empty {
			from.Stones = append(from.Stones, ai.Stone{Point: at, Color: c})
		}
	}
	return from
}

// played is the position after moves from the empty board, Black first.
func played(t testing.TB, rule rules.Rule, size rules.Size, moves string) ai.Position {
	t.Helper()
	from := ai.Position{Rule: rule, Size: size, ToMove: rules.Black}
	for name := range strings.FieldsSeq(moves) {
		from.Stones = append(from.Stones, ai.Stone{Point: at(t, name), Color: from.ToMove})
		from.ToMove = from.ToMove.Opponent()
	}
	if err := from.Validate(); err != nil {
		t.Fatal(err)
	}
	return from
}

func at(t testing.TB, name string) rules.Point {
	t.Helper()
	p, err := rules.ParsePoint(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func side(n int) rules.Size { return rules.Size{Width: n, Height: n} }

// text says what a position is, for messages.
func text(from ai.Position) string {
	return fmt.Sprintf("%v, %v to move\n%v", from.Rule, from.ToMove, from.Board())
}

// dense returns random stones of both colours, most of them in a small part of
// the board, so that they make lines; no five is on the board.
func dense(random *rand.Rand, rule rules.Rule, size rules.Size) ai.Position {
	from := ai.Position{Rule: rule, Size: size, ToMove: rules.Black}
	b := rules.NewBoard(size)
	width, height := min(size.Width, 5+random.IntN(6)), min(size.Height, 5+random.IntN(6))
	left, low := random.IntN(size.Width-width+1), random.IntN(size.Height-height+1)
	tilt := 0.3 + 0.4*random.Float64() // part of the stones that are Black's
	for range 2 + random.IntN(width*height*2/3) {
		s := ai.Stone{Point: rules.Point{X: int8(left + random.IntN(width)), Y: int8(low + random.IntN(height))}, Color: rules.White}
		if random.Float64() < tilt {
			s.Color = rules.Black
		}
		if b.At(s.Point) != rules.Empty {
			continue
		}
		b.Place(s.Point, s.Color)
		if rules.Freestyle.Wins(b, s.Point) {
			b.Remove(s.Point)
			continue
		}
		from.Stones = append(from.Stones, s)
	}
	if random.IntN(2) == 0 {
		from.ToMove = rules.White
	}
	return from
}

// someSize returns one of all sizes, the common one more often.
func someSize(random *rand.Rand) rules.Size {
	if random.IntN(3) == 0 {
		return side(15)
	}
	one := func() int { return rules.MinSide + random.IntN(rules.MaxSide-rules.MinSide+1) }
	return rules.Size{Width: one(), Height: one()}
}

// source is a generator of random numbers that rapid can repeat.
func source(t *rapid.T) *rand.Rand {
	return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
}

// record is a problem in a file, one JSON value a line.
type record struct {
	ID            string        `json:"id"`
	Rule          rules.Rule    `json:"rule"`
	Size          int           `json:"size"`
	ToMove        rules.Color   `json:"to_move"`
	Black         []rules.Point `json:"black"`
	White         []rules.Point `json:"white"`
	AttackerMoves int           `json:"attacker_moves"`
	ThreatMoves   int           `json:"threat_moves,omitempty"`
}

func (r record) position() ai.Position {
	from := ai.Position{Rule: r.Rule, Size: side(r.Size), ToMove: r.ToMove}
	for _, p := range r.Black {
		from.Stones = append(from.Stones, ai.Stone{Point: p, Color: rules.Black})
	}
	for _, p := range r.White {
		from.Stones = append(from.Stones, ai.Stone{Point: p, Color: rules.White})
	}
	return from
}

// published reads a file of published positions. They are kept beside the
// repository, not in it.
func published(t testing.TB, name string) []record {
	t.Helper()
	folder := filepath.Join("..", "..", "..", "..", "shared", "testdata")
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no published positions: %s does not exist", folder)
	}
	return records(t, filepath.Join(folder, name))
}

func records(t testing.TB, file string) []record {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []record
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s: record %d: %v", file, len(all)+1, err)
		}
		all = append(all, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatalf("%s: no records", file)
	}
	return all
}
