package main

import (
	"fmt"

	"gomokud/internal/ai/opponents"
)

// list names the players.
type list struct{}

// Run prints a name a line.
func (*list) Run() error {
	fmt.Println("tengen")
	for _, o := range opponents.All(nil) {
		fmt.Println(o.Name)
	}
	return nil
}
