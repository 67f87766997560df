package main

import (
	"gomokud/internal/ai"
	"gomokud/internal/ai/opponents"
	"gomokud/internal/ai/tengen"
	"gomokud/internal/gomocup/external"
	"gomokud/internal/hub"
	"gomokud/internal/web"
)

// engineList makes engines by the names of their bots.
type engineList = map[string]func() ai.Engine

// roster is the computer opponents as each needs them who deals with them.
type roster struct {
	own, external engineList // who think in this process, and who have processes of their own
	offered       []web.Opponent
	players       []hub.Bot
}

// catalogue lists the computer opponents: our own, then the programs of --engine.
func catalogue(programs []*external.Program) roster {
	r := roster{own: engineList{}, external: engineList{}}
	library := &tengen.Library{}
	library.Prepare() // not on the clock of the first to be played
	for _, o := range opponents.All(library) {
		r.own[o.Name] = o.New
		r.offered = append(r.offered, web.Opponent{Name: o.Name, Title: o.Title, About: o.About, Level: o.Level, Elo: o.Elo})
		r.players = append(r.players, hub.Bot{Name: o.Name, Title: o.Title})
	}
	for _, p := range programs {
		r.external[p.Name()] = func() ai.Engine { return p }
		r.offered = append(r.offered, web.Opponent{Name: p.Name(), Title: p.Name(), About: "A program from elsewhere that plays on this server.", External: true, Works: p.Works})
		r.players = append(r.players, hub.Bot{Name: p.Name(), Title: p.Name(), Works: p.Works})
	}
	return r
}
