package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gomokud/internal/match"
	"gomokud/internal/rules"
	"gomokud/internal/store"
)

func reply(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	json.NewEncoder(w).Encode(body) // an error means that the client has gone
}

func fail(w http.ResponseWriter, status int, code, text string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"code": code, "text": text})
}

func failBusy(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "60")
	fail(w, http.StatusTooManyRequests, "too_many", "Too many new sessions come from your address. Try again in a minute.")
}

type ruleOption struct {
	Name  rules.Rule `json:"name"`
	Title string     `json:"title"`
	About string     `json:"about"`
}

type clockOption struct {
	Name  string            `json:"name"`
	Title string            `json:"title"`
	Clock match.TimeControl `json:"clock"`
}

// options are the choices that the pages offer.
func (s *Server) options(w http.ResponseWriter, _ *http.Request) {
	reply(w, struct {
		Rules   []ruleOption  `json:"rules"`
		Sizes   []rules.Size  `json:"sizes"`
		MinSide int           `json:"min_side"`
		MaxSide int           `json:"max_side"`
		Clocks  []clockOption `json:"clocks"`
		Bots    []Opponent    `json:"bots"`
	}{
		Rules: []ruleOption{
			{rules.Freestyle, "Freestyle", "Five or more in a row win."},
			{rules.Standard, "Standard", "Exactly five in a row win; six or more do not count."},
			{rules.Renju, "Renju", "Black may not make a double-three, a double-four or an overline, and wins with exactly five; White wins with five or more."},
			{rules.Caro, "Caro", "Exactly five win, unless the opponent's stones block both ends."},
		},
		Sizes:   []rules.Size{{Width: 15, Height: 15}, {Width: 19, Height: 19}, {Width: 20, Height: 20}, {Width: 16, Height: 14}},
		MinSide: rules.MinSide, MaxSide: rules.MaxSide,
		Clocks: []clockOption{
			{"1+0", "1 minute", match.TimeControl{Main: match.Minute}},
			{"3+2", "3 min + 2 s", match.TimeControl{Main: 3 * match.Minute, Increment: 2 * match.Second}},
			{"5+3", "5 min + 3 s", match.TimeControl{Main: 5 * match.Minute, Increment: 3 * match.Second}},
			{"10+5", "10 min + 5 s", match.TimeControl{Main: 10 * match.Minute, Increment: 5 * match.Second}},
			{"5+3x30", "5 min + 3 × 30 s byo-yomi", match.TimeControl{Main: 5 * match.Minute, Period: 30 * match.Second, Periods: 3}},
			{"30/move", "30 s a move", match.TimeControl{Period: 30 * match.Second, Periods: 1}},
			{"none", "No clock", match.TimeControl{}},
		},
		Bots: slices.DeleteFunc(slices.Clone(s.bots), func(b Opponent) bool { return b.Works != nil && !b.Works() }),
	})
}

// maxPly bounds the position that a link may carry.
const maxPly = rules.MaxSide * rules.MaxSide

