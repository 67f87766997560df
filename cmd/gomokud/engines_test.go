package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// centred is a program that only knows the centre of a board of 15×15.
const centred = `#!/bin/sh
while read -r line; do case $line in
	START*) echo OK;;
	BEGIN*) echo "$1";;
	END*) exit;;
esac; done
`

func writeProgram(t *testing.T, mode os.FileMode) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "pbrain-centred")
	if err := os.WriteFile(path, []byte(centred), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWrongEnginesExitWithTwo(t *testing.T) {
	good := writeProgram(t, 0o700)
	for _, engines := range [][]string{
		{"centred"}, {"centred="}, {"centred= "}, {"=" + good}, {"Centred=" + good}, {"cen tred=" + good}, {"zentrum_ä=" + good},
		{"centred=" + good + "-not"}, {"centred=" + filepath.Dir(good)}, {"centred=" + writeProgram(t, 0o600)},
		{"centred=" + good, "centred=" + good}, {"influence=" + good}, {strings.Repeat("c", 33) + "=" + good},
	} {
		args := []string{"serve", "--addr", "127.0.0.1:0", "--data", t.TempDir()}
		for _, e := range engines {
			args = append(args, "--engine", e)
		}
		if code := run(t.Context(), args); code != exitUsage {
			t.Errorf("%q: exit code %d, want %d", engines, code, exitUsage)
		}
	}
}

func TestAProgramIsAnOpponent(t *testing.T) {
	guests, err := parseGuests([]string{"centred=" + writeProgram(t, 0o700) + "  7,7 rest"}, 64)
	if err != nil {
		t.Fatal(err)
	}
	if g := guests[0]; !reflect.DeepEqual(g.Args, []string{"7,7", "rest"}) || g.Memory != 64<<20 {
		t.Errorf("guest %+v", g)
	}
	programs, closePrograms := invite(guests, slog.New(slog.DiscardHandler))
	defer closePrograms()
	engines, opponents, players := catalogue(programs)
	if o, p := opponents[len(opponents)-1], players[len(players)-1]; o.Name != "centred" || o.Title == "" || o.About == "" || !o.External || p.Name != "centred" {
		t.Errorf("opponent %+v, player %+v", o, p)
	}
	if o, p := opponents[len(opponents)-1], players[len(players)-1]; o.Works == nil || p.Works == nil {
		t.Error("nobody asks whether it works")
	} else {
		for begun := time.Now(); !o.Works() || !p.Works(); time.Sleep(10 * time.Millisecond) {
			if time.Since(begun) > time.Minute {
				t.Fatal("it is not offered though it works")
			}
		}
	}
	thought, err := engines["centred"]().Think(t.Context(), ai.Position{Size: rules.Size{Width: 15, Height: 15}, ToMove: rules.Black}, ai.Budget{Time: time.Minute})
	if err != nil || thought.Move != (rules.Point{X: 7, Y: 7}) {
		t.Errorf("thought %+v, %v", thought, err)
	}
}
