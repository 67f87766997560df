// Package session says who somebody is: a signed token that names a player.
// Tokens are stateless, so any node that knows the key can check them; the
// browser keeps one in a cookie, programs send one as bearer.
package session

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Player is the public half of a session.
type Player struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Purpose separates kinds of tokens: one kind is never taken for another.
type Purpose string

// The purposes of tokens.
const (
	Identity Purpose = "identity" // to be this player
	Transfer Purpose = "transfer" // to become this player on another device, soon
)

// Errors of Verify; match them with errors.Is.
var (
	ErrForged  = errors.New("session: not signed by us")
	ErrExpired = errors.New("session: expired")
)

// Signer makes and checks tokens.
type Signer struct{ key []byte }

// NewSigner returns a signer for a secret key of at least 16 bytes.
func NewSigner(key []byte) (*Signer, error) {
	if len(key) < 16 {
		return nil, fmt.Errorf("session key of %d bytes is too short; 16 is the least", len(key))
	}
	return &Signer{key: key}, nil
}

// claims is what a token says.
type claims struct {
	Player
	Purpose Purpose `json:"use"`
	Expires int64   `json:"exp"` // Unix seconds
}

// Sign returns a token that is good until expires.
func (s *Signer) Sign(p Player, use Purpose, expires time.Time) string {
	body, err := json.Marshal(claims{Player: p, Purpose: use, Expires: expires.Unix()})
	if err != nil {
		panic("session: claims must marshal: " + err.Error())
	}
	text := base64.RawURLEncoding.EncodeToString(body)
	return text + "." + base64.RawURLEncoding.EncodeToString(s.mac(text))
}

// Verify returns the player of a token that we signed for this purpose and
// that has not expired.
func (s *Signer) Verify(token string, use Purpose, now time.Time) (Player, error) {
	text, sig, _ := strings.Cut(token, ".")
	given, err := base64.RawURLEncoding.DecodeString(sig)
	if err != nil || !hmac.Equal(given, s.mac(text)) {
		return Player{}, ErrForged
	}
	body, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return Player{}, ErrForged
	}
	var c claims
	if err := json.Unmarshal(body, &c); err != nil || c.Purpose != use {
		return Player{}, ErrForged
	}
	if now.Unix() >= c.Expires {
		return Player{}, ErrExpired
	}
	return c.Player, nil
}

func (s *Signer) mac(text string) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte("gomokud session v1\x00" + text))
	return h.Sum(nil)
}

// NewGuest is a new player with a generated name.
func NewGuest() Player { return Player{ID: newID(), Name: guestName()} }

// newID is 12 characters of 62: about 71 random bits.
func newID() string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	id := make([]byte, 0, 12)
	for len(id) < cap(id) {
		var b [16]byte
		rand.Read(b[:]) // never fails
		for _, v := range b {
			if v < 62*4 && len(id) < cap(id) { // the rest would favour some digits
				id = append(id, digits[v%62])
			}
		}
	}
	return string(id)
}
