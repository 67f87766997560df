package load

import "gomokud/internal/rules"

// boardSize is the board of every game.
var boardSize = rules.Size{Width: 15, Height: 15}

// moveOrder is a whole game under freestyle in which nobody ever has more than
// two in a row: the stones end up in a pattern of pairs, in which every line in
// every direction changes colour at least at each second point. Where on the
// board the game goes on jumps about, as it would with many games.
func moveOrder() []rules.Point {
	var sides [2][]rules.Point
	total := boardSize.Points()
	const stride = 97 // shares no divisor with 225
	for i := range total {
		at := i * stride % total
		p := rules.Point{X: int8(at % boardSize.Width), Y: int8(at / boardSize.Width)}
		side := (int(p.X) + 2*int(p.Y)) % 4 / 2
		sides[side] = append(sides[side], p)
	}
	order := make([]rules.Point, 0, total)
	for i := range sides[0] { // Black's side is the larger by the one point of an odd board
		order = append(order, sides[0][i])
		if i < len(sides[1]) {
			order = append(order, sides[1][i])
		}
	}
	return order
}
