package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"gomokud/internal/store"
)

// ttl is how long the tests' tickets last.
const ttl = 10 * time.Second

var pairing = []contract{
	{"who is alone waits", func(t *testing.T, s Store) {
		expectWait(t, pair(t, s, "ann", "q", 1000), 1000)
	}},
	{"a player is never paired with itself", func(t *testing.T, s Store) {
		for now := int64(1000); now < 5000; now += 1000 {
			expectWait(t, pair(t, s, "ann", "q", now), 1000)
		}
	}},
	{"two of one queue are paired, and both learn the room", func(t *testing.T, s Store) {
		pair(t, s, "ann", "q", 1000)
		got := pair(t, s, "bob", "q", 2000)
		want := store.Pairing{Since: 2000, Room: "room of bob", Opponent: &store.Ticket{
			Player: "ann", Queue: "q", Room: "room of ann", Data: []byte("data of ann\x00\xff"), Since: 1000,
		}}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("bob got %+v, want %+v", got, want)
		}
		want = store.Pairing{Since: 1000, Room: "room of bob"}
		for _, queue := range []string{"q", "other"} {
			if got := pair(t, s, "ann", queue, 3000); !reflect.DeepEqual(got, want) {
				t.Fatalf("ann got %+v, want %+v", got, want)
			}
		}
	}},
	{"an answer that was lost is given again", func(t *testing.T, s Store) {
		pair(t, s, "ann", "q", 1000)
		first := pair(t, s, "bob", "q", 2000)
		if again := pair(t, s, "bob", "q", 2100); !reflect.DeepEqual(again, first) {
			t.Fatalf("bob got %+v, then %+v", first, again)
		}
	}},
	{"queues are apart", func(t *testing.T, s Store) {
		pair(t, s, "ann", "q1", 1000)
		expectWait(t, pair(t, s, "bob", "q2", 1000), 1000)
	}},
	{"a new queue replaces the old", func(t *testing.T, s Store) {
		pair(t, s, "ann", "q1", 1000)
		expectWait(t, pair(t, s, "ann", "q2", 2000), 2000)
		expectWait(t, pair(t, s, "bob", "q1", 3000), 3000)
		expectPair(t, pair(t, s, "cid", "q2", 4000), "cid", "ann")
	}},
	{"renewing keeps the place, with the latest data", func(t *testing.T, s Store) {
		pair(t, s, "ann", "q", 1000)
		p, err := s.Pair(t.Context(), store.Ticket{Player: "ann", Queue: "q", Room: "new", Data: []byte("new")}, 9000, ttl)
		if err != nil {
			t.Fatal(err)
		}
		expectWait(t, p, 1000)
		p = pair(t, s, "bob", "q", 15_000)
		expectPair(t, p, "bob", "ann")
		if p.Opponent.Room != "new" || string(p.Opponent.Data) != "new" || p.Opponent.Since != 1000 {
			t.Errorf("the opponent is %+v", p.Opponent)
		}
	}},
	{"a ticket that is not renewed is gone", func(t *testing.T, s Store) {
		pair(t, s, "ann", "q", 1000)
		expectWait(t, pair(t, s, "bob", "q", 1000+ttl.Milliseconds()), 11_000)
		expectPair(t, pair(t, s, "ann", "q", 12_000), "ann", "bob")
	}},
	{"a renewal that comes too late waits anew", func(t *testing.T, s Store) {
		pair(t, s, "ann", "q", 1000)
		expectWait(t, pair(t, s, "ann", "q", 20_000), 20_000)
	}},
	{"unpairing withdraws a ticket", func(t *testing.T, s Store) {
		pair(t, s, "ann", "q", 1000)
		unpair(t, s, "ann")
		expectWait(t, pair(t, s, "bob", "q", 1000), 1000)
		unpair(t, s, "nobody")
	}},
	{"unpairing forgets a pairing", func(t *testing.T, s Store) {
		pair(t, s, "ann", "q", 1000)
		pair(t, s, "bob", "q", 1000)
		unpair(t, s, "ann")
		unpair(t, s, "bob")
		expectWait(t, pair(t, s, "ann", "q", 2000), 2000)
		expectPair(t, pair(t, s, "bob", "q", 2000), "bob", "ann")
	}},
	{"a pairing that nobody asks for is forgotten", func(t *testing.T, s Store) {
		pair(t, s, "ann", "q", 1000)
		pair(t, s, "bob", "q", 1000)
		later := int64(1000 + 2*time.Minute/time.Millisecond)
		expectWait(t, pair(t, s, "ann", "q", later), later)
	}},
	{"of two searches of a player the later counts", func(t *testing.T, s Store) {
		expectWait(t, search(t, s, "ann", 20, "new", "q2", 1000), 1000)
		expectWait(t, search(t, s, "ann", 10, "old", "q1", 2000), 1000)
		expectWait(t, pair(t, s, "bob", "q1", 3000), 3000)
		expectPair(t, pair(t, s, "cid", "q2", 4000), "cid", "ann")
	}},
	{"a later search for the same keeps the place", func(t *testing.T, s Store) {
		expectWait(t, search(t, s, "ann", 10, "old", "q", 1000), 1000)
		expectWait(t, search(t, s, "ann", 20, "new", "q", 2000), 1000)
	}},
	{"an earlier search goes on when the later is over", func(t *testing.T, s Store) {
		search(t, s, "ann", 20, "new", "q2", 1000)
		unpair(t, s, "ann")
		expectWait(t, search(t, s, "ann", 10, "old", "q1", 2000), 2000)
	}},
	{"all searches of a player learn what one of them found", func(t *testing.T, s Store) {
		search(t, s, "bob", 0, "room of bob", "q", 1000)
		mine := search(t, s, "ann", 10, "mine", "q", 2000)
		if mine.Room != "mine" || mine.Opponent == nil {
			t.Fatalf("got %+v, want to make the room", mine)
		}
		search(t, s, "cid", 0, "room of cid", "q", 2000)
		for _, begun := range []int64{5, 2500} { // nobody has told ann yet
			expectRoom(t, search(t, s, "ann", begun, "other", "q", 3000), "mine")
		}
		if again := search(t, s, "ann", 10, "mine", "q", 3000); !reflect.DeepEqual(again, mine) {
			t.Fatalf("got %+v, then %+v", mine, again)
		}
		if err := s.Settle(t.Context(), "ann", "mine", 4000); err != nil {
			t.Fatal(err)
		}
		expectRoom(t, search(t, s, "ann", 4000, "other", "q", 5000), "mine")
		expectPair(t, search(t, s, "ann", 4001, "room of ann", "q", 5000), "ann", "cid")
	}},
	{"what is settled first stays, and nothing else is", func(t *testing.T, s Store) {
		settle := func(player, room string, now int64) {
			t.Helper()
			if err := s.Settle(t.Context(), player, room, now); err != nil {
				t.Fatal(err)
			}
		}
		settle("nobody", "nowhere", 1000)
		search(t, s, "ann", 10, "room of ann", "q", 1000)
		pair(t, s, "bob", "q", 1000)
		settle("ann", "another", 2000)
		expectRoom(t, search(t, s, "ann", 3000, "new", "q", 3000), "room of bob")
		settle("ann", "room of bob", 2000)
		settle("ann", "room of bob", 4000)
		expectWait(t, search(t, s, "ann", 3000, "new", "q", 5000), 5000)
	}},
	{"withdrawing ends all searches begun before", func(t *testing.T, s Store) {
		search(t, s, "ann", 1000, "old", "q1", 1000)
		search(t, s, "ann", 2000, "new", "q2", 2000)
		withdraw(t, s, "ann", 3000, "")
		for _, queue := range []string{"q1", "q2"} {
			expectWait(t, pair(t, s, "bob in "+queue, queue, 3000), 3000)
		}
		for range 2 {
			expectOver(t, search(t, s, "ann", 1000, "old", "q1", 4000))
			expectOver(t, search(t, s, "ann", 2000, "new", "q2", 4000))
			unpair(t, s, "ann") // does not let them go on
		}
		expectPair(t, search(t, s, "ann", 3001, "room of ann", "q1", 5000), "ann", "bob in q1")
	}},
	{"withdrawing ends what has not been entered yet", func(t *testing.T, s Store) {
		withdraw(t, s, "ann", 1000, "")
		expectOver(t, search(t, s, "ann", 1000, "mine", "q", 1001))
		expectWait(t, search(t, s, "ann", 1001, "mine", "q", 1002), 1002)
		withdraw(t, s, "ann", 2000, "")
		expectOver(t, search(t, s, "ann", 1001, "mine", "q", 2001))
		expectWait(t, search(t, s, "ann", 2002, "mine", "q", 2003), 2003)
	}},
	{"who withdraws too late has an opponent", func(t *testing.T, s Store) {
		pair(t, s, "ann", "q", 1000)
		mine := pair(t, s, "bob", "q", 1000)
		withdraw(t, s, "ann", 2000, "room of bob")
		withdraw(t, s, "bob", 2000, "room of bob")
		expectRoom(t, pair(t, s, "ann", "q", 3000), "room of bob")
		if again := pair(t, s, "bob", "q", 3000); !reflect.DeepEqual(again, mine) {
			t.Fatalf("bob got %+v, then %+v", mine, again)
		}
		expectWait(t, search(t, s, "ann", 2001, "new", "other", 3000), 3000)
		unpair(t, s, "bob") // nobody could make the room
		expectOver(t, pair(t, s, "bob", "q", 4000))
	}},
	{"withdrawing ends a search begun after another was settled", func(t *testing.T, s Store) {
		pair(t, s, "ann", "q", 1000)
		pair(t, s, "bob", "q", 1000)
		if err := s.Settle(t.Context(), "ann", "room of bob", 2000); err != nil {
			t.Fatal(err)
		}
		search(t, s, "ann", 3000, "new", "q", 3000)
		withdraw(t, s, "ann", 4000, "")
		expectOver(t, search(t, s, "ann", 3000, "new", "q", 5000))
	}},
	{"it is not too late to withdraw when a pairing is forgotten", func(t *testing.T, s Store) {
		pair(t, s, "ann", "q", 1000)
		pair(t, s, "bob", "q", 1000)
		later := int64(1000 + 2*time.Minute/time.Millisecond)
		withdraw(t, s, "ann", later, "")
		expectOver(t, pair(t, s, "ann", "q", later))
	}},
	{"searches are listed while they wait, the latest begun first", func(t *testing.T, s Store) {
		expectSearches(t, s, 1000)
		search(t, s, "ann", 10, "room of ann", "q1", 1000)
		search(t, s, "cid", 30, "room of cid", "q3", 1000)
		if p, err := s.Pair(t.Context(), store.Ticket{Player: "bob", Begun: 20, Queue: "q2", Room: "r", Data: []byte("d\x00\xff")}, 2000, ttl); err != nil || p.Room != "" {
			t.Fatalf("%+v, %v", p, err)
		}
		list, err := s.Searches(t.Context(), 2000)
		want := store.Ticket{Player: "bob", Begun: 20, Queue: "q2", Room: "r", Data: []byte("d\x00\xff"), Since: 2000}
		if err != nil || len(list) != 3 || !reflect.DeepEqual(list[1], want) {
			t.Fatalf("listed %+v, %v, want %+v in the middle", list, err, want)
		}
		expectSearches(t, s, 2000, "cid", "bob", "ann")
		search(t, s, "ann", 40, "room of ann", "q4", 2000) // a later one
		expectSearches(t, s, 2000, "ann", "cid", "bob")
		search(t, s, "ann", 10, "room of ann", "q1", 2000) // which counts
		withdraw(t, s, "cid", 3000, "")
		expectSearches(t, s, 3000, "ann", "bob")
		pair(t, s, "dan", "q2", 3000)
		expectSearches(t, s, 3000, "ann")
		expectSearches(t, s, 2000+ttl.Milliseconds())
	}},
	{"of very many searches the latest are listed", func(t *testing.T, s Store) {
		const more = 5
		for i := range store.MostSearches + more {
			search(t, s, fmt.Sprint("player ", i), int64(i), "room", fmt.Sprint("q", i), 1000)
		}
		search(t, s, "player 0", 0, "room", "q0", 1001) // renewed
		list, err := s.Searches(t.Context(), 1001)
		if err != nil || len(list) != store.MostSearches || list[len(list)-1].Begun != more {
			t.Fatalf("%d are listed, %v", len(list), err)
		}
	}},
	{"of many who call at once each is paired once", crowd},
}

