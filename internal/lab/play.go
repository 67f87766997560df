package lab

import (
	"context"
	"sync"
)

// play has games 0 to n-1 played in that order, so many jobs at a time, and
// returns when all have ended. After each it calls done, one at a time; done
// says whether to go on. The error is that of ctx.
func play(ctx context.Context, jobs, n int, game func(int) Game, done func(Record) (more bool)) error {
	playing, stop := context.WithCancel(ctx)
	defer stop()
	var (
		mu   sync.Mutex
		next int
		wait sync.WaitGroup
	)
	take := func() (number int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == n || playing.Err() != nil {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for range max(1, jobs) {
		wait.Go(func() {
			for number, ok := take(); ok; number, ok = take() {
				record, err := game(number).Play(playing)
				if err != nil {
					return // it was broken off
				}
				mu.Lock()
				if playing.Err() == nil && !done(record) {
					stop()
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}

// gameSeed mixes the seed of a match with the number of a game (SplitMix64).
func gameSeed(seed uint64, number int) uint64 {
	z := seed + uint64(number+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
