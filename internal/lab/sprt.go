package lab

import "math"

// SPRT is a sequential test of probability ratios (Wald 1945) between two
// hypotheses about the difference of ratings. It errs in one case of twenty,
// either way, and ends as soon as it can. Its zero value tests nothing.
type SPRT struct {
	Elo0 float64 `json:"elo0"`
	Elo1 float64 `json:"elo1"` // greater than Elo0
}

// Verdict is what a test has come to.
type Verdict string

// The verdicts.
const (
	Undecided Verdict = ""
	AcceptH0  Verdict = "elo0"
	AcceptH1  Verdict = "elo1"
)

// Ratio returns the logarithm of how much better Elo1 explains the pairs than
// Elo0, their distribution taken to be normal with the variance that they show.
func (t SPRT) Ratio(p Pairs) float64 {
	if p.Pairs() == 0 {
		return 0
	}
	s0, s1 := Share(t.Elo0), Share(t.Elo1)
	return float64(p.Pairs()) * (s1 - s0) * (2*p.Share() - s0 - s1) / (2 * p.variance())
}

// Decide returns the verdict so far.
func (t SPRT) Decide(p Pairs) Verdict {
	if t == (SPRT{}) {
		return Undecided
	}
	const wrong = 0.05
	bound := math.Log((1 - wrong) / wrong)
	switch ratio := t.Ratio(p); {
	case ratio >= bound:
		return AcceptH1
	case ratio <= -bound:
		return AcceptH0
	}
	return Undecided
}
