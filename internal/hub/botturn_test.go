package hub

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"gomokud/internal/ai"
	"gomokud/internal/match"
	"gomokud/internal/rules"
)

// notebook is a thinker that writes down what it is told.
type notebook struct {
	asked  chan question
	called chan string // off, by room
}

type question struct {
	job    ai.Job
	answer func(ai.Answer)
}

func newNotebook() notebook { return notebook{make(chan question, 16), make(chan string, 16)} }

func (n notebook) Submit(job ai.Job, answer func(ai.Answer)) error {
	n.asked <- question{job, answer}
	return nil
}

func (n notebook) Cancel(room string) { n.called <- room }

// idle fails the test if the bot was asked or called off since the last look.
func (n notebook) idle(t *testing.T) {
	t.Helper()
	if len(n.asked) > 0 || len(n.called) > 0 {
		t.Errorf("asked %d times and called off %d times too often", len(n.asked), len(n.called))
	}
}

// newBotTable makes a room in which Ann has Black against a bot.
func newBotTable(t *testing.T, h *Hub) string {
	t.Helper()
	id := rand.Text()
	g := match.Game{Rule: rules.Freestyle, Size: rules.Size{Width: 15, Height: 15}}
	events, err := match.Create(match.Command{By: match.Player{ID: "ann", Name: "Ann"}}, g, match.DefaultLimits(),
		rules.Black, &match.Player{ID: "bot:b", Name: "B", Bot: "b"}, h.clock.now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.found(t.Context(), id, events); err != nil {
		t.Fatal(err)
	}
	return id
}

// newBotTurn makes such a room in which the bot has just been asked.
func newBotTurn(t *testing.T) (h *Hub, book notebook, id string, q question) {
	t.Helper()
	book = newNotebook()
	h = idleHub(t, newFrail(t), book)
	id = newBotTable(t, h)
	does(t, h, id, match.Place{Point: middle})
	return h, book, id, <-book.asked
}

// does has Ann do something in the room.
func does(t *testing.T, h *Hub, id string, act match.Action) {
	t.Helper()
	err := h.within(t.Context(), id, func(r *room) error {
		_, err := r.command(t.Context(), match.Command{ID: rand.Text(), By: match.Player{ID: "ann", Name: "Ann"}, Act: act}, h.clock.now())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

var middle = rules.Point{X: 7, Y: 7}

func TestABotIsCalledOffWhenNobodyWantsItsMove(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]match.Action{
		"the game ends":          match.Resign{},
		"the move is taken back": match.Offer{What: match.Takeback},
	} {
		for where, elsewhere := range map[string]bool{"here": false, "on another node": true} {
			t.Run(name+" "+where, func(t *testing.T) {
				st, book := newFrail(t), newNotebook()
				h := idleHub(t, st, book)
				actor := h
				if elsewhere {
					actor = idleHub(t, st, newNotebook())
				}
				id := newBotTable(t, h)
				does(t, h, id, match.Place{Point: middle}) // and nobody follows the room
				<-book.asked
				book.idle(t)
				does(t, actor, id, act)
				if got := <-book.called; got != id {
					t.Errorf("called off in %s, want %s", got, id)
				}
				book.idle(t)
				until(t, "the room has left the memory", func() bool { return h.registry.size() == 0 })
			})
		}
	}
}

func TestARoomStaysWhileABotThinks(t *testing.T) {
	t.Parallel()
	h, book, id, q := newBotTurn(t)
	h.tick(t.Context(), id) // whoever looks at the room does not ask again
	book.idle(t)
	if h.registry.size() != 1 {
		t.Error("the room has left the memory")
	}
	q.answer(ai.Answer{Room: id, Version: q.job.Version, Move: rules.Point{X: 7, Y: 8}, Failure: ai.Late})
	until(t, "the bot has moved and the room has left the memory", func() bool { return h.registry.size() == 0 })
	err := h.within(t.Context(), id, func(r *room) error {
		if len(r.state.Moves) != 2 {
			t.Errorf("%d moves, want 2", len(r.state.Moves))
		}
		if told := string(marshal(newStateView(r.state))); !strings.Contains(told, `"stand_ins":[{"ply":1,"failure":"late"}]`) {
			t.Errorf("nobody who comes now is told who moved: %s", told)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What a bot has answered is on its way to the store for a while.
func TestABotIsNotAskedAgainWhileItsAnswerIsPlayed(t *testing.T) {
	t.Parallel()
	h, book, id, q := newBotTurn(t)
	err := h.within(t.Context(), id, func(r *room) error {
		q.answer(ai.Answer{Room: id, Version: q.job.Version, Move: rules.Point{X: 7, Y: 8}})
		r.nudge()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the bot has moved and the room has left the memory", func() bool { return h.registry.size() == 0 })
	book.idle(t)
}

func TestABotWhoseAnswerWasNoneIsAskedAgain(t *testing.T) {
	t.Parallel()
	h, book, id, q := newBotTurn(t)
	q.answer(ai.Answer{Room: id, Version: q.job.Version, Err: errors.New("the pool failed")})
	until(t, "the room has left the memory", func() bool { return h.registry.size() == 0 })
	h.tick(t.Context(), id)
	if again := <-book.asked; again.job.Version != q.job.Version {
		t.Errorf("asked about %d, want %d", again.job.Version, q.job.Version)
	}
}

func TestABotsQuestionNamesItsOwnerAndSeed(t *testing.T) {
	t.Parallel()
	st := newFrail(t)
	ask := func(h *Hub, book notebook, room string) ai.Job {
		t.Helper()
		h.spawn(func(ctx context.Context) { h.tick(ctx, room) })
		return (<-book.asked).job
	}
	book, otherBook := newNotebook(), newNotebook()
	h, other := idleHub(t, st, book), idleHub(t, st, otherBook)
	first, second := newBotTable(t, h), newBotTable(t, h)
	does(t, h, first, match.Place{Point: middle})
	job := (<-book.asked).job
	if job.Owner != "ann" {
		t.Errorf("the owner is %q, want Ann", job.Owner)
	}
	if again := ask(other, otherBook, first); again.Budget.Seed != job.Budget.Seed {
		t.Error("two nodes ask with different seeds")
	}
	does(t, h, second, match.Place{Point: middle})
	if next := (<-book.asked).job; next.Budget.Seed == job.Budget.Seed {
		t.Error("two rooms have the same seed")
	}
	does(t, h, first, match.Resign{})
	does(t, h, first, match.Offer{What: match.Rematch}) // the bot has Black now
	if next := (<-book.asked).job; next.Budget.Seed == job.Budget.Seed {
		t.Error("two games of a room have the same seed")
	}
}