// position answers what is to be seen on a board that a link describes.
func (s *Server) position(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	rule, err := rules.ParseRule(q.Get("rule"))
	if err != nil {
		fail(w, http.StatusBadRequest, "bad_rule", "The rule must be freestyle, standard, renju or caro.")
		return
	}
	size, err := rules.ParseSize(q.Get("size"))
	if err != nil {
		fail(w, http.StatusBadRequest, "bad_size", "The size must be like 15x15, each side from 5 to 25.")
		return
	}
	moves, err := parseMoves(q.Get("moves"))
	if err != nil {
		fail(w, http.StatusBadRequest, "bad_moves", "The moves must be points like h8i9g7.")
		return
	}
	board := rules.NewBoard(size)
	answer := struct {
		Rule      rules.Rule          `json:"rule"`
		Size      rules.Size          `json:"size"`
		Moves     []match.Move        `json:"moves"`
		Turn      rules.Color         `json:"turn"`
		Row       []rules.Point       `json:"row"`
		Forbidden []map[string]string `json:"forbidden"`
	}{Rule: rule, Size: size, Moves: moves, Turn: rules.Black, Row: []rules.Point{}, Forbidden: []map[string]string{}}
	for _, m := range moves {
		if !m.Pass {
			if !size.Contains(m.Point) || board.At(m.Point) != rules.Empty {
				fail(w, http.StatusBadRequest, "bad_moves", "The move "+m.Point.String()+" is off the board or on a stone.")
				return
			}
			board.Place(m.Point, answer.Turn)
			answer.Row = rule.AppendRow(answer.Row[:0], board, m.Point)
		}
		answer.Turn = answer.Turn.Opponent()
	}
	if rule == rules.Renju && answer.Turn == rules.Black && len(answer.Row) == 0 {
		for _, f := range rules.AppendForbidden(nil, board) {
			answer.Forbidden = append(answer.Forbidden, map[string]string{"point": f.Point.String(), "foul": f.Foul.String()})
		}
	}
	reply(w, answer)
}

// parseMoves reads a position string: points without separators, "pass" or "--"
// for a pass; spaces and commas are allowed.
func parseMoves(text string) ([]match.Move, error) {
	text = strings.NewReplacer(" ", "", ",", "", "--", "pass").Replace(strings.ToLower(text))
	moves := []match.Move{}
	for len(text) > 0 {
		if len(moves) == maxPly {
			return nil, errors.New("too many moves")
		}
		if rest, ok := strings.CutPrefix(text, "pass"); ok {
			moves, text = append(moves, match.Move{Pass: true}), rest
			continue
		}
		end := 1
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		p, err := rules.ParsePoint(text[:end])
		if err != nil {
			return nil, err
		}
		moves, text = append(moves, match.Move{Point: p}), text[end:]
	}
	return moves, nil
}

type record struct {
	Room    string          `json:"room"`
	Number  int             `json:"number"`
	Games   int             `json:"games"` // at this table so far
	Game    match.Game      `json:"game"`
	Black   match.Player    `json:"black"`
	White   match.Player    `json:"white"`
	Moves   []match.Move    `json:"moves"`
	Times   []match.Instant `json:"times"`
	Started match.Instant   `json:"started"`
	Ended   match.Instant   `json:"ended,omitempty"`
	Result  *match.Ended    `json:"result,omitempty"`
}

// game answers the record of one game of a table.
func (s *Server) game(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("room")
	number, err := strconv.Atoi(r.PathValue("number"))
	if err != nil {
		number = 0
	}
	state, err := s.load(r, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		fail(w, http.StatusNotFound, "no_such_room", "There is no such room.")
		return
	case err != nil:
		s.log.Warn("could not read a game", "room", id, "err", err)
		fail(w, http.StatusServiceUnavailable, "busy", "The game cannot be read now. Try again in a moment.")
		return
	}
	game := state.Record
	for _, past := range state.Past {
		if past.Number == number {
			game = past
		}
	}
	if game.Number != number || number == 0 {
		fail(w, http.StatusNotFound, "no_such_game", "This table has seen no such game.")
		return
	}
	answer := record{
		Room: id, Number: number, Games: state.Number, Game: state.Game, Black: game.Black, White: game.White,
		Moves: append([]match.Move{}, game.Moves...), Times: append([]match.Instant{}, game.Times...),
		Started: game.Started, Ended: game.Ended,
	}
	if game.Ended > 0 {
		answer.Result = &game.Result
	}
	reply(w, answer)
}

func (s *Server) load(r *http.Request, id string) (*match.State, error) {
	tail, err := s.logs.Read(r.Context(), id, 0)
	if err != nil {
		return nil, err
	}
	events := make([]match.Event, len(tail.Events))
	for i, raw := range tail.Events {
		if events[i], err = match.Decode(raw); err != nil {
			return nil, err
		}
	}
	return match.Fold(events)
}