// crowd lets players call until each has a room, and looks whether it adds up.
func crowd(t *testing.T, s Store) {
	const players = 60
	type outcome struct{ room, opponent string }
	outcomes := make([]outcome, players)
	var wg sync.WaitGroup
	for i := range players {
		wg.Go(func() {
			me := fmt.Sprintf("player-%d", i)
			for deadline := time.Now().Add(Patience); time.Now().Before(deadline); {
				p, err := s.Pair(t.Context(), store.Ticket{Player: me, Queue: fmt.Sprint("q", i%2), Room: "room of " + me}, 1000, ttl)
				if err != nil {
					t.Errorf("pair: %v", err)
					return
				}
				if p.Room != "" {
					outcomes[i].room = p.Room
					if p.Opponent != nil {
						outcomes[i].opponent = p.Opponent.Player
					}
					return
				}
			}
			t.Errorf("%s was never paired", me)
		})
	}
	wg.Wait()
	inRoom, creators := make(map[string]int), make(map[string]int)
	for i, o := range outcomes {
		inRoom[o.room]++
		if o.opponent == "" {
			continue
		}
		creators[o.room]++
		var other int
		fmt.Sscanf(o.opponent, "player-%d", &other)
		if outcomes[other].room != o.room || other == i || other%2 != i%2 {
			t.Errorf("player %d is paired with %d, who is in %q", i, other, outcomes[other].room)
		}
	}
	for room, n := range inRoom {
		if n != 2 || creators[room] != 1 {
			t.Errorf("%q has %d players, %d of whom create it", room, n, creators[room])
		}
	}
}

