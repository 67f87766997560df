package web

import (
	"encoding/json"
	"errors"
	"html/template"
	"net/http"
	"strings"
	"time"

	"gomokud/internal/session"
)

const (
	cookieName = "gomokud"
	linkFor    = 10 * time.Minute
)

// who is the player of a request. byCookie tells a browser from a program.
func (s *Server) who(r *http.Request) (p session.Player, byCookie bool, err error) {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		p, err = s.signer.Verify(token, session.Identity, time.Now())
		return p, false, err
	}
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return session.Player{}, false, err
	}
	p, err = s.signer.Verify(cookie.Value, session.Identity, time.Now())
	return p, true, err
}

// letIn gives the browser a session, or renews it.
func (s *Server) letIn(w http.ResponseWriter, p session.Player) (token string) {
	expires := time.Now().Add(s.cfg.SessionFor)
	token = s.signer.Sign(p, session.Identity, expires)
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: token, Path: "/", Expires: expires,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.cfg.Secure,
	})
	return token
}

func (s *Server) getSession(w http.ResponseWriter, r *http.Request) {
	p, byCookie, err := s.who(r)
	if err != nil {
		if _, ok := s.guests.Allow(household(s.proxies.client(r))); !ok {
			failBusy(w)
			return
		}
		p = session.NewGuest()
	}
	if err != nil || byCookie {
		s.letIn(w, p)
	}
	reply(w, p)
}

// postSession renames the player of the request, or makes a new one with the
// name.
func (s *Server) postSession(w http.ResponseWriter, r *http.Request) {
	var wish struct {
		Name *string `json:"name"`
	}
	if err := json.NewDecoder(r.Body).Decode(&wish); err != nil {
		fail(w, http.StatusBadRequest, "bad_message", "The body must be a JSON object.")
		return
	}
	p, byCookie, err := s.who(r)
	if err != nil {
		if _, ok := s.guests.Allow(household(s.proxies.client(r))); !ok {
			failBusy(w)
			return
		}
		p = session.NewGuest()
	}
	if wish.Name != nil {
		name, err := session.CleanName(*wish.Name)
		if err != nil {
			text := err.Error()
			text = strings.ToUpper(text[:1]) + text[1:] + "."
			if errors.Is(err, session.ErrBotName) {
				fail(w, http.StatusBadRequest, "bot_name", text)
			} else {
				fail(w, http.StatusBadRequest, "bad_name", text)
			}
			return
		}
		p.Name = name
	}
	if byCookie && err == nil {
		s.letIn(w, p)
		reply(w, p)
		return
	}
	reply(w, struct {
		session.Player
		Token string `json:"token"`
	}{p, s.letIn(w, p)})
}

// linkSession makes a link that turns another device into the same player.
func (s *Server) linkSession(w http.ResponseWriter, r *http.Request) {
	p, _, err := s.who(r)
	if err != nil {
		fail(w, http.StatusUnauthorized, "no_session", "There is no session to share.")
		return
	}
	token := s.signer.Sign(p, session.Transfer, time.Now().Add(linkFor))
	reply(w, struct {
		URL string `json:"url"`
	}{"/session/" + token})
}

var linkPage = template.Must(template.New("link").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Continue on this device</title>
<link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/link.css">
<h1>Continue as {{.Name}} on this device?</h1>
<p>This device will have the same player and the same games. Whoever was here before is forgotten on this device.</p>
<form method="post"><button>Continue as {{.Name}}</button></form>
<p><a href="/">No, go to the lobby</a></p>
</html>
`))

// enterLink asks before a link replaces who this browser is: a link that came
// from a stranger must not do so by itself.
func (s *Server) enterLink(w http.ResponseWriter, r *http.Request) {
	p, err := s.signer.Verify(r.PathValue("token"), session.Transfer, time.Now())
	if err != nil {
		failLink(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if err := linkPage.Execute(w, p); err != nil {
		s.log.Warn("could not show a page", "err", err)
	}
}

func (s *Server) takeLink(w http.ResponseWriter, r *http.Request) {
	p, err := s.signer.Verify(r.PathValue("token"), session.Transfer, time.Now())
	if err != nil {
		failLink(w, err)
		return
	}
	s.letIn(w, p)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func failLink(w http.ResponseWriter, err error) {
	text := "This link is not one of ours."
	if errors.Is(err, session.ErrExpired) {
		text = "This link has expired. Make a new one on your other device."
	}
	http.Error(w, text, http.StatusForbidden)
}

// GuestRate is how many new sessions one address may ask for: PerMinute in the
// long run, Burst at once. The defaults leave room for a school behind one
// address.
type GuestRate struct {
	PerMinute float64 // 60
	Burst     int     // 300
}
