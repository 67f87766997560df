package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"gomokud/internal/match"
	"gomokud/internal/store"
)

// post is a store whose announcements lie there until a test delivers them.
type post struct {
	*frail
	letters chan store.Announcement
	deliver func(store.Announcement)
	reads   atomic.Int64
}

func (p *post) Follow(room string, fn func(store.Announcement)) func() {
	p.deliver = fn
	return p.frail.Follow(room, func(a store.Announcement) { p.letters <- a })
}

func (p *post) Read(ctx context.Context, room string, from int) (store.Tail, error) {
	p.reads.Add(1)
	return p.frail.Read(ctx, room, from)
}

// meddler is a host to whose work a test adds.
type meddler struct {
	host
	also func(*room)
}

func (m *meddler) changed(r *room) { m.host.changed(r); m.add(r) }
func (m *meddler) known(r *room)   { m.host.known(r); m.add(r) }

func (m *meddler) add(r *room) {
	if m.also != nil {
		m.also(r)
	}
}

// gallery is a node that hears of a game elsewhere what a test lets it hear, and
// Eve, who looks on there.
type gallery struct {
	t           *testing.T
	here, there *Hub // the moves are made there
	post        *post
	keeper      *meddler
	players     [2]*client // at the other node
	own         [2]*client // the same people here, so that no seat is left
	eve         *client
	room        *room
	began       int // the version from which on the game is heard of
	taken       int // steps
	told        [][]byte
}

// steps are a game; of some nobody would notice if they were taken twice.
var steps = []struct {
	player int
	act    match.Action
}{
	{0, match.Place{Point: middle}},
	{1, match.Offer{What: match.Draw}},
	{0, match.Decline{What: match.Draw}},
}

func newGallery(t *testing.T) *gallery {
	t.Helper()
	st := newFrail(t)
	g := &gallery{post: &post{frail: &frail{Store: st.Store}, letters: make(chan store.Announcement, 64)}, keeper: new(meddler)}
	g.here, g.there = idleHub(t, g.post, asker{}), idleHub(t, st, asker{})
	g.here.keeper = g.keeper
	g.open(t)
	return g
}

// open begins a game, which t is about.
func (g *gallery) open(t *testing.T) {
	t.Helper()
	g.t = t
	id := newTable(g.t, g.there)
	for i, player := range []string{"ann", "bob"} {
		g.players[i] = follows(g.t, g.there, player, id)
		g.own[i] = follows(g.t, g.here, player, id)
	}
	g.eve = follows(g.t, g.here, "eve", id)
	g.room, g.taken, g.told = g.eve.in(id), 0, nil
	for _, r := range []*room{g.room, g.players[0].in(id)} {
		owned(g.t, r, func() { stopTimer(&r.check) }) // which was set before both had come
	}
	g.began = g.room.shown
	r := g.room
	t.Cleanup(func() {
		select {
		case <-r.token: // else everybody would wait to leave
			t.Error("the room's token is left taken")
		default:
		}
	})
}

// take has one of two players take the next step.
func (g *gallery) take(players [2]*client) {
	g.t.Helper()
	step := steps[g.taken]
	g.taken++
	if _, err := players[step.player].play(g.t.Context(), request{ID: fmt.Sprint(g.taken), Room: g.room.id}, step.act); err != nil {
		g.t.Fatal(err)
	}
}

// hear is what is announced of the next n steps, taken at the other node.
func (g *gallery) hear(n int) []store.Announcement {
	g.t.Helper()
	var heard []store.Announcement
	for range n {
		g.take(g.players)
		a := <-g.post.letters
		for a.Room != g.room.id || a.Version <= g.began { // how it began, announced late
			a = <-g.post.letters
		}
		if a.Version != g.began+g.taken || len(a.Events) != 1 {
			g.t.Fatalf("of step %d was announced %+v", g.taken, a)
		}
		heard = append(heard, a)
	}
	return heard
}

