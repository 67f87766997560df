package load

import (
	"fmt"
	"io"
	"strings"
)

// BotsReport is what RunBots found.
type BotsReport struct {
	Setting
	Games    int                `json:"games"` // of people, played at once
	Rate     float64            `json:"rate"`  // moves a second over all of them
	Bots     int                `json:"bots"`  // games against the bot at once
	Bot      string             `json:"bot"`
	Alone    *Play              `json:"alone"`
	Beside   *Play              `json:"beside_bots"`
	Running  float64            `json:"bots_running"` // engines that thought, on average
	Waiting  float64            `json:"bots_waiting"` // turns that waited for one, on average
	BotMoves float64            `json:"bot_moves_per_second"`
	Ratios   map[string]float64 `json:"ratios"` // of the moves beside bots to those without
}

// WriteText writes the report as a table.
func (r *BotsReport) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d games of people, %g moves/s asked for, %gs; then beside %d games against %s; %s store; %d processors, %s\n",
		r.Games, r.Rate, r.Seconds, r.Bots, r.Bot, r.Store, r.Processors, r.Go)
	fmt.Fprintf(&b, "\n%-34s %12s %12s %8s\n", "", "alone", "beside bots", "ratio")
	for _, f := range figures {
		alone, beside := f.of(&Result{Play: r.Alone}), f.of(&Result{Play: r.Beside})
		if alone == 0 || beside == 0 {
			continue
		}
		fmt.Fprintf(&b, "%-34s %12.*f %12.*f %8.2f\n", f.title, f.decimals, alone, f.decimals, beside, beside/alone)
	}
	fmt.Fprintf(&b, "%-34s %12s %12.1f\n%-34s %12s %12.1f\n%-34s %12s %12.1f\n",
		"engines that think, on average", "-", r.Running, "bot turns that wait, on average", "-", r.Waiting, "bot moves a second", "-", r.BotMoves)
	r.writeNotes(&b)
	_, err := io.WriteString(w, b.String())
	return err
}