func pair(t *testing.T, s Store, player, queue string, now int64) store.Pairing {
	t.Helper()
	p, err := s.Pair(t.Context(), store.Ticket{
		Player: player, Queue: queue, Room: "room of " + player, Data: []byte("data of " + player + "\x00\xff"),
	}, now, ttl)
	if err != nil {
		t.Fatalf("pair %s: %v", player, err)
	}
	return p
}

// search is pair for players with several searches.
func search(t *testing.T, s Store, player string, begun int64, room, queue string, now int64) store.Pairing {
	t.Helper()
	p, err := s.Pair(t.Context(), store.Ticket{Player: player, Begun: begun, Room: room, Queue: queue}, now, ttl)
	if err != nil {
		t.Fatalf("pair %s: %v", player, err)
	}
	return p
}

// expectRoom expects the answer to one who need not make the room.
func expectRoom(t *testing.T, p store.Pairing, room string) {
	t.Helper()
	if p.Room != room || p.Opponent != nil {
		t.Fatalf("got %+v, want only to hear of %q", p, room)
	}
}

// expectSearches expects the searches of these players to be listed.
func expectSearches(t *testing.T, s Store, now int64, players ...string) {
	t.Helper()
	list, err := s.Searches(t.Context(), now)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ticket := range list {
		got = append(got, ticket.Player)
	}
	if !slices.Equal(got, players) {
		t.Fatalf("at %d the searches of %q are listed, want %q", now, got, players)
	}
}