// listen takes up what Eve was told, and checks that it goes on where the last
// message ended.
func (g *gallery) listen() int {
	g.t.Helper()
	for _, frame := range g.eve.told() {
		var m eventsMessage
		if err := json.Unmarshal(frame[bytes.IndexByte(frame, '{'):], &m); err != nil {
			g.t.Fatal(err)
		}
		if m.Type != "events" {
			g.t.Fatalf("Eve was told %q", frame)
		}
		if from := m.Version - len(m.Events); from != g.began+len(g.told) {
			g.t.Fatalf("after %d steps Eve was told of %d from version %d on, want %d", len(g.told), len(m.Events), from, g.began+len(g.told))
		}
		for _, e := range m.Events {
			g.told = append(g.told, e)
		}
	}
	return len(g.told)
}

// free waits until nobody has the token, no look is to come, and more holds.
func (g *gallery) free(what string, more func() bool) {
	g.t.Helper()
	until(g.t, "the room is free and "+what, func() bool {
		select {
		case g.room.token <- struct{}{}:
			defer g.room.give()
			return !g.room.looking.Load() && more()
		default:
			return false
		}
	})
}

// settle waits until the node knows n steps, as they are, and checks that Eve was
// told of each once and in order.
func (g *gallery) settle(n int) {
	g.t.Helper()
	g.free(fmt.Sprintf("%d steps are known", n), func() bool {
		return g.room.state != nil && g.room.state.Version >= g.began+n
	})
	if got := g.listen(); got != n {
		g.t.Fatalf("Eve was told of %d steps, want %d", got, n)
	}
	tail, err := g.post.frail.Read(g.t.Context(), g.room.id, 0)
	if err != nil || !slices.EqualFunc(tail.Events[g.began:], g.told, bytes.Equal) {
		g.t.Fatalf("Eve was told\n%q, the log has\n%q, %v", g.told, tail.Events, err)
	}
	state := new(match.State)
	for _, raw := range tail.Events {
		e, err := match.Decode(raw)
		if err == nil {
			err = state.Apply(e)
		}
		if err != nil {
			g.t.Fatal(err)
		}
	}
	owned(g.t, g.room, func() {
		if got, want := marshal(newStateView(g.room.state)), marshal(newStateView(state)); !bytes.Equal(got, want) {
			g.t.Fatalf("the state is\n%s, want\n%s", got, want)
		}
	})
}

// TestWhoHearsAnAnnouncementTellsIt: at once, and nothing is read.
func TestWhoHearsAnAnnouncementTellsIt(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	heard := g.hear(3)
	before := g.post.reads.Load()
	for i, a := range heard {
		g.post.deliver(a)
		if got := g.listen(); got != i+1 {
			t.Fatalf("Eve was told of %d steps, want %d", got, i+1)
		}
		g.post.deliver(a)
	}
	g.settle(3)
	if n := g.post.reads.Load() - before; n != 0 {
		t.Errorf("the log was read %d times", n)
	}
	if n := g.room.news.Load(); n != 3 {
		t.Errorf("%d announcements were news, want 3", n)
	}
}

