package load

import (
	"fmt"
	"strings"
)

// Sizes are how large a scenario is. Zero means that it has no such thing.
type Sizes struct {
	Games      int     `json:"games,omitempty"`      // played at once
	Rate       float64 `json:"rate,omitempty"`       // moves a second over all games; 0: opponents answer at once
	Spectators int     `json:"spectators,omitempty"` // spread over the games
	Idle       int     `json:"idle,omitempty"`       // connections that only sit at a table, to measure memory
	Clients    int     `json:"clients,omitempty"`    // who drop and come back
}

// Own, in a Config, stands for the size that a scenario has by itself.
const Own = -1

var (
	sizeNames = [...]string{"games", "rate", "spectators", "idle", "clients"}
	sizeMost  = [...]float64{maxGames, maxRate, maxConnections, maxConnections, maxConnections}
)

// list are the sizes in the order of their names.
func (s Sizes) list() [len(sizeNames)]float64 {
	return [...]float64{float64(s.Games), s.Rate, float64(s.Spectators), float64(s.Idle), float64(s.Clients)}
}

// with takes what is given in place of the scenario's own; what the scenario
// does not have it does not get.
func (s Sizes) with(given Sizes) Sizes {
	return Sizes{
		Games: choose(s.Games, given.Games), Rate: choose(s.Rate, given.Rate), Spectators: choose(s.Spectators, given.Spectators),
		Idle: choose(s.Idle, given.Idle), Clients: choose(s.Clients, given.Clients),
	}
}

func choose[N int | float64](own, given N) N {
	if own == 0 || given < 0 {
		return own
	}
	return given
}

// lacks reports whether something that the scenario has was set to zero.
func (s Sizes) lacks(own Sizes) bool {
	for i, n := range own.list() {
		if n > 0 && s.list()[i] == 0 {
			return true
		}
	}
	return false
}

// check makes sure that each size that is given is one of a chosen scenario's.
func (s Sizes) check(chosen []scenario) error {
	for i, n := range s.list() {
		if n != Own && !(n >= 0 && n <= sizeMost[i]) { // nor is it NaN
			return badConfig("%s: must be from 0 to %v", sizeNames[i], int(sizeMost[i]))
		}
		used := n <= 0
		var names []string
		for _, sc := range chosen {
			used = used || sc.own.list()[i] > 0
			names = append(names, sc.name)
		}
		if !used {
			return badConfig("%s: of no use to %s; choose another scenario", sizeNames[i], strings.Join(names, ", "))
		}
	}
	return nil
}

// checkFiles makes sure that so many connections may be open, in this process
// and in the server's.
func (s Sizes) checkFiles() error {
	const others = 256
	need := 2*s.Games + s.Spectators + s.Idle + 2*s.Clients + others // those who drop may come back before they are gone
	if most := openFiles(); uint64(need) > most {
		return fmt.Errorf("%d open files are needed and %d allowed: raise 'ulimit -n'", need, most)
	}
	return nil
}

// String says how large it is, for people.
func (s Sizes) String() string {
	var parts []string
	if s.Games > 0 {
		pace := "opponents answer at once"
		if s.Rate > 0 {
			pace = fmt.Sprintf("%g moves/s", s.Rate)
		}
		parts = append(parts, counted(s.Games, "game"), pace)
	}
	if s.Spectators > 0 {
		parts = append(parts, counted(s.Spectators, "spectator"))
	}
	if s.Idle > 0 {
		parts = append(parts, counted(s.Idle, "idle connection"))
	}
	if s.Clients > 0 {
		parts = append(parts, counted(s.Clients, "client"))
	}
	return strings.Join(parts, ", ")
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
