package lab_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gomokud/internal/lab"
)

// results simulates games of each two players of given ratings.
func results(elos []float64, games int, random *rand.Rand) [][]float64 {
	points := make([][]float64, len(elos))
	for i := range points {
		points[i] = make([]float64, len(elos))
	}
	for i := range elos {
		for j := range i {
			for range games {
				if random.Float64() < lab.Share(elos[i]-elos[j]) {
					points[i][j]++
				} else {
					points[j][i]++
				}
			}
		}
	}
	return points
}

func TestRatingsAreRecovered(t *testing.T) {
	truth := []float64{1200, 1350, 1000, 1800, 1600, 800, 1550}
	const anchor, times = 2, 100
	random := rand.New(rand.NewPCG(3, 3))
	held := 0
	for range times {
		got, err := lab.Ratings(results(truth, 400, random), anchor, truth[anchor])
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range got {
			switch {
			case i == anchor:
				if r.Elo != truth[i] || r.Error != 0 {
					t.Errorf("the anchor's rating is %+v", r)
				}
			case near(r.Elo, truth[i], r.Error):
				held++
			case !near(r.Elo, truth[i], 4*r.Error):
				t.Errorf("player %d: %+v, want %v", i, r, truth[i])
			}
			if i != anchor && (r.Error <= 0 || r.Error > 60) {
				t.Errorf("player %d: %+v", i, r)
			}
		}
	}
	if share := float64(held) / (times * float64(len(truth)-1)); share < 0.92 || share > 0.98 {
		t.Errorf("%.1f %% of the intervals of 95 %% hold the truth", 100*share)
	}
}

func TestTwoPlayersAreRatedAsByTheirShare(t *testing.T) {
	got, err := lab.Ratings([][]float64{{0, 750}, {250, 0}}, 1, 1000)
	if err != nil || !near(got[0].Elo, 1000+lab.Elo(0.75), 1) {
		t.Errorf("%+v, %v", got, err)
	}
	// The error of a share of 0.75 in 1000 games is 0.0137, and there Elo grows
	// by 926 a point of share: 1.96 * 0.0137 * 926.
	if !near(got[0].Error, 24.9, 0.5) {
		t.Errorf("error %v", got[0].Error)
	}
}

func TestSweepsAndStrangersHaveFiniteRatings(t *testing.T) {
	got, err := lab.Ratings([][]float64{
		{0, 1000, 0, 0}, // beats the second always
		{0, 0, 1000, 0}, // who beats the third always
		{0, 0, 0, 0},
		{0, 0, 0, 0}, // nobody played with the fourth
	}, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range got {
		if math.IsNaN(r.Elo) || math.IsInf(r.Elo, 0) || math.IsNaN(r.Error) || math.IsInf(r.Error, 0) {
			t.Errorf("player %d: %+v", i, r)
		}
	}
	if !(got[0].Elo > got[1].Elo+500 && got[1].Elo > got[2].Elo+500) {
		t.Errorf("%+v", got)
	}
}