func unpair(t *testing.T, s Store, player string) {
	t.Helper()
	if err := s.Unpair(t.Context(), player); err != nil {
		t.Fatalf("unpair %s: %v", player, err)
	}
}

// withdraw expects to hear of the room, if it comes too late.
func withdraw(t *testing.T, s Store, player string, now int64, room string) {
	t.Helper()
	if late, err := s.Withdraw(t.Context(), player, now); err != nil || late != room {
		t.Fatalf("withdraw %s: %q, %v, want %q", player, late, err, room)
	}
}

// expectOver expects to hear that the player has withdrawn.
func expectOver(t *testing.T, p store.Pairing) {
	t.Helper()
	if p != (store.Pairing{}) {
		t.Fatalf("got %+v, want to hear that the search is over", p)
	}
}

func expectWait(t *testing.T, p store.Pairing, since int64) {
	t.Helper()
	if p.Room != "" || p.Opponent != nil || p.Since != since {
		t.Fatalf("got %+v, want to wait since %d", p, since)
	}
}

func expectPair(t *testing.T, p store.Pairing, player, opponent string) {
	t.Helper()
	if p.Room != "room of "+player || p.Opponent == nil || p.Opponent.Player != opponent {
		t.Fatalf("%s got %+v, want %s", player, p, opponent)
	}
}
