package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"gomokud/internal/match"
)

// gomokud is the real server. Its limits are raised: one machine plays
// everybody.
type gomokud struct {
	clock time.Duration
	http  *http.Client
}

func (gomokud) name() string { return ours }

// ours is its name.
const ours = "gomokud"

func (gomokud) args(folder, store string) (args, env []string) {
	const plenty = "=1000000"
	env = []string{"GOMOKUD_STORE=" + store, "GOMOKUD_FIRST_MOVE=24h", "GOMOKUD_LATE_AFTER=1h"}
	for _, limit := range []string{
		"COMMANDS_PER_SECOND", "SESSION_COMMANDS_PER_SECOND", "ROOMS_PER_MINUTE", "GUESTS_PER_MINUTE", "GUESTS_BURST",
		"CONNECTIONS", "ADDRESS_CONNECTIONS", "ADDRESS_ROOMS_PER_MINUTE", "ARRIVALS_PER_SECOND",
	} {
		env = append(env, "GOMOKUD_"+limit+plenty)
	}
	return []string{"serve", "--addr=127.0.0.1:0", "--pprof=127.0.0.1:0", "--data=" + folder}, env
}

func (g gomokud) login(ctx context.Context, addr string, n int) (*player, error) {
	body := strings.NewReader(fmt.Sprintf(`{"name":"Load %d"}`, n))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+"/api/session", body)
	if err != nil {
		return nil, err
	}
	res, err := g.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask for a session: %w", err)
	}
	defer res.Body.Close()
	var session struct{ ID, Token string }
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxFrame))
	if err == nil {
		err = json.Unmarshal(answer, &session)
	}
	if err != nil || session.Token == "" {
		return nil, fmt.Errorf("ask for a session: the server answered %s (%v)", res.Status, err)
	}
	p := newPlayer(addr, session.ID)
	p.key = session.Token
	return p, nil
}

var helloHead = []byte(`{"type":"hello"`)

// dial waits for the greeting, too, as the pages do.
func (gomokud) dial(ctx context.Context, p *player) (*wire, error) {
	w, err := connect(ctx, p.addr, "/ws", http.Header{
		"Authorization":          {"Bearer " + p.key},
		"Sec-Websocket-Protocol": {"gomokud.v1"},
	})
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, w.close)()
	for {
		message, err := w.read()
		if err != nil {
			w.close()
			return nil, fmt.Errorf("wait for the greeting: %w", err)
		}
		if bytes.HasPrefix(message, helloHead) {
			return w, nil
		}
	}
}

// resume asks for everything.
func (gomokud) resume(p *player, moves int) error {
	room, err := p.command("join", p.inRoom(), `"type":"room"`)
	if err != nil {
		return err
	}
	if n := movesIn(room); n != moves {
		return fmt.Errorf("%d of %d moves are back: %.300s", n, moves, room)
	}
	return nil
}

// movesIn counts the moves in the state of a room.
func movesIn(room []byte) int {
	_, rest, _ := bytes.Cut(room, []byte(`"moves":[`))
	list, _, _ := bytes.Cut(rest, []byte("]"))
	return bytes.Count(list, []byte(`"`)) / 2
}

func (gomokud) procs(ctx context.Context, addr string) (int, error) {
	page, err := metrics(ctx, addr)
	return int(gaugeIn(page, "go_sched_gomaxprocs_threads")), err
}

// seat lets the players have a rematch while the table allows it.
func (g gomokud) seat(t *table) error {
	if t.games%match.MaxGames != 0 {
		return g.rematch(t)
	}
	if t.room != "" {
		for _, p := range t.players {
			if err := p.ask("leave", ""); err != nil {
				return err
			}
		}
	}
	host, guest := t.players[0], t.players[1]
	clock := "{}"
	if g.clock > 0 {
		clock = fmt.Sprintf(`{"main":%d}`, g.clock.Milliseconds())
	}
	answer, err := host.command("create", fmt.Sprintf(
		`,"color":"black","game":{"rule":"freestyle","size":"%s","clock":%s}`, boardSize, clock), `"type":"ok"`)
	if err != nil {
		return err
	}
	if t.room = textField(answer, "room"); t.room == "" {
		return fmt.Errorf("no room in %s", answer)
	}
	for _, p := range t.players {
		p.room = t.room
		if _, err := p.command("join", p.inRoom(), `"type":"room"`); err != nil {
			return err
		}
	}
	if _, err := guest.command("sit", guest.inRoom(), `"kind":"started"`); err != nil {
		return err
	}
	_, err = host.expect(`"kind":"started"`)
	return err
}

// rematch begins the next game at the table, with the colours swapped.
func (gomokud) rematch(t *table) error {
	t.players[0], t.players[1] = t.players[1], t.players[0]
	black, white := t.players[0], t.players[1]
	if _, err := black.command("offer", black.inRoom()+`,"what":"rematch"`, `"kind":"offered"`); err != nil {
		return err
	}
	if _, err := white.command("accept", white.inRoom()+`,"what":"rematch"`, `"kind":"started"`); err != nil {
		return err
	}
	_, err := black.expect(`"kind":"started"`)
	return err
}

func (gomokud) follow(p *player, room string) error {
	leave := p.room
	p.room = room
	if leave != "" {
		if err := p.tell("leave", `,"room":"`+leave+`"`); err != nil {
			return err
		}
	}
	return p.tell("join", p.inRoom())
}

func (gomokud) appendMove(dst []byte, p *player, ply int) []byte {
	return appendPlace(dst, p, ply, names[ply])
}

func appendPlace(dst []byte, p *player, ply int, point string) []byte {
	p.seq++
	dst = append(dst, `{"type":"place","id":"m`...)
	dst = strconv.AppendInt(dst, int64(p.seq), 10)
	dst = append(dst, `","room":"`...)
	dst = append(dst, p.room...)
	dst = append(dst, `","ply":`...)
	dst = strconv.AppendInt(dst, int64(ply), 10)
	dst = append(dst, `,"point":"`...)
	dst = append(dst, point...)
	return append(dst, `"}`...)
}

// tell sends a command of the given type; the fields follow its id.
func (p *player) tell(kind, fields string) error {
	p.seq++
	return p.wire.write(opText, fmt.Appendf(nil, `{"type":"%s","id":"m%d"%s}`, kind, p.seq, fields))
}

// command sends a command and returns its answer, which holds the mark.
func (p *player) command(kind, fields, mark string) ([]byte, error) {
	if err := p.tell(kind, fields); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	answer, err := p.expect(mark, fmt.Sprintf(`"id":"m%d"`, p.seq))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	return answer, nil
}

// ask sends a command about the room that is answered by "ok".
func (p *player) ask(kind, fields string) error {
	_, err := p.command(kind, p.inRoom()+fields, `"type":"ok"`)
	return err
}

func (p *player) inRoom() string { return `,"room":"` + p.room + `"` }

// textField is the first text in a message under a name.
func textField(message []byte, name string) string {
	_, rest, _ := bytes.Cut(message, []byte(`"`+name+`":"`))
	text, _, found := bytes.Cut(rest, []byte(`"`))
	if !found {
		return ""
	}
	return string(text)
}
