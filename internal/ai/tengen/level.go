package tengen

// Level makes the engine as strong as a person of some experience.
type Level struct {
	Number int // 1 to 10
	Elo    int // on the scale of docs/engine.md
}

// Levels lists them, the easiest first.
func Levels() []Level {
	var all []Level
	for n := 1; n <= 10; n++ {
		all = append(all, Level{Number: n})
	}
	return all
}
