package tengen

import (
	"embed"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"gomokud/internal/rules"
)

// fitted has the weights and the network of each rule; see Tuner and Trainer.
//
//go:embed weights
var fitted embed.FS

// parameters is what an evaluation is made of: a worth for every set of four
// patterns, whatever their order, and for every set of threats. Attack and Defend
// say how likely a move is to be played, for what it makes, what it takes from
// the opponent, and how it lies to the last moves, in hundredths of the logarithm of its odds. Under rules that treat
// the colours alike both have the same.
type parameters struct {
	Point  [2][sorts]int16
	Threat [2][threatSets]int16
	Attack [2][sorts]int16
	Defend [2][sorts]int16
	Near   [recent][relations]int16
}

// sorts is the number of different codes when the order of directions does not
// matter.
const sorts = 14 * 15 * 16 * 17 / 24

// sorted numbers the codes by their patterns, whatever their order.
func sorted() (sortOf []uint16, codeOf []code) {
	sortOf = make([]uint16, 1<<16)
	numbers := map[code]uint16{}
	for i := range sortOf {
		c := code(i)
		var all [directions]pattern
		for d := range all {
			all[d] = c.pattern(d)
		}
		slices.Sort(all[:])
		if all[directions-1] >= patterns {
			continue
		}
		key := code(all[0]) | code(all[1])<<4 | code(all[2])<<8 | code(all[3])<<12
		n, ok := numbers[key]
		if !ok {
			n = uint16(len(numbers))
			numbers[key] = n
			codeOf = append(codeOf, key)
		}
		sortOf[i] = n
	}
	return sortOf, codeOf
}

// readParameters reads what write wrote.
func readParameters(r io.Reader) (*parameters, error) {
	p := &parameters{}
	if err := binary.Read(r, binary.LittleEndian, p); err != nil {
		return nil, fmt.Errorf("read weights: %w", err)
	}
	return p, nil
}

func (p *parameters) write(w io.Writer) error {
	if err := binary.Write(w, binary.LittleEndian, p); err != nil {
		return fmt.Errorf("write weights: %w", err)
	}
	return nil
}

// open opens what was fitted to the games of a rule; caro is close to standard.
func open(rule rules.Rule, ending string) (fs.File, error) {
	if rule == rules.Caro {
		rule = rules.Standard
	}
	return fitted.Open("weights/" + rule.String() + ending)
}

// loadParameters returns the fitted parameters of a rule.
func loadParameters(rule rules.Rule) (*parameters, error) {
	f, err := open(rule, ".bin")
	if err != nil {
		return nil, fmt.Errorf("weights of %v: %w", rule, err)
	}
	defer f.Close()
	return readParameters(f)
}
