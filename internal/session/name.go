package session

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds of a name, in characters.
const (
	MinName = 2
	MaxName = 20
)

// ErrBotName is CleanName's answer to who would pass for a computer; match it
// with errors.Is.
var ErrBotName = errors.New(`a name cannot begin with the word "bot": that is for computers`)

// CleanName returns a name as it is kept: in Unicode NFC, without spaces at its
// ends and with single ones inside. The error says in words what is wrong.
func CleanName(name string) (string, error) {
	if !utf8.ValidString(name) {
		return "", errors.New("the name is not valid UTF-8")
	}
	name = strings.Join(strings.Fields(norm.NFC.String(name)), " ")
	if n := utf8.RuneCountInString(name); n < MinName || n > MaxName {
		return "", fmt.Errorf("a name has %d to %d characters", MinName, MaxName)
	}
	letters := 0
	for _, r := range name {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			letters++
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r): // vowel signs and tones
		case strings.ContainsRune(" -_.'", r):
		default:
			return "", fmt.Errorf("a name cannot hold the character %q", r)
		}
	}
	if letters == 0 {
		return "", errors.New("a name needs a letter or digit")
	}
	if beginsWithBot(name) {
		return "", ErrBotName
	}
	if marks := countMarks(name); marks > letters {
		return "", errors.New("the name has too many marks on its letters")
	}
	return name, nil
}

// beginsWithBot finds the word, not the letters: "Bot 9" and "bot9", but not
// "Botvinnik".
func beginsWithBot(name string) bool {
	rest, found := strings.CutPrefix(strings.ToLower(strings.TrimLeft(name, " -_.'")), "bot")
	next, _ := utf8.DecodeRuneInString(rest)
	return found && !unicode.IsLetter(next)
}

func countMarks(name string) int {
	n := 0
	for _, r := range name {
		if unicode.Is(unicode.M, r) {
			n++
		}
	}
	return n
}

// guestName is two words that are easy to tell apart and to remember.
func guestName() string {
	adjectives := []string{
		"Amber", "Bold", "Brisk", "Bright", "Calm", "Clever", "Coral", "Daring", "Deft", "Eager",
		"Early", "Fleet", "Gentle", "Golden", "Green", "Happy", "Hidden", "Indigo", "Jade", "Keen",
		"Kind", "Late", "Lively", "Lucky", "Merry", "Misty", "Noble", "Olive", "Patient", "Plum",
		"Proud", "Quick", "Quiet", "Rapid", "Ruby", "Sage", "Silent", "Silver", "Sly", "Snowy",
		"Steady", "Sunny", "Swift", "Teal", "Tidy", "Velvet", "Warm", "Wily", "Wise", "Witty",
	}
	animals := []string{
		"Badger", "Bear", "Beaver", "Bison", "Crane", "Crow", "Deer", "Dolphin", "Dove", "Eagle",
		"Egret", "Falcon", "Finch", "Fox", "Gecko", "Goose", "Hare", "Hawk", "Heron", "Horse",
		"Ibis", "Jay", "Koala", "Lark", "Lynx", "Magpie", "Marten", "Moose", "Newt", "Orca",
		"Otter", "Owl", "Panda", "Puffin", "Quail", "Raven", "Robin", "Salmon", "Seal", "Shrew",
		"Sparrow", "Stoat", "Stork", "Swan", "Tiger", "Toad", "Turtle", "Vole", "Wolf", "Wren",
	}
	return adjectives[rand.IntN(len(adjectives))] + " " + animals[rand.IntN(len(animals))]
}