// TestAnnouncementsAreFollowedInWhateverOrderTheyCome: some are lost, late,
// doubled, or bring along more than is missing; what the room is at meanwhile
// changes nothing.
func TestAnnouncementsAreFollowedInWhateverOrderTheyCome(t *testing.T) {
	t.Parallel()
	ways := map[string]func(*gallery, []store.Announcement){
		"while the room is free": func(g *gallery, heard []store.Announcement) {
			for _, a := range heard {
				g.post.deliver(a)
			}
		},
		"while the token is taken": func(g *gallery, heard []store.Announcement) {
			owned(g.t, g.room, func() {
				for _, a := range heard {
					g.post.deliver(a)
				}
				if got := g.listen(); got != 0 {
					g.t.Fatalf("Eve was told of %d steps beside who has the token", got)
				}
			})
		},
		"as news, which they no longer are": func(g *gallery, heard []store.Announcement) {
			for _, a := range heard {
				g.room.known.Store(0) // as when two are heard at once
				g.post.deliver(a)
			}
		},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGallery(t)
			for order := range 4 * 4 * 4 {
				first, second, third := order/16, order/4%4, order%4
				t.Run(fmt.Sprintf("%d, %d, %d", first, second, third), func(t *testing.T) {
					g.open(t)
					letters := g.hear(3)
					letters = append(letters, store.Announcement{
						Room: g.room.id, Version: letters[1].Version, Events: slices.Concat(letters[0].Events, letters[1].Events),
					})
					way(g, []store.Announcement{letters[first], letters[second], letters[third]})
					if first != 2 && second != 2 && third != 2 { // nothing tells of the last step
						g.post.deliver(store.Announcement{Room: g.room.id}) // as after a gap in the line to the store
					}
					g.settle(3)
				})
			}
		})
	}
}

// TestWhatIsAnnouncedWhileWeFoldIsNotLost: who hears of the next move finds the
// one before it on its way to the viewers.
func TestWhatIsAnnouncedWhileWeFoldIsNotLost(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	moves := g.hear(2)
	owned(t, g.room, func() {
		g.keeper.also = func(*room) {
			g.keeper.also = nil
			g.post.deliver(moves[1])
		}
	})
	g.post.deliver(moves[0])
	g.settle(2)
}

// TestAFaultInWhatIsOverheardCostsNoGame: neither the process nor the room, even
// if whoever looks at it next meets with the fault again.
func TestAFaultInWhatIsOverheardCostsNoGame(t *testing.T) {
	t.Parallel()
	for name, lasts := range map[string]bool{"once": false, "again and again": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGallery(t)
			fault := func(*room) {
				if !lasts {
					g.keeper.also = nil
				}
				panic("a fault of ours")
			}
			owned(t, g.room, func() { g.keeper.also = fault })
			g.post.deliver(g.hear(1)[0])
			g.free("nobody looks", func() bool { return true })
			if lasts {
				if err := offline(g.here, "fay").join(t.Context(), request{ID: "join", Room: g.room.id}); err == nil || refusalOf(err).code != "internal" {
					t.Errorf("who comes meanwhile is answered with %v, want the fault", err)
				}
				owned(t, g.room, func() { g.keeper.also = nil })
			}
			g.post.deliver(g.hear(1)[0])
			g.settle(2)
			g.take(g.own)
			g.settle(3)
		})
	}
}

// TestAFaultInTellingIsNoLoss: what some were told and others were not is still
// in the log, and nobody takes that for one that went backwards.
func TestAFaultInTellingIsNoLoss(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]func(*gallery, store.Announcement){
		"while the room is free":   func(g *gallery, a store.Announcement) { g.post.deliver(a) },
		"while the token is taken": func(g *gallery, a store.Announcement) { owned(g.t, g.room, func() { g.post.deliver(a) }) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGallery(t)
			owned(t, g.room, func() {
				g.room.viewers = append(g.room.viewers, viewer{}) // whom nobody can tell anything
			})
			way(g, g.hear(1)[0])
			g.free("there was a fault", func() bool { return g.room.state == nil })
			owned(t, g.room, func() { g.room.viewers = g.room.viewers[:len(g.room.viewers)-1] })
			g.post.deliver(g.hear(1)[0])
			g.free("both steps are known", func() bool { return g.room.state != nil && g.room.shown == g.began+2 })
			counts := prometheus.NewRegistry()
			counts.MustRegister(g.here.metrics.mends)
			families, err := counts.Gather()
			if err != nil || len(families) != 1 {
				t.Fatalf("%v, %v", families, err)
			}
			for _, m := range families[0].GetMetric() {
				if n := m.GetCounter().GetValue(); n != 0 {
					t.Errorf("%v times the log was taken for one that went backwards", n)
				}
			}
		})
	}
}
