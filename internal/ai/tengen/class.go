package tengen

// class is what a stone on a point would be for its colour, of all four lines
// together.
type class uint8

const (
	nothing         class = iota
	twoClass              // an open two
	closedThree           // a closed three
	twoTwo                // two open twos
	closedThreePlus       // a closed three and something more
	foulClass             // Black's under renju: forbidden, unless rules.Forbidden says otherwise
	threeClass            // an open three
	threePlus             // an open three and something more
	threeThree            // two open threes
	fourClass             // a simple four
	fourPlus              // a simple four and something more
	fourThree             // a simple four and an open three
	openFourClass         // an open four or two simple fours
	fiveClass
	classes
)

// counted returns the class as which the position counts a point: all that are less
// than a threat are one. 32 bits wide, the maximum takes no branch.
func (c class) counted() class { return class(max(uint32(c), uint32(closedThreePlus))) }

// code is a point's patterns for one colour, four bits a direction.
type code uint16

func (c code) pattern(d int) pattern { return pattern(c >> (4 * d) & 15) }

// hasFour reports whether one of the patterns is a four.
func (c code) hasFour() bool {
	for d := range directions {
		if p := c.pattern(d); p == four || p == openFour {
			return true
		}
	}
	return false
}

// classify folds the patterns of four lines into a class.
func classify(c code, fouls bool) class {
	var n [patternCodes]int
	for d := range directions {
		n[c.pattern(d)]++
	}
	var (
		fours  = n[four] + n[openFour]
		threes = n[open3] + n[open3s]
		twos   = n[open2] + n[open2a] + n[open2b]
	)
	switch {
	case n[five] > 0:
		return fiveClass
	case fouls && (n[fouled] > 0 || fours > 1 || threes > 1):
		return foulClass
	case n[openFour] > 0 || fours > 1:
		return openFourClass
	case fours > 0 && threes > 0:
		return fourThree
	case fours > 0 && n[closed3]+twos > 0:
		return fourPlus
	case fours > 0:
		return fourClass
	case threes > 1:
		return threeThree
	case threes > 0 && n[closed3]+twos > 0:
		return threePlus
	case threes > 0:
		return threeClass
	case n[closed3] > 1 || n[closed3] > 0 && twos > 0:
		return closedThreePlus
	case n[closed3] > 0:
		return closedThree
	case twos > 1:
		return twoTwo
	case twos > 0:
		return twoClass
	default:
		return nothing
	}
}

// kind is a group of classes whose points are kept at hand.
type kind uint8

const (
	noKind    kind = iota
	doubtful       // forbidden, unless rules.Forbidden says otherwise
	threes         // stones that threaten an open four
	fours          // stones that must be answered at once
	openFours      // stones after which one stone is no answer
	fives          // stones that win
	kinds
)

var kindOf = [classes]kind{
	foulClass:  doubtful,
	threeClass: threes, threePlus: threes, threeThree: threes,
	fourClass: fours, fourPlus: fours, fourThree: fours,
	openFourClass: openFours, fiveClass: fives,
}
