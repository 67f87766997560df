package lab

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gomokud/internal/rules"
)

// standings adds up a tournament, by the players' numbers.
type standings struct {
	all    []Standing
	points [][]float64 // what one won against the other
	games  int
}

func newStandings(players []Player) *standings {
	s := &standings{}
	for _, p := range players {
		s.all = append(s.all, Standing{Name: p.Name, Against: map[string]Score{}, Faults: map[string]int{}})
		s.points = append(s.points, make([]float64, len(players)))
	}
	return s
}

// add counts a game.
func (s *standings) add(r Record, black, white int) {
	s.games++
	for side, who := range [2]int{black, white} {
		halves := r.halves([2]rules.Color{rules.Black, rules.White}[side])
		other := [2]int{white, black}[side]
		mine := &s.all[who]
		mine.Score.count(halves)
		against := mine.Against[s.all[other].Name]
		against.count(halves)
		mine.Against[s.all[other].Name] = against
		mine.Work.Add(r.Work[side])
		if r.Reason.Fault() && halves == 0 {
			mine.Faults[string(r.Reason)]++
		}
		s.points[who][other] += float64(halves) / 2
	}
}

// table rates the players.
func (s *standings) table(anchor int, elo float64) (*Table, error) {
	ratings, err := Ratings(s.points, anchor, elo)
	if err != nil {
		return nil, err
	}
	t := &Table{Anchor: s.all[anchor].Name, Standings: slices.Clone(s.all), Games: s.games}
	for i := range t.Standings {
		t.Standings[i].Rating = ratings[i]
	}
	slices.SortStableFunc(t.Standings, func(a, b Standing) int { return cmp.Compare(b.Elo, a.Elo) })
	return t, nil
}

// WriteText writes the table, and how each player did against each other.
func (t *Table) WriteText(w io.Writer) error {
	text := &strings.Builder{}
	columns := tabwriter.NewWriter(text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "player\tElo\t±\tgames\tscore\twon\tdrawn\tlost\ta move\tnodes/s\tdepth\tlate\t")
	for _, s := range t.Standings {
		fmt.Fprintf(columns, "%s\t%.0f\t%.0f\t%d\t%.1f %%\t%d\t%d\t%d\t%v\t%.0f\t%.1f\t%d\t\n",
			s.Name, s.Elo, s.Error, s.Score.Games(), 100*s.Score.Share(), s.Score.Wins, s.Score.Draws, s.Score.Losses,
			s.Work.Mean().Round(10*time.Microsecond), s.Work.Speed(), s.Work.Depth(), s.Work.Overruns)
	}
	columns.Flush() // to a builder, which never fails
	fmt.Fprintf(text, "%d games in %.0f s; the rating of %s was given\n\n", t.Games, t.Seconds, t.Anchor)
	t.writeCrossTable(text)
	for _, s := range t.Standings {
		for why, count := range s.Faults {
			fmt.Fprintf(text, "%s lost %d games by a fault: %s\n", s.Name, count, why)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// writeCrossTable writes each player's points against each other, in per cent.
func (t *Table) writeCrossTable(w io.Writer) {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i := range t.Standings {
		fmt.Fprintf(columns, "\t%d", i+1)
	}
	fmt.Fprintln(columns, "\t")
	for i, s := range t.Standings {
		fmt.Fprintf(columns, "%d %s", i+1, s.Name)
		for _, other := range t.Standings {
			cell := "·"
			if against, played := s.Against[other.Name]; played {
				cell = fmt.Sprintf("%.0f", 100*against.Share())
			}
			fmt.Fprintf(columns, "\t%s", cell)
		}
		fmt.Fprintln(columns, "\t")
	}
	columns.Flush()
}
