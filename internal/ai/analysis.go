package ai

import (
	"context"
	"time"

	"gomokud/internal/rules"
)

// Analyst is an engine that can say what it thinks while it thinks.
type Analyst interface {
	Engine

	// Analyse looks for the best lines, at most as many as asked for, each with
	// another first move, and reports them best first whenever it knows more:
	// after every depth that it has completed, and last of all what it ends
	// with. The analysis and its lines are the callee's only until report
	// returns. It ends with the budget, with ctx (which is no error), or when
	// every line is proven.
	Analyse(ctx context.Context, p Position, b Budget, lines int, report func(Analysis)) error
}

// Analysis is what an engine makes of a position.
type Analysis struct {
	Lines []Line
	Depth int           // plies that were searched completely
	Nodes int64         // positions that were looked at
	Time  time.Duration // since the start
}

// Line is one way to go on.
type Line struct {
	Moves []rules.Point // the play that is expected
	Score int           // for the side to move: hundredths of the worth of an open two
	Mate  int           // as in Thought
}
