package lab

import (
	"errors"
	"math"
)

// Rating is a player's place on a common scale.
type Rating struct {
	Elo   float64 `json:"elo"`
	Error float64 `json:"error"` // half the interval of 95 %, seen from the anchor
}

// errRatings: the equations have no solution; it takes scores that are no numbers.
var errRatings = errors.New("the ratings do not converge")

// priorDraws is how many games every player is taken to have drawn with a
// player of the mean rating: enough for finite ratings after a clean sweep, too
// little to be seen otherwise.
const priorDraws = 1

// Ratings returns the ratings under which the results are likeliest, in the
// model of Bradley and Terry (1952): points[i][j] is what i won against j, a
// point for a win and half of one for a draw, and the expected share of the
// points depends on the difference of ratings alone. The errors take games for
// independent. The anchor, an index, gets the rating elo and no error.
func Ratings(points [][]float64, anchor int, elo float64) ([]Rating, error) {
	n := len(points)
	const perElo = math.Ln10 / 400
	r := make([]float64, n) // in natural units, the mean player's is 0
	var spread [][]float64  // the covariances
	for step := range 200 {
		// Newton's method; the logarithm of the likelihood is concave.
		gradient, curvature := make([]float64, n), make([][]float64, n)
		for i := range n {
			curvature[i] = make([]float64, n)
		}
		for i := range n {
			share := logistic(r[i])
			gradient[i] += priorDraws * (0.5 - share)
			curvature[i][i] += priorDraws * share * (1 - share)
			for j := range n {
				games := points[i][j] + points[j][i]
				if i == j || games == 0 {
					continue
				}
				share := logistic(r[i] - r[j])
				gradient[i] += points[i][j] - games*share
				curvature[i][i] += games * share * (1 - share)
				curvature[i][j] -= games * share * (1 - share)
			}
		}
		spread = inverse(curvature)
		largest := 0.0
		for i := range n {
			move := 0.0
			for j := range n {
				move += spread[i][j] * gradient[j]
			}
			r[i] += max(-1, min(1, move)) // a longer step may overshoot
			largest = max(largest, math.Abs(move))
		}
		if largest < 1e-9 {
			break
		}
		if step == 199 || math.IsNaN(largest) {
			return nil, errRatings
		}
	}
	all := make([]Rating, n)
	for i := range n {
		variance := spread[i][i] + spread[anchor][anchor] - 2*spread[i][anchor]
		all[i] = Rating{
			Elo:   elo + (r[i]-r[anchor])/perElo,
			Error: deviation * math.Sqrt(max(0, variance)) / perElo,
		}
	}
	return all, nil
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// inverse returns the inverse of a positive definite matrix, which it uses up
// (Gauss and Jordan; such matrices need no pivots).
func inverse(m [][]float64) [][]float64 {
	n := len(m)
	inv := make([][]float64, n)
	for i := range n {
		inv[i] = make([]float64, n)
		inv[i][i] = 1
	}
	for i := range n {
		pivot := m[i][i]
		for k := range n {
			m[i][k] /= pivot
			inv[i][k] /= pivot
		}
		for j := range n {
			if factor := m[j][i]; j != i && factor != 0 {
				for k := range n {
					m[j][k] -= factor * m[i][k]
					inv[j][k] -= factor * inv[i][k]
				}
			}
		}
	}
	return inv
}
