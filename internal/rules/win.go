package rules

// winLength is the number of stones that every rule asks for.
const winLength = 5

// Wins reports whether the stone at p, just placed, completes a winning row of
// its colour. One such row is enough, whatever the other rows through p are.
// An empty point wins nothing.
//
// Under renju a black stone that completes a five wins even where it would
// otherwise be a foul; Wins does not look for fouls.
func (r Rule) Wins(b *Board, p Point) bool {
	c := b.At(p)
	if c == Empty {
		return false
	}
	for d := range directions {
		if _, won := r.winningRow(b, p, c, d); won {
			return true
		}
	}
	return false
}

// AppendRow appends to dst the points of all winning rows through the stone at
// p, each point once, and returns the extended slice.
func (r Rule) AppendRow(dst []Point, b *Board, p Point) []Point {
	c := b.At(p)
	if c == Empty {
		return dst
	}
	start := len(dst)
	for d := range directions {
		row, won := r.winningRow(b, p, c, d)
		if !won {
			continue
		}
		_, bit := p.index(d)
		shared := len(dst) > start // rows meet at p alone
		for i := row.lo; i <= row.hi; i++ {
			if i != bit || !shared {
				dst = append(dst, p.along(d, i-bit))
			}
		}
	}
	return dst
}

// winningRow returns the row of colour c through its stone at p in direction
// d, and whether it wins.
func (r Rule) winningRow(b *Board, p Point, c Color, d direction) (row, bool) {
	n, bit := p.index(d)
	l := &b.lines[n]
	row := rowThrough(l[c], bit)
	length := row.len()
	switch {
	case length < winLength:
		return row, false
	case length > winLength:
		return row, r == Freestyle || r == Renju && c == White
	case r == Caro:
		opponent := l[c.Opponent()]
		return row, !(has(opponent, row.lo-1) && has(opponent, row.hi+1))
	}
	return row, true
}
