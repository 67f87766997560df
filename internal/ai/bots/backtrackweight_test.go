package bots

import (
	"strings"
	"testing"

	"gomokud/internal/rules"
)

// cross counts the lines through a point, which are drawn one by one as rows, as
// the side sees them and as its opponent does.
func cross(t *testing.T, side rules.Color, rows []string) (own, their lines) {
	t.Helper()
	var ours, theirs [4]outlook
	for i, drawing := range rows {
		if side == rules.White {
			drawing = strings.NewReplacer("a", "x", "x", "a").Replace(drawing)
		}
		b, at := row(t, drawing)
		s := studied(t, rules.Freestyle, b)
		ours[i] = s.outlooks(at, side)[alongRow]
		theirs[i] = s.outlooks(at, side.Opponent())[alongRow]
	}
	return made(&ours), threatened(&theirs)
}

func TestTheRowsOfTheWeightTable(t *testing.T) {
	for _, tt := range []struct {
		name string
		rows []string // 'a' is the side's, 'x' the opponent's
		want int
	}{
		{"a five", []string{"aaaa*____"}, 150_000},
		{"its own five before the opponent's", []string{"xxxx*____", "aa*aa____"}, 150_000},
		{"the opponent's five", []string{"xxxx*____"}, 140_000},
		{"the opponent's five before an open four", []string{"__aaa*___", "xxxx*____"}, 140_000},
		{"an open four", []string{"__aaa*___"}, 130_000},
		{"two fours", []string{"xaaa*____", "aa_*a____"}, 130_000},
		{"a four and an open three", []string{"xaaa*____", "__aa*____"}, 120_000},
		{"a four and a three", []string{"xaaa*____", "xaa*_____"}, 110_000},
		{"before the opponent's open four", []string{"xaaa*____", "xaa*_____", "__xxx*___"}, 110_000},
		{"the opponent's open four", []string{"__xxx*___"}, 100_000},
		{"the opponent's two fours", []string{"axxx*____", "xx_*x____"}, 100_000},
		{"before a four of one's own", []string{"__xxx*___", "xaaa*____"}, 100_000},
		{"the opponent's four and open three", []string{"axxx*____", "__xx*____"}, 90_000},
		{"even where the three lasts", []string{"axxx*____", "____xx_*_____"}, 90_000},
		{"two open threes of the opponent's", []string{"__xx*____", "__x*x____"}, 80_000},
		{"the opponent's four and three", []string{"axxx*____", "axx*_____"}, 70_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, side := range []rules.Color{rules.Black, rules.White} {
				own, their := cross(t, side, tt.rows)
				if got := weight(&own, &their); got != tt.want {
					t.Errorf("%q are worth %d for %v, want %d", tt.rows, got, side, tt.want)
				}
			}
		})
	}
}

func TestALineThatIsNoRowOfTheTableCountsByItsStones(t *testing.T) {
	for _, tt := range []struct {
		stones     uint8
		active     bool
		own, their int
	}{
		{4, false, 5000, 1000},
		{3, true, 5000, 1000},
		{3, false, 1000, 200},
		{2, true, 1000, 200},
		{2, false, 200, 40},
		{1, true, 200, 40},
		{1, false, 40, 8},
		{0, false, 0, 0},
	} {
		var line, none lines
		line.add(tt.stones, tt.active)
		if own, their := weight(&line, &none), weight(&none, &line); own != tt.own || their != tt.their {
			t.Errorf("%d stones, active %v: %d and %d, want %d and %d", tt.stones, tt.active, own, their, tt.own, tt.their)
		}
	}
}

func TestWhatLinesAreWorthWithoutARowIsAddedUp(t *testing.T) {
	most := lines{active: [6]int{3: 4}}
	if got := weight(&most, &lines{activeThree: 4, active: [6]int{3: 1, 2: 3}}); got != 4*5000+1000+3*200 {
		t.Errorf("four open threes against one are worth %d", got)
	}
	if got := 5*most.sum() + most.sum(); got >= stopsFourAndThree {
		t.Errorf("a sum may be %d, more than the table's last row", got)
	}
}

func TestOnlyAThreeThatTheStoneBreaksIsStopped(t *testing.T) {
	broken, lasting := "____xx*______", "____xx_*_____"
	for _, tt := range []struct {
		rows []string
		want bool
	}{
		{[]string{broken, broken}, true},
		{[]string{broken, lasting}, false},
		{[]string{lasting, lasting}, false},
	} {
		own, their := cross(t, rules.Black, tt.rows)
		if got := weight(&own, &their) == stopsOpenThrees; got != tt.want {
			t.Errorf("%q: two threes are stopped is %v, want %v", tt.rows, got, tt.want)
		}
	}
}

func TestAPointForbiddenToTheOpponentIsNoDanger(t *testing.T) {
	const twoFours = `
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . O . . . . . . .
		. . . X . . . . . . .
		. . . X . . . . . . .
		. . . X . . . . . . .
		O X X . X . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .`
	at, err := rules.ParsePoint("d5")
	if err != nil {
		t.Fatal(err)
	}
	b, err := rules.ParseBoard(twoFours)
	if err != nil {
		t.Fatal(err)
	}
	if got := studied(t, rules.Freestyle, b).weightAt(at, rules.White); got != stopsOpenFour {
		t.Errorf("under freestyle it is worth %d, want %d", got, stopsOpenFour)
	}
	s := studied(t, rules.Renju, b)
	own := made(s.outlooks(at, rules.White))
	if got, want := s.weightAt(at, rules.White), 5*own.sum(); got != want {
		t.Errorf("under renju it is worth %d, want what it makes, %d", got, want)
	}
}
