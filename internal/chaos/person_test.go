package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"gomokud/internal/match"
)

// How patient a client is.
const (
	answerWithin = 2500 * time.Millisecond // then it sends the command again
	silentFor    = 5 * time.Second         // then it takes another node
	pingAfter    = 1500 * time.Millisecond
)

// person is a client with an identity, that follows one room. It belongs to one
// goroutine, but for look.
type person struct {
	rng    *rand.Rand
	nodes  []*member
	faults *complaints
	name   string
	id     string
	token  string
	seq    int

	socket   *socket
	joined   bool
	journal  *journal
	room     string
	answered map[string]reply // by command, while it is waited for
	given    map[string]reply // what was the answer for good

	mu     sync.Mutex // guards mirror against look
	mirror mirror

	repeats, connects, recognised int
}

// reply is what came back for a command.
type reply struct {
	message
	done    bool
	version int
}

// complaints are what is found wrong, by whichever goroutine.
type complaints struct {
	mu   sync.Mutex
	list []string
}

func (c *complaints) add(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, fmt.Sprintf(format, args...))
}

func (c *complaints) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.list
}

// login asks for an identity.
func (p *person) login(ctx context.Context) error {
	for ; ctx.Err() == nil; p.rest(ctx, 200*time.Millisecond) {
		client := http.Client{Timeout: answerWithin}
		body := strings.NewReader(fmt.Sprintf(`{"name":%q}`, p.name))
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.node().addr()+"/api/session", body)
		if err != nil {
			return err
		}
		res, err := client.Do(req)
		if err != nil {
			continue
		}
		var session struct{ ID, Token string }
		err = json.NewDecoder(res.Body).Decode(&session)
		res.Body.Close()
		if err == nil && session.Token != "" {
			p.id, p.token = session.ID, session.Token
			return nil
		}
	}
	return ctx.Err()
}

// node is a node that lives, as far as the person knows.
func (p *person) node() *member {
	m := p.nodes[p.rng.IntN(len(p.nodes))]
	for range 3 {
		if m.running() {
			break
		}
		m = p.nodes[p.rng.IntN(len(p.nodes))]
	}
	return m
}

// rest waits without listening, for about so long.
func (p *person) rest(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d/2 + rand64(p.rng, d)):
	}
}

// listen takes what comes for as long as d, or until something has come that
// satisfies until.
func (p *person) listen(ctx context.Context, d time.Duration, until func() bool) error {
	for timer, look := time.After(d), time.NewTicker(500*time.Millisecond); ; {
		if until != nil && until() {
			look.Stop()
			return nil
		}
		select {
		case <-ctx.Done():
			look.Stop()
			return ctx.Err()
		case <-timer:
			look.Stop()
			return nil
		case m, ok := <-p.socket.in:
			if !ok {
				look.Stop()
				p.leave()
				return errGone
			}
			p.socket.heard = time.Now()
			p.take(m)
		case now := <-look.C:
			silent := now.Sub(p.socket.heard)
			if silent > silentFor {
				look.Stop()
				p.leave()
				return errGone
			}
			if silent > pingAfter && now.Sub(p.socket.asked) > pingAfter {
				p.socket.asked = now
				p.seq++
				p.send(fmt.Sprintf(`{"type":"ping","id":"ping-%d"}`, p.seq))
			}
		}
	}
}

func (p *person) send(text string) {
	p.socket.conn.SetWriteDeadline(time.Now().Add(answerWithin))
	p.socket.conn.WriteMessage(websocket.TextMessage, []byte(text)) // the reader sees when it is gone
}

// take reads one message.
func (p *person) take(m message) {
	switch m.Type {
	case "room", "events":
		p.told(m)
	case "ok":
		p.hear(m.ID, reply{message: m, done: true, version: m.Version})
	case "error":
		if m.Code == "internal" {
			p.faults.add("%s got an internal error in room %s", p.id, m.Room)
		}
		p.hear(m.ID, reply{message: m})
	}
}

// hear takes an answer. Whoever repeats a command hears the first answer again,
// unless only some other node knows of a refusal.
func (p *person) hear(id string, r reply) {
	first, again := p.given[id]
	switch {
	case !again:
		p.answered[id] = r
	case r.passing():
	case first.done && !r.done, first.done && first.version != r.version:
		p.faults.add("%s in room %s: %s was done at version %d, and again it is %q, version %d", p.id, p.room, id, first.version, r.Code, r.version)
	case r.done && r.Type == "ok":
		p.recognised++
	}
}

