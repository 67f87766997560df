// Package gomocup is what both ends of the Gomocup (Piskvork) protocol share:
// how it writes points and rules. The brain's end is in package brain, the
// manager's in package external.
package gomocup

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gomokud/internal/rules"
)

// ErrPoint: the text is not "x,y" with a point of the board.
var ErrPoint = errors.New("not a point of the board")

// FormatPoint writes a point as the protocol does: "x,y" from 0, y downwards.
func FormatPoint(size rules.Size, p rules.Point) string {
	return fmt.Sprintf("%d,%d", p.X, size.Height-1-int(p.Y))
}

// ParsePoint reads "x,y"; spaces around the numbers are allowed.
func ParsePoint(size rules.Size, text string) (rules.Point, error) {
	xs, ys, both := strings.Cut(text, ",")
	x, errX := strconv.Atoi(strings.TrimSpace(xs))
	y, errY := strconv.Atoi(strings.TrimSpace(ys))
	if !both || errX != nil || errY != nil || x < 0 || y < 0 || x >= size.Width || y >= size.Height {
		return rules.Point{}, fmt.Errorf("%q: %w", text, ErrPoint)
	}
	return rules.Point{X: int8(x), Y: int8(size.Height - 1 - y)}, nil
}

// RuleNumber is what `INFO rule` calls a rule set.
func RuleNumber(r rules.Rule) int {
	switch r {
	case rules.Standard:
		return 1
	case rules.Renju:
		return 4
	case rules.Caro:
		return 9
	default:
		return 0
	}
}

// ParseRule reads the number of `INFO rule`: Piskvork's bit mask (1 exactly
// five, 4 renju, 8 caro) and Yixin's 2 for renju. Caro with overlines (8) and
// the continuous game are not offered: ok is false.
func ParseRule(number int) (rule rules.Rule, ok bool) {
	switch number {
	case 0:
		return rules.Freestyle, true
	case 1:
		return rules.Standard, true
	case 2, 4:
		return rules.Renju, true
	case 9:
		return rules.Caro, true
	default:
		return rules.Freestyle, false
	}
}
