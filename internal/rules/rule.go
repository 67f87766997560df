package rules

import "fmt"

// A Rule says which rows win.
type Rule uint8

// The rules. They differ in rows longer than five and in what stops a five.
const (
	// Freestyle: five or more win.
	Freestyle Rule = iota
	// Standard: exactly five win; a longer row does nothing.
	Standard
	// Caro: exactly five win unless an opponent's stone lies at both ends. The
	// edge of the board stops nothing.
	Caro
	// Renju: Black wins with exactly five, White with five or more, and Black
	// has forbidden points; see Forbidden.
	Renju
)

// String returns "freestyle", "standard", "caro" or "renju".
func (r Rule) String() string {
	switch r {
	case Freestyle:
		return "freestyle"
	case Standard:
		return "standard"
	case Caro:
		return "caro"
	case Renju:
		return "renju"
	}
	return fmt.Sprintf("Rule(%d)", uint8(r))
}

// ParseRule reads the name of a rule as String writes it.
func ParseRule(name string) (Rule, error) {
	for r := Freestyle; r <= Renju; r++ {
		if r.String() == name {
			return r, nil
		}
	}
	return 0, fmt.Errorf("rules: no rule: %q", name)
}

// MarshalText writes the rule as String does.
func (r Rule) MarshalText() ([]byte, error) {
	if r > Renju {
		return nil, fmt.Errorf("rules: no such rule: %v", r)
	}
	return []byte(r.String()), nil
}

// UnmarshalText reads a rule as ParseRule does.
func (r *Rule) UnmarshalText(text []byte) error {
	rule, err := ParseRule(string(text))
	if err != nil {
		return err
	}
	*r = rule
	return nil
}
