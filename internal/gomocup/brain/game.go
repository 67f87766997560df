package brain

import (
	"errors"
	"fmt"
	"slices"

	"gomokud/internal/ai"
	"gomokud/internal/gomocup"
	"gomokud/internal/rules"
)

// Why a point or a turn is refused; a bad point is gomocup.ErrPoint.
var (
	errNoBoard = errors.New("there is no board; START comes first")
	errTaken   = errors.New("there is a stone already")
	errNone    = errors.New("there is no stone")
)

// game is what lies on the board.
type game struct {
	size   rules.Size // zero: there is no board yet
	stones []ai.Stone
	own    rules.Color // ours, if there are stones
	toMove rules.Color
}

func (g *game) ready() error {
	if g.size == (rules.Size{}) {
		return errNoBoard
	}
	return nil
}

func (g *game) position(rule rules.Rule) ai.Position {
	return ai.Position{Rule: rule, Size: g.size, Stones: g.stones, ToMove: g.toMove}
}

// ours reports whether we are to move, or may be.
func (g *game) ours() bool { return len(g.stones) == 0 || g.own == g.toMove }

// free reads a point that is on the board and free.
func (g *game) free(text string) (rules.Point, error) {
	if err := g.ready(); err != nil {
		return rules.Point{}, err
	}
	p, err := gomocup.ParsePoint(g.size, text)
	if err == nil && g.find(p) >= 0 {
		err = fmt.Errorf("%q: %w", text, errTaken)
	}
	return p, err
}

// find is the number of the stone on a point, or -1.
func (g *game) find(p rules.Point) int {
	return slices.IndexFunc(g.stones, func(s ai.Stone) bool { return s.Point == p })
}

func (g *game) place(p rules.Point, c rules.Color) {
	g.stones = append(g.stones, ai.Stone{Point: p, Color: c})
	g.toMove = c.Opponent()
}

// remove takes a stone back; the side that had placed it is to move.
func (g *game) remove(text string) error {
	if err := g.ready(); err != nil {
		return err
	}
	p, err := gomocup.ParsePoint(g.size, text)
	if err != nil {
		return err
	}
	i := g.find(p)
	if i < 0 {
		return fmt.Errorf("%q: %w", text, errNone)
	}
	g.toMove = g.stones[i].Color
	g.stones = slices.Delete(g.stones, i, i+1)
	if len(g.stones) == 0 {
		g.toMove = rules.Black
	}
	return nil
}
