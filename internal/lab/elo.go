package lab

import (
	"encoding/json"
	"math"
)

// Score counts the results of games from one side's point of view.
type Score struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// Games returns how many there were.
func (s Score) Games() int { return s.Wins + s.Draws + s.Losses }

// Points returns a point for a win and a half for a draw.
func (s Score) Points() float64 { return float64(s.Wins) + float64(s.Draws)/2 }

// Share returns which part of the points was won: 0.5 if there were no games.
func (s Score) Share() float64 {
	if s.Games() == 0 {
		return 0.5
	}
	return s.Points() / float64(s.Games())
}

// count counts a game that brought so many half points.
func (s *Score) count(halves int) {
	switch halves {
	case 0:
		s.Losses++
	case 1:
		s.Draws++
	default:
		s.Wins++
	}
}

// Elo returns the difference of ratings at which a share of the points, 0 to 1,
// is to be expected.
func Elo(share float64) float64 { return 400 * math.Log10(share/(1-share)) }

// Share returns the share of the points that is to be expected at a difference
// of ratings.
func Share(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// Estimate is a difference of ratings with its interval of 95 %. A bound that
// the games do not give is infinite, and null in JSON.
type Estimate struct{ Elo, Low, High float64 }

// MarshalJSON implements json.Marshaler.
func (e Estimate) MarshalJSON() ([]byte, error) {
	finite := func(f float64) *float64 {
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return nil
		}
		return &f
	}
	return json.Marshal(struct {
		Elo  *float64 `json:"elo"`
		Low  *float64 `json:"low"`
		High *float64 `json:"high"`
	}{finite(e.Elo), finite(e.Low), finite(e.High)})
}

// Pairs counts pairs of games by the half points, 0 to 4, that a side won in
// the two. The two games of a pair share an opening and are not independent, so
// that the pair is the unit whose spread gives the error.
type Pairs [5]int

// Pairs returns how many there are.
func (p Pairs) Pairs() int { return p[0] + p[1] + p[2] + p[3] + p[4] }

// Share returns which part of the points was won: 0.5 if there are no pairs.
func (p Pairs) Share() float64 {
	if p.Pairs() == 0 {
		return 0.5
	}
	return float64(p[1]+2*p[2]+3*p[3]+4*p[4]) / float64(4*p.Pairs())
}

// variance returns that of the share in one pair, as if one pair more had been
// played and every outcome of it were a fifth of its result: a few pairs that
// agree are no certainty.
func (p Pairs) variance() float64 {
	var n, sum, squares float64
	for halves, count := range p {
		weight, share := float64(count)+0.2, float64(halves)/4
		n += weight
		sum += weight * share
		squares += weight * share * share
	}
	return squares/n - (sum/n)*(sum/n)
}

// deviation of a normal distribution that leaves out 2.5 % on either side.
const deviation = 1.959964

// Estimate returns what the pairs say of the difference of ratings.
func (p Pairs) Estimate() Estimate {
	if p.Pairs() == 0 {
		return Estimate{Elo: 0, Low: math.Inf(-1), High: math.Inf(1)}
	}
	share, e := p.Share(), deviation*math.Sqrt(p.variance()/float64(p.Pairs()))
	bound := func(share float64) float64 { return Elo(max(0, min(1, share))) }
	return Estimate{Elo: Elo(share), Low: bound(share - e), High: bound(share + e)}
}
