package load

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// columns are the services of the table, in order.
var columns = []string{bareFloor, durableFloor, ours}

// WriteText writes the report as a table: for each scenario what every service
// had, gomokud's ratios to the floors, and the aims.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s store; %gs each; %d processors, %s\n", r.Store, r.Seconds, r.Processors, r.Go)
	shown := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return !r.has(c) })
	fmt.Fprintf(&b, "\n%-44s", "")
	for _, c := range shown {
		fmt.Fprintf(&b, " %13s", c)
	}
	for _, c := range shown {
		if c != ours {
			fmt.Fprintf(&b, "  ÷ %s", c)
		}
	}
	fmt.Fprintf(&b, "  aim\n")
	for _, o := range r.Scenarios {
		fmt.Fprintf(&b, "\n%s: %s", o.Scenario, o.Sizes)
		if o.Without != "" {
			fmt.Fprintf(&b, "; without: %s", o.Without)
		}
		fmt.Fprintln(&b)
		for _, l := range o.Lines {
			l.write(&b, shown)
		}
	}
	r.writeNotes(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// has reports whether a service was measured.
func (r *Report) has(service string) bool {
	return slices.ContainsFunc(r.Scenarios, func(o Outcome) bool {
		return slices.ContainsFunc(o.Results, func(r Result) bool { return r.Service == service })
	})
}

func (l *Line) write(b *strings.Builder, shown []string) {
	f := figureOf(l.Figure)
	fmt.Fprintf(b, "  %-42s", f.title)
	for _, c := range shown {
		fmt.Fprintf(b, " %13s", number(l.Of[c], f.decimals))
	}
	for _, c := range shown {
		if c != ours {
			fmt.Fprintf(b, "  %*s", len("÷ ")-1+len(c), number(l.Ratios[c], 2))
		}
	}
	if l.Aim != nil {
		said := "misses"
		if l.Aim.Holds {
			said = "holds"
		}
		fmt.Fprintf(b, "  %s: %s", l.Aim.Aim, said)
	}
	b.WriteByte('\n')
}

// number writes what was not measured as a dash.
func number(v float64, decimals int) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf("%.*f", decimals, v)
}

func (s *Setting) writeNotes(b *strings.Builder) {
	for _, note := range s.Notes {
		fmt.Fprintf(b, "\nNote: %s", note)
	}
	if len(s.Notes) > 0 {
		b.WriteByte('\n')
	}
}
