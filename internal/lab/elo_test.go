package lab_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"gomokud/internal/lab"
)

func near(got, want, by float64) bool { return math.Abs(got-want) <= by }

func TestEloOfAShare(t *testing.T) {
	for _, tt := range []struct{ share, elo float64 }{
		{0.5, 0}, {0.75, 190.85}, {0.25, -190.85}, {10.0 / 11, 400}, {0.64, 99.95}, {0.99, 798.25},
	} {
		if got := lab.Elo(tt.share); !near(got, tt.elo, 0.01) {
			t.Errorf("Elo of %v: %v, want %v", tt.share, got, tt.elo)
		}
		if got := lab.Share(tt.elo); !near(got, tt.share, 1e-4) {
			t.Errorf("share at %v: %v, want %v", tt.elo, got, tt.share)
		}
	}
	if !math.IsInf(lab.Elo(1), 1) || !math.IsInf(lab.Elo(0), -1) {
		t.Error("a clean sweep has a finite Elo")
	}
}

func TestEstimatesOfPairs(t *testing.T) {
	for _, tt := range []struct {
		name           string
		pairs          lab.Pairs
		elo, low, high float64
	}{
		// Pairs of 0 and 1 in equal numbers, 1000: deviation 0.5, error of the
		// mean 0.0158, shares from 0.469 to 0.531.
		{"even and wild", lab.Pairs{500, 0, 0, 0, 500}, 0, -21.6, 21.6},
		// Games of fair coins: 1, 4, 6, 4, 1 of 16; deviation of a pair 0.25.
		{"fair coins", lab.Pairs{100, 0, 800, 0, 100}, 0, -9.7, 9.7},
		// Share 0.75 with variance 1/16: error of the mean 0.0125 in 400.
		{"three quarters", lab.Pairs{0, 0, 200, 0, 200}, 190.85, 168.7, 214.7},
	} {
		got := tt.pairs.Estimate()
		if !near(got.Elo, tt.elo, 0.01) || !near(got.Low, tt.low, 1) || !near(got.High, tt.high, 1) {
			t.Errorf("%s: %+v, want %v [%v, %v]", tt.name, got, tt.elo, tt.low, tt.high)
		}
	}
	few := lab.Pairs{0, 0, 2, 0, 0}.Estimate()
	if few.Low > -100 || few.High < 100 {
		t.Errorf("two even pairs are certain: %v", few)
	}
	sweep := lab.Pairs{0, 0, 0, 0, 50}.Estimate()
	if !math.IsInf(sweep.Elo, 1) || !math.IsInf(sweep.High, 1) || sweep.Low < 300 || math.IsInf(sweep.Low, 0) {
		t.Errorf("a clean sweep of 50 pairs: %v", sweep)
	}
	text, err := json.Marshal(sweep)
	var back map[string]*float64
	if err != nil || json.Unmarshal(text, &back) != nil || back["elo"] != nil || back["high"] != nil || back["low"] == nil {
		t.Errorf("in JSON: %s, %v", text, err)
	}
}

// TestTheIntervalHoldsTheTruth: of intervals of 95 %, about 95 % must.
func TestTheIntervalHoldsTheTruth(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	const truth, times = 80.0, 2000
	held := 0
	for range times {
		e := simulate(random, truth, 100).Estimate()
		if e.Low <= truth && truth <= e.High {
			held++
		}
	}
	if share := float64(held) / times; share < 0.93 || share > 0.97 {
		t.Errorf("%.1f %% of the intervals hold the truth", 100*share)
	}
}

// simulate plays pairs of games that the difference of ratings decides.
func simulate(random *rand.Rand, elo float64, pairs int) lab.Pairs {
	var p lab.Pairs
	for range pairs {
		halves := 0
		for range 2 {
			if random.Float64() < lab.Share(elo) {
				halves += 2
			}
		}
		p[halves]++
	}
	return p
}

func TestTheSequentialTestDecidesRight(t *testing.T) {
	const times, most = 200, 20000
	for _, tt := range []struct {
		name  string
		truth float64
		want  lab.Verdict
		wrong float64 // part that may go wrong, by 5 % and chance
	}{
		{"clearly worse", -40, lab.AcceptH0, 0},
		{"just not better", 0, lab.AcceptH0, 0.09},
		{"just better", 20, lab.AcceptH1, 0.09},
		{"clearly better", 60, lab.AcceptH1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(7, 7))
			wrong, pairs := 0, 0
			test := lab.SPRT{Elo0: 0, Elo1: 20}
			for range times {
				var p lab.Pairs
				verdict := lab.Undecided
				for n := 0; verdict == lab.Undecided && n < most; n++ {
					one := simulate(random, tt.truth, 1)
					for halves, count := range one {
						p[halves] += count
					}
					verdict = test.Decide(p)
				}
				if verdict != tt.want {
					wrong++
				}
				pairs += p.Pairs()
			}
			if share := float64(wrong) / times; share > tt.wrong {
				t.Errorf("%.1f %% of the verdicts are wrong", 100*share)
			}
			t.Logf("%d pairs a test, %d of %d wrong", pairs/times, wrong, times)
		})
	}
}

func TestNoTestNeverDecides(t *testing.T) {
	if v := (lab.SPRT{}).Decide(lab.Pairs{0, 0, 0, 0, 1000}); v != lab.Undecided {
		t.Errorf("verdict %q", v)
	}
	if v := (lab.SPRT{Elo0: 0, Elo1: 100}).Decide(lab.Pairs{4: 1}); v != lab.Undecided {
		t.Errorf("verdict %q after one pair", v)
	}
}
