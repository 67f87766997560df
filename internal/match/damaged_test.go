package match_test

import (
	"strings"
	"testing"

	"gomokud/internal/match"
)

// A log that no Decide could have written is refused, event by event.
func TestDamagedLogs(t *testing.T) {
	const (
		created = `{"kind":"created","at":1,"game":{"rule":"renju","size":"5x5","clock":{}},"host":"a","limits":{}}`
		black   = `{"kind":"seated","at":1,"color":"black","player":{"id":"a","name":"A"}}`
		white   = `{"kind":"seated","at":1,"color":"white","player":{"id":"b","name":"B"}}`
		started = `{"kind":"started","at":1,"number":1,"black":"a","white":"b"}`
		placed  = `{"kind":"placed","at":1,"point":"a1","clock":{}}`
		ended   = `{"kind":"ended","at":1,"reason":"agreement"}`
	)
	game := []string{created, black, white, started}
	for _, c := range []struct {
		name   string
		before []string
		last   string
	}{
		{"nothing created", nil, black},
		{"created twice", []string{created}, created},
		{"no board", nil, `{"kind":"created","at":1,"game":{"rule":"renju"}}`},
		{"an impossible clock", nil, `{"kind":"created","at":1,"game":{"rule":"renju","size":"5x5","clock":{"main":-1}}}`},
		{"an unknown policy", nil, `{"kind":"created","at":1,"game":{"rule":"renju","size":"5x5","clock":{},"forbidden":"ignored"}}`},
		{"seated with no colour", []string{created}, `{"kind":"seated","at":1,"player":{"id":"a"}}`},
		{"nobody seated", []string{created}, `{"kind":"seated","at":1,"color":"black","player":{}}`},
		{"seated on a taken seat", []string{created, black}, `{"kind":"seated","at":1,"color":"black","player":{"id":"b"}}`},
		{"seated after the end", []string{created, black, ended}, white},
		{"started with both seats empty", []string{created}, started},
		{"started with both seats empty, and so named", []string{created}, `{"kind":"started","at":1,"number":1}`},
		{"started with a seat empty", []string{created, black}, started},
		{"started with a seat empty, and so named", []string{created, black}, `{"kind":"started","at":1,"number":1,"black":"a"}`},
		{"started by strangers", game[:3], `{"kind":"started","at":1,"number":1,"black":"a","white":"c"}`},
		{"started against oneself", game[:3], `{"kind":"started","at":1,"number":1,"black":"a","white":"a"}`},
		{"started twice", game, `{"kind":"started","at":1,"number":2,"black":"b","white":"a"}`},
		{"started with a wrong number", append(game, ended), `{"kind":"started","at":1,"number":7,"black":"b","white":"a"}`},
		{"placed before the start", game[:3], placed},
		{"placed after the end", append(game, ended), placed},
		{"placed on a stone", append(game, placed), placed},
		{"placed off the board", game, `{"kind":"placed","at":1,"point":"f1","clock":{}}`},
		{"passed before the start", game[:3], `{"kind":"passed","at":1,"clock":{}}`},
		{"an unknown offer", game, `{"kind":"offered","at":1,"what":"chess","color":"black"}`},
		{"an offer by nobody", game, `{"kind":"offered","at":1,"what":"draw"}`},
		{"declined by nobody", game, `{"kind":"declined","at":1,"what":"draw"}`},
		{"taken back too much", append(game, placed), `{"kind":"takenback","at":1,"plies":2}`},
		{"taken back nothing", append(game, placed), `{"kind":"takenback","at":1}`},
		{"taken back less than nothing", append(game, placed), `{"kind":"takenback","at":1,"plies":-9223372036854775808}`},
		{"taken back after the end", append(game, placed, ended), `{"kind":"takenback","at":1,"plies":1}`},
		{"nobody away", game, `{"kind":"away","at":1}`},
		{"nobody back", game, `{"kind":"back","at":1}`},
		{"ended twice", append(game, ended), ended},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := new(match.State)
			for _, text := range c.before {
				if err := s.Apply(decoded(t, text)); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
			if err := s.Apply(decoded(t, c.last)); err == nil {
				t.Errorf("%s\nled to %+v, want an error", strings.Join(append(c.before, c.last), "\n"), s)
			}
		})
	}
	if s, err := match.Fold(nil); err == nil {
		t.Errorf("an empty log led to %+v, want an error", s)
	}
}

// A node whose clock was slow may have written an earlier time than the one
// before it; for the room no time passes backwards.
func TestFoldKeepsTheLatestTime(t *testing.T) {
	s, err := match.Fold([]match.Event{
		decoded(t, `{"kind":"created","at":1000,"game":{"rule":"renju","size":"5x5","clock":{}},"host":"a","limits":{}}`),
		decoded(t, `{"kind":"seated","at":900,"color":"black","player":{"id":"a","name":"A"}}`),
	})
	if err != nil || s.At != 1000 {
		t.Errorf("the state's time is %d, error %v, want 1000", s.At, err)
	}
}

func decoded(t *testing.T, text string) match.Event {
	t.Helper()
	e, err := match.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}
