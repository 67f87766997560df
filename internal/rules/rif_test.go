package rules_test

import "gomokud/internal/rules"

// The definitions of RIF's International Rules of Renju, section 9, read aloud:
// slow, without any trick, and sharing nothing with the code under test but the
// names of points, colours and fouls.

// A position is a board as the definitions see it. What is off the board is
// treated as White's.
type position struct {
	size  rules.Size
	cells [rules.MaxSide][rules.MaxSide]rules.Color
}

func positionOf(b *rules.Board) *position {
	pos := &position{size: b.Size()}
	for p := range b.Size().All() {
		pos.cells[p.X][p.Y] = b.At(p)
	}
	return pos
}

// A cell is a point that may lie off the board.
type cell struct{ x, y int }

func (c cell) plus(n int, step cell) cell { return cell{c.x + n*step.x, c.y + n*step.y} }

func cellOf(p rules.Point) cell { return cell{int(p.X), int(p.Y)} }

func (c cell) point() rules.Point { return rules.Point{X: int8(c.x), Y: int8(c.y)} }

func steps() [4]cell { return [4]cell{{1, 0}, {0, 1}, {1, 1}, {1, -1}} }

func (pos *position) at(c cell) rules.Color {
	if c.x < 0 || c.y < 0 || c.x >= pos.size.Width || c.y >= pos.size.Height {
		return rules.White
	}
	return pos.cells[c.x][c.y]
}

func (pos *position) put(c cell, color rules.Color) { pos.cells[c.x][c.y] = color }

func (pos *position) black(c cell) bool { return pos.at(c) == rules.Black }

// unbroken returns the length of the unbroken black row through c.
func (pos *position) unbroken(c, step cell) int {
	n := 1
	for pos.black(c.plus(n, step)) {
		n++
	}
	back := 1
	for pos.black(c.plus(-back, step)) {
		back++
	}
	return n + back - 1
}

// makesFive reports whether a black stone on c makes an unbroken row of exactly
// five in any direction.
func (pos *position) makesFive(c cell) bool {
	if pos.at(c) != rules.Empty {
		return false
	}
	for _, step := range steps() {
		if pos.unbroken(c, step) == 5 {
			return true
		}
	}
	return false
}

// fours returns the number of fours that contain the black stone c: different
// sets of four stones to each of which one stone can be added to make a five.
func (pos *position) fours(c cell) int {
	sets := map[[4]cell]bool{}
	for _, step := range steps() {
		for first := -4; first <= 0; first++ {
			var stones []cell
			empties := 0
			for i := range 5 {
				switch at := c.plus(first+i, step); pos.at(at) {
				case rules.Black:
					stones = append(stones, at)
				case rules.Empty:
					empties++
				}
			}
			beyond := pos.black(c.plus(first-1, step)) || pos.black(c.plus(first+5, step))
			if len(stones) == 4 && empties == 1 && !beyond {
				sets[[4]cell(stones)] = true
			}
		}
	}
	return len(sets)
}

// A three is three stones, and the cells where one more makes a straight four.
type threes map[[3]cell][]cell

// threes returns the threes that contain the black stone c, whether or not the
// straight four can be played.
func (pos *position) threes(c cell) threes {
	found := threes{}
	for _, step := range steps() {
		for first := -3; first <= 0; first++ {
			var stones, empties []cell
			for i := range 4 {
				switch at := c.plus(first+i, step); pos.at(at) {
				case rules.Black:
					stones = append(stones, at)
				case rules.Empty:
					empties = append(empties, at)
				}
			}
			if len(stones) != 3 || len(empties) != 1 || pos.makesFive(empties[0]) {
				continue
			}
			pos.put(empties[0], rules.Black)
			if pos.straightFour(c.plus(first, step), step) {
				set := [3]cell(stones)
				found[set] = append(found[set], empties[0])
			}
			pos.put(empties[0], rules.Empty)
		}
	}
	return found
}

// straightFour reports whether the four black stones from c on are an unbroken
// row of four to which a stone at either end makes a five.
func (pos *position) straightFour(c, step cell) bool {
	for _, end := range []cell{c.plus(-1, step), c.plus(4, step)} {
		if pos.at(end) != rules.Empty {
			return false
		}
		pos.put(end, rules.Black)
		five := pos.unbroken(end, step) == 5
		pos.put(end, rules.Empty)
		if !five {
			return false
		}
	}
	return true
}

// unlimited is more levels than any board has points.
const unlimited = 1 << 20

// fouls returns every foul of a black stone on the empty cell c; none if the
// stone makes a five. It looks at most levels deep: beyond, a double-three is
// taken for allowed. The definition knows no such limit.
func (pos *position) fouls(c cell, levels int) []rules.Foul {
	if pos.makesFive(c) {
		return nil
	}
	var fouls []rules.Foul
	pos.put(c, rules.Black)
	if levels > 0 && pos.doubleThree(c, levels) {
		fouls = append(fouls, rules.DoubleThree)
	}
	if pos.fours(c) >= 2 {
		fouls = append(fouls, rules.DoubleFour)
	}
	for _, step := range steps() {
		if pos.unbroken(c, step) >= 6 {
			fouls = append(fouls, rules.Overline)
			break
		}
	}
	pos.put(c, rules.Empty)
	return fouls
}

// doubleThree reports whether two or more threes of the black stone c can be
// made straight fours by a stone that is permitted with c on the board (9.3).
func (pos *position) doubleThree(c cell, levels int) bool {
	threes := pos.threes(c)
	if len(threes) < 2 {
		return false
	}
	count := 0
	for _, straights := range threes {
		for _, e := range straights {
			if len(pos.fouls(e, levels-1)) == 0 {
				count++
				break
			}
		}
	}
	return count >= 2
}
