package match_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// FuzzCommands reads any bytes as a room and commands in it; the laws are the
// properties' own.
func FuzzCommands(f *testing.F) {
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{1}, 60))
	f.Add([]byte("five in a row, and then some more, until the board is as full as it can be"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &numbers{data[:min(len(data), 1000)]} // about as many commands as a property's
		tr := newTrial(t, d)
		for serial := 0; len(d.data) > 0; serial++ {
			tr.step(randomCommand(d, tr.state, serial), randomTime(d, tr.state))
			tr.tickLaw()
		}
		tr.refold()
	})
}

// FuzzDecode: whatever can be read and written can be read again, and is
// written the same from then on.
func FuzzDecode(f *testing.F) {
	for _, w := range written {
		f.Add([]byte(w.json))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		event, err := match.Decode(data)
		if err != nil {
			return
		}
		first, err := match.Encode(event)
		if err != nil {
			return // some points and sizes that are left out are none
		}
		again, err := match.Decode(first)
		if err != nil {
			t.Fatalf("%s was written as %s and is not read again: %v", data, first, err)
		}
		second, err := match.Encode(again)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%s was written as %s and then, error %v, as\n%s", data, first, err, second)
		}
	})
}

// FuzzFold: a damaged log is refused or leads to a room that works, but never
// to a panic. The log is a line an event.
func FuzzFold(f *testing.F) {
	for _, log := range scriptLogs(f) {
		f.Add(log)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var log []match.Event
		for line := range bytes.Lines(data) {
			if e, err := match.Decode(line); err == nil {
				log = append(log, e)
			}
		}
		s, err := match.Fold(log)
		if err != nil {
			return
		}
		exercise(s)
	})
}

// exercise asks a state all that a server asks it.
func exercise(s *match.State) {
	s.Wake()
	s.BotToMove()
	s.AppendForbidden(nil)
	for _, c := range []rules.Color{rules.Black, rules.White} {
		s.ClockOf(c, s.At+1)
		for _, act := range []match.Action{
			match.Place{Ply: len(s.Moves), Point: s.Game.Size.Center()}, match.Place{Ply: len(s.Moves)},
			match.Pass{Ply: len(s.Moves)}, match.Resign{}, match.Abort{}, match.Claim{}, match.Sit{},
			match.Offer{What: match.Takeback}, match.Offer{What: match.Draw}, match.Offer{What: match.Rematch},
			match.Accept{What: match.Takeback}, match.Accept{What: match.Draw}, match.Accept{What: match.Rematch},
			match.Decline{What: match.Draw}, match.Tick{}, match.Credit{To: s.At}, match.Depart{Color: c}, match.Return{Color: c},
		} {
			_, _ = match.Decide(s, match.Command{ID: "x", By: s.Seats.Of(c).Player, Act: act}, s.At+1)
		}
	}
}

// scriptLogs are the logs of the games in testdata, to be damaged.
func scriptLogs(f *testing.F) (logs [][]byte) {
	f.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("found %d scripts, error %v", len(files), err)
	}
	for _, file := range files {
		script, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		_, log := play(f, string(script))
		var lines []byte
		for _, e := range log {
			data, err := match.Encode(e)
			if err != nil {
				f.Fatal(err)
			}
			lines = append(append(lines, data...), '\n')
		}
		logs = append(logs, lines)
	}
	return logs
}
