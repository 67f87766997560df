package rules_test

import (
	"gomokud/internal/rules"
	"pgregory.net/rapid"
)

// below generates 0 to n-1, all alike. rapid's own integers prefer small ones,
// which would make most boards small and nearly empty.
func below(n int) *rapid.Generator[int] {
	return rapid.Custom(func(t *rapid.T) int {
		fraction := 0
		for range 16 {
			fraction <<= 1
			if rapid.Bool().Draw(t, "bit") {
				fraction |= 1
			}
		}
		return fraction * n >> 16
	})
}

func oneOf[T any](all ...T) *rapid.Generator[T] {
	return rapid.Map(below(len(all)), func(i int) T { return all[i] })
}

func sizes() *rapid.Generator[rules.Size] {
	side := below(rules.MaxSide - rules.MinSide + 1)
	return rapid.Custom(func(t *rapid.T) rules.Size {
		return rules.Size{
			Width:  rules.MinSide + side.Draw(t, "width"),
			Height: rules.MinSide + side.Draw(t, "height"),
		}
	})
}

func points(size rules.Size) *rapid.Generator[rules.Point] {
	x, y := below(size.Width), below(size.Height)
	return rapid.Custom(func(t *rapid.T) rules.Point {
		return cell{x.Draw(t, "x"), y.Draw(t, "y")}.point()
	})
}

func colors() *rapid.Generator[rules.Color] { return oneOf(rules.Black, rules.White) }

// positions generates boards of all sizes and of both kinds below.
func positions() *rapid.Generator[*rules.Board] {
	return rapid.Custom(func(t *rapid.T) *rules.Board {
		return oneOf(scattered(), crowded()).Draw(t, "kind").Draw(t, "board")
	})
}

// scattered generates stones anywhere on a board of any size, up to three
// quarters full.
func scattered() *rapid.Generator[*rules.Board] {
	return rapid.Custom(func(t *rapid.T) *rules.Board {
		size := sizes().Draw(t, "size")
		b := rules.NewBoard(size)
		for range below(size.Points()).Draw(t, "stones") {
			put(b, points(size).Draw(t, "point"), colors().Draw(t, "color"))
		}
		return b
	})
}

// crowded generates what makes forbidden points depend on each other: pieces of
// threes and fours of Black in a narrow space, in all directions, with a few
// white stones between them.
func crowded() *rapid.Generator[*rules.Board] {
	pieces := oneOf("XX", "X.X", "X..X", "XXX", "XX.X", "X.XX", "X.X.X", "XXXX", "O", "OXXX")
	directions := oneOf(cell{1, 0}, cell{0, 1}, cell{1, 1}, cell{1, -1})
	offset := below(12)
	return rapid.Custom(func(t *rapid.T) *rules.Board {
		b := rules.NewBoard(sizes().Draw(t, "size"))
		corner := cellOf(b.Size().Center()).plus(-7, cell{1, 1})
		for range below(25).Draw(t, "pieces") {
			start := cell{corner.x + offset.Draw(t, "x"), corner.y + offset.Draw(t, "y")}
			step := directions.Draw(t, "direction")
			for i, stone := range pieces.Draw(t, "piece") {
				switch stone {
				case 'X':
					put(b, start.plus(i, step).point(), rules.Black)
				case 'O':
					put(b, start.plus(i, step).point(), rules.White)
				}
			}
		}
		return b
	})
}

// put places a stone where one can be placed.
func put(b *rules.Board, p rules.Point, c rules.Color) {
	if b.Size().Contains(p) && b.At(p) == rules.Empty {
		b.Place(p, c)
	}
}