// passing reports whether the answer is none for good.
func (r reply) passing() bool {
	switch r.Code {
	case "busy", "too_many", "internal", "not_joined":
		return true
	}
	return false
}

// told reads what a node tells of the room.
func (p *person) told(m message) {
	if m.Room != p.room {
		p.faults.add("%s is told of room %s, and follows %s", p.id, m.Room, p.room)
		return
	}
	p.mu.Lock()
	t := telling{to: p.id, at: time.Now(), have: p.mirror.version, version: m.Version}
	for _, raw := range m.Events {
		t.events = append(t.events, canonical(raw))
	}
	if m.State != nil {
		t.whole = &m.State.snapshot
	}
	whole, err := p.mirror.tell(m, func(s match.Stamp, version int) {
		if s.By == p.id {
			p.hear(s.ID, reply{done: true, version: version})
		}
	})
	t.epoch = p.mirror.epoch
	p.mu.Unlock()
	p.journal.tell(t)
	if err != nil {
		p.faults.add("%s in room %s: %v", p.id, p.room, err)
	}
	if !whole { // something is missing: as the protocol says, join again
		p.joined = false
	}
	if m.ID != "" && strings.HasPrefix(m.ID, "join-") {
		p.answered[m.ID] = reply{message: m, done: true}
	}
}

// follow sees to it that the person is connected and has joined the room.
func (p *person) follow(ctx context.Context) error {
	for ctx.Err() == nil {
		if p.socket == nil {
			if err := p.connect(ctx); err != nil {
				return err
			}
		}
		if p.joined || p.room == "" {
			return nil
		}
		p.seq++
		id := fmt.Sprintf("join-%s-%d", p.id, p.seq)
		p.mu.Lock()
		if p.rng.IntN(3) == 0 { // as somebody who has forgotten everything
			p.mirror = newMirror(p.mirror.placed)
		}
		epoch, have := p.mirror.epoch, p.mirror.version
		p.mu.Unlock()
		p.send(fmt.Sprintf(`{"type":"join","id":%q,"room":%q,"epoch":%q,"have":%d}`, id, p.room, epoch, have))
		err := p.listen(ctx, answerWithin, func() bool { _, there := p.answered[id]; return there })
		answer, there := p.answered[id]
		delete(p.answered, id)
		switch {
		case err == nil && answer.done:
			p.joined = true
		case err == nil && there && answer.Code != "busy" && answer.Code != "too_many":
			p.faults.add("%s may not join room %s: %s", p.id, p.room, answer.Code)
			return errors.New(answer.Code)
		default:
			p.leave()
			p.rest(ctx, 100*time.Millisecond)
		}
	}
	return ctx.Err()
}

// do sends a command, again and again under the same id until it is answered
// for good.
func (p *person) do(ctx context.Context, kind, fields string) (reply, error) {
	p.seq++
	id := fmt.Sprintf("c-%d", p.seq)
	verb, _, _ := strings.Cut(kind, " ")
	room := ""
	if p.room != "" {
		room = fmt.Sprintf(`,"room":%q`, p.room)
	}
	text := fmt.Sprintf(`{"type":%q,"id":%q%s%s}`, verb, id, room, fields)
	c := p.journal.begin(p.id, id, kind, text)
	defer delete(p.answered, id)
	for ctx.Err() == nil {
		if err := p.follow(ctx); err != nil {
			return reply{}, err
		}
		p.journal.sent(c)
		if c.sent > 1 {
			p.repeats++
		}
		p.send(text)
		if p.rng.IntN(10) == 0 { // as somebody who is impatient
			p.journal.sent(c)
			p.send(text)
		}
		err := p.listen(ctx, answerWithin, func() bool { _, there := p.answered[id]; return there })
		answer, there := p.answered[id]
		switch {
		case answer.done:
			if answer.Type == "ok" && verb != "create" {
				p.recognised++
			}
			p.given[id] = answer
			p.journal.answer(c, done, answer.version, "")
			return answer, nil
		case err != nil: // on to another node
		case !there:
			if p.rng.IntN(2) == 0 {
				p.leave()
			}
		case answer.Code == "not_joined":
			p.joined = false
			delete(p.answered, id)
		case answer.passing():
			delete(p.answered, id)
			_ = p.listen(ctx, 200*time.Millisecond+rand64(p.rng, 300*time.Millisecond), nil)
		default:
			p.given[id] = answer
			p.journal.answer(c, refused, 0, answer.Code)
			return answer, nil
		}
	}
	return reply{}, ctx.Err()
}

// look is what the person has of the room. Any goroutine may ask.
func (p *person) look() (version int, s snapshot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mirror.version, p.mirror.state.clone()
}
