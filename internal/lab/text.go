package lab

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// String says in a line how the game went.
func (r Record) String() string {
	text := fmt.Sprintf("%s - %s %s, %s, %d stones", r.Black, r.White, r.Result, r.Reason, len(r.Moves))
	if detail, _, _ := strings.Cut(r.Detail, "\n"); detail != "" {
		text += " (" + detail + ")"
	}
	return text
}

// String writes the difference with its interval, such as "+35 [-2, +73]".
func (e Estimate) String() string {
	return fmt.Sprintf("%+.0f [%+.0f, %+.0f]", e.Elo, e.Low, e.High)
}

// String writes wins, draws and losses, and the share of the points.
func (s Score) String() string {
	return fmt.Sprintf("+%d =%d -%d, %.1f %%", s.Wins, s.Draws, s.Losses, 100*s.Share())
}

// String says in a line how the match stands.
func (r *MatchResult) String() string {
	text := fmt.Sprintf("%s against %s: %v, Elo %v", r.A, r.B, r.Score, r.Elo)
	if r.Test != (SPRT{}) {
		text += fmt.Sprintf(", LLR %+.2f", r.Ratio)
	}
	return text
}

// String says in a line what the moves have cost.
func (w Work) String() string {
	text := fmt.Sprintf("%v a move, %v at most, %.0f nodes/s, depth %.1f",
		w.Mean().Round(10*time.Microsecond), w.Longest.Round(10*time.Microsecond), w.Speed(), w.Depth())
	if w.Overruns > 0 {
		text += fmt.Sprintf(", %d of %d moves late, by %v at most", w.Overruns, w.Moves, w.Latest.Round(10*time.Microsecond))
		text += fmt.Sprintf(", %d of them for want of a processor", w.HeldUp)
	}
	return text
}

// WriteText writes all that there is to say about the match.
func (r *MatchResult) WriteText(w io.Writer) error {
	text := &strings.Builder{}
	fmt.Fprintln(text, r)
	fmt.Fprintf(text, "  %d games in %.0f s, %d stones each; Black %v\n",
		r.Score.Games(), r.Seconds, r.Plies/max(1, r.Score.Games()), r.Black)
	fmt.Fprintf(text, "  pairs by half points: %v\n", [5]int(r.Pairs))
	fmt.Fprintf(text, "  %s: %v\n  %s: %v\n", r.A, r.Work[0], r.B, r.Work[1])
	writeFaults(text, r.Faults)
	if r.Test != (SPRT{}) {
		verdict := map[Verdict]string{Undecided: "undecided", AcceptH0: "not the better", AcceptH1: "the better"}[r.Verdict]
		fmt.Fprintf(text, "  sequential test of %+g against %+g: %s (LLR %+.2f)\n", r.Test.Elo1, r.Test.Elo0, verdict, r.Ratio)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func writeFaults(w io.Writer, faults map[string]int) {
	for _, fault := range slices.Sorted(maps.Keys(faults)) {
		fmt.Fprintf(w, "  %d games lost by a fault of %s\n", faults[fault], fault)
	}
}
