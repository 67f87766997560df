package rules

// A shape is what one black stone makes on one line through it, in the terms
// of RIF's International Rules of Renju, section 9.
//
// There is a three if there is a straight-four cell. By the definitions a stone
// makes at most one three on a line, and none beside a four.
type shape struct {
	length   int    // of the unbroken row through the stone
	fours    int    // 0, 1, or 2 as in X_X*X_X
	straight uint32 // the cells where one more stone makes a straight four
}

// shapeAt returns the shape made by a black stone on the empty cell at bit.
func shapeAt(l *line, bit int) shape {
	const neighbours = 0b111_0_111
	near := l[Black] >> (bit - margin) & neighbours
	if near&(near-1) == 0 {
		return shape{} // a three, or more, has two more stones within three cells
	}
	black, empty := l[Black]|1<<bit, l[Empty]
	row := rowThrough(black, bit)
	s := shape{length: row.len()}

	// What makes a five or a straight four touches the row at one end.
	for _, end := range [2]int{row.lo - 1, row.hi + 1} {
		if !has(empty, end) {
			continue
		}
		switch longer := rowThrough(black|1<<end, end); longer.len() {
		case winLength:
			s.fours++
		case winLength - 1:
			if isStraight(longer, black|1<<end, empty) {
				s.straight |= 1 << end
			}
		}
	}
	if s.length == 4 && s.fours == 2 {
		s.fours = 1 // a straight four is one set of stones with two completions
	}
	return s
}

// isStraight reports whether an unbroken row of four is a straight four: a
// stone at either end makes a five.
func isStraight(four row, black, empty uint32) bool {
	return makesFive(black, empty, four.lo-1) && makesFive(black, empty, four.hi+1)
}

// makesFive reports whether a black stone can be put on the cell at bit and
// completes a row of exactly five.
func makesFive(black, empty uint32, bit int) bool {
	return has(empty, bit) && rowThrough(black|1<<bit, bit).len() == winLength
}
