package match_test

import (
	"fmt"
	"testing"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// quietMoves are 220 moves on 15x15 after which nobody has three in a row.
func quietMoves() (commands []match.Command) {
	var sides match.ByColor[[]rules.Point]
	for y := range int8(15) {
		for x := range int8(15) {
			side := &sides.Black
			if (x+2*y)%4 >= 2 {
				side = &sides.White
			}
			*side = append(*side, rules.Point{X: x, Y: y})
		}
	}
	for ply := range 220 {
		by, points := ann, sides.Black
		if ply%2 == 1 {
			by, points = bob, sides.White
		}
		act := match.Place{Ply: ply, Point: points[ply/2]}
		commands = append(commands, match.Command{ID: fmt.Sprintf("c%d", ply), By: by, Lag: 40, Act: act})
	}
	return commands
}

// clockedGame is a game with a clock after some of the quiet moves.
func clockedGame(b *testing.B, moves []match.Command) *match.State {
	b.Helper()
	g := match.Game{Rule: rules.Standard, Size: rules.Size{Width: 15, Height: 15}, Clock: fischer}
	first, err := match.Create(match.Command{By: ann}, g, match.DefaultLimits(), rules.Black, &bob, dawn)
	if err != nil {
		b.Fatal(err)
	}
	s, err := match.Fold(first)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range moves {
		for _, e := range decide(b, s, c) {
			if err := s.Apply(e); err != nil {
				b.Fatal(err)
			}
		}
	}
	return s
}

func decide(b *testing.B, s *match.State, c match.Command) []match.Event {
	events, err := match.Decide(s, c, s.At+900)
	if err != nil {
		b.Fatal(err)
	}
	return events
}

// BenchmarkMove is what a move costs from command to folded event, written.
func BenchmarkMove(b *testing.B) {
	moves := quietMoves()
	s := clockedGame(b, nil)
	b.ReportAllocs()
	for b.Loop() {
		ply := len(s.Moves)
		if ply == len(moves) {
			s, ply = clockedGame(b, nil), 0
		}
		for _, e := range decide(b, s, moves[ply]) {
			if _, err := match.Encode(e); err != nil {
				b.Fatal(err)
			}
			if err := s.Apply(e); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkDecide is the first part of it, in the middle of a game.
func BenchmarkDecide(b *testing.B) {
	moves := quietMoves()
	s := clockedGame(b, moves[:130])
	b.ReportAllocs()
	for b.Loop() {
		decide(b, s, moves[130])
	}
}

// BenchmarkEncode and BenchmarkDecode are a move's way into a store and out of it.
func BenchmarkEncode(b *testing.B) {
	moves := quietMoves()
	e := decide(b, clockedGame(b, moves[:130]), moves[130])[0]
	b.ReportAllocs()
	for b.Loop() {
		if _, err := match.Encode(e); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	moves := quietMoves()
	data, err := match.Encode(decide(b, clockedGame(b, moves[:130]), moves[130])[0])
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := match.Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}
