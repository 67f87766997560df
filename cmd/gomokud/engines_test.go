package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"gomokud/internal/ai"
	"gomokud/internal/rules"
)

// centred is a program that begins in the centre of a board of 15×15, and plays
// on in a corner.
const centred = `#!/bin/sh
while read -r line; do case $line in
	START*) echo OK;;
	BEGIN*) echo "$1";;
	TURN*|DONE*) echo 0,0;;
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
	r := catalogue(programs)
	opponents, players := r.offered, r.players
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
	thought, err := r.external["centred"]().Think(t.Context(), ai.Position{Size: rules.Size{Width: 15, Height: 15}, ToMove: rules.Black}, ai.Budget{Time: time.Minute})
	if err != nil || thought.Move != (rules.Point{X: 7, Y: 7}) {
		t.Errorf("thought %+v, %v", thought, err)
	}
}

// A flag is one program with whatever arguments; in the environment commas stand
// between programs.
func TestCommasSeparateInTheEnvironmentOnly(t *testing.T) {
	read := func(args ...string) []string {
		t.Helper()
		var cli commands
		parser, err := kong.New(&cli, kong.DefaultEnvars("GOMOKUD"))
		if err == nil {
			_, err = parser.Parse(args)
		}
		if err != nil {
			t.Fatal(err)
		}
		if args[0] == "worker" {
			return separate(cli.Worker.Engines)
		}
		return separate(cli.Serve.Engines)
	}
	for _, c := range []struct {
		environment string
		args        []string
		want        []string
	}{
		{"a=/a x,b=/b", []string{"serve"}, []string{"a=/a x", "b=/b"}},
		{"a=/a", []string{"worker", "--store", "redis://h"}, []string{"a=/a"}},
		{"", []string{"serve"}, nil},
		{"a=/a,b=/b", []string{"serve", "--engine", "c=/c x,y", "--engine=d=/d 1,2=3"}, []string{"c=/c x,y", "d=/d 1,2=3"}},
		{"", []string{"worker", "--store", "redis://h", "--engine", "c=/c x,y"}, []string{"c=/c x,y"}},
	} {
		t.Setenv("GOMOKUD_ENGINE", c.environment)
		if got := read(c.args...); !slices.Equal(got, c.want) {
			t.Errorf("GOMOKUD_ENGINE=%q %q: read %q, want %q", c.environment, c.args, got, c.want)
		}
	}
}

func TestWhatIsWrongWithAnEngineIsSaid(t *testing.T) {
	good := writeProgram(t, 0o700)
	for text, want := range map[string]string{
		strings.Repeat("c", 33) + "=" + good: "33 characters, and may have 32",
		"Centred=" + good:                    "lower-case",
		"centred":                            "name=/path",
		"influence=" + good:                  "there is an opponent of that name",
	} {
		if _, err := parseGuests([]string{text}, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", text, err, want)
		}
	}
}
