package quota

import "sync"

// Verdict is whether there was a place, and if not, why.
type Verdict int

const (
	Taken Verdict = iota // a place, to be left again
	Full                 // nobody gets one
	Yours                // who asked has as many as one may have
)

// Places are taken and left again: so many in all, and so many of each
// household. Nobody who takes none is remembered. Make it with NewPlaces.
type Places struct {
	all, each int

	mu    sync.Mutex
	taken int
	by    map[string]int
}

// NewPlaces returns free places: all of them, and each of them for one
// household.
func NewPlaces(all, each int) *Places {
	return &Places{all: all, each: each, by: map[string]int{}}
}

// Take takes a place on the account of who. Without a name only the places in
// all count.
func (p *Places) Take(who string) Verdict {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.taken >= p.all:
		return Full
	case who != "" && p.by[who] >= p.each:
		return Yours
	}
	p.taken++
	if who != "" {
		p.by[who]++
	}
	return Taken
}

// Leave gives back a place that was Taken on the account of who.
func (p *Places) Leave(who string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	if who == "" {
		return
	}
	if p.by[who]--; p.by[who] == 0 {
		delete(p.by, who)
	}
}

// Size is how many are taken.
func (p *Places) Size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}
