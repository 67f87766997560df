package main

import (
	"gomokud/internal/ai"
	"gomokud/internal/ai/opponents"
	"gomokud/internal/ai/tengen"
	"gomokud/internal/gomocup/external"
	"gomokud/internal/hub"
	"gomokud/internal/web"
)

// catalogue lists the computer opponents for each who needs them: our own, then
// the programs of --engine.
func catalogue(programs []*external.Program) (map[string]func() ai.Engine, []web.Opponent, []hub.Bot) {
	engines := map[string]func() ai.Engine{}
	var offered []web.Opponent
	var players []hub.Bot
	library := &tengen.Library{}
	library.Prepare() // not on the clock of the first to be played
	for _, o := range opponents.All(library) {
		engines[o.Name] = o.New
		offered = append(offered, web.Opponent{Name: o.Name, Title: o.Title, About: o.About, Level: o.Level, Elo: o.Elo})
		players = append(players, hub.Bot{Name: o.Name, Title: o.Title})
	}
	for _, p := range programs {
		engines[p.Name()] = func() ai.Engine { return p }
		offered = append(offered, web.Opponent{Name: p.Name(), Title: p.Name(), About: "A program from elsewhere that plays on this server.", External: true, Works: p.Works})
		players = append(players, hub.Bot{Name: p.Name(), Title: p.Name(), Works: p.Works})
	}
	return engines, offered, players
}
