package web

import (
	"net/http"
	"net/netip"
	"testing"
)

func TestAHouseholdIsOneAddressOrOneNetwork(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"192.0.2.1:5000", "192.0.2.1:6000", true},
		{"192.0.2.1:5000", "192.0.2.2:5000", false},
		{"192.0.2.1:5000", "[::ffff:192.0.2.1]:5000", true},
		{"[2001:db8:1:2::1]:5000", "[2001:db8:1:2:ffff::9]:5000", true},
		{"[2001:db8:1:2::1]:5000", "[2001:db8:1:3::1]:5000", false},
		{"[fe80::1%eth0]:5000", "[fe80::2%eth1]:5000", true},
		{"pipe", "pipe", true},
	} {
		a, b := &http.Request{RemoteAddr: tt.a}, &http.Request{RemoteAddr: tt.b}
		if same := household(proxies(nil).client(a)) == household(proxies(nil).client(b)); same != tt.same {
			t.Errorf("%s and %s: one household %v, want %v", tt.a, tt.b, same, tt.same)
		}
	}
}

func TestOnlyTrustedProxiesAreBelieved(t *testing.T) {
	trusted := proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8"), netip.MustParsePrefix("fe80::/10")}
	for name, tt := range map[string]struct {
		from      string
		forwarded []string
		want      string
	}{
		"no proxy":                   {"192.0.2.1:5000", nil, "192.0.2.1"},
		"a stranger who pretends":    {"192.0.2.1:5000", []string{"198.51.100.7"}, "192.0.2.1"},
		"a proxy":                    {"10.0.0.2:5000", []string{"198.51.100.7"}, "198.51.100.7"},
		"a proxy that says nothing":  {"10.0.0.2:5000", nil, "10.0.0.2"},
		"through two proxies":        {"10.0.0.2:5000", []string{"198.51.100.7, 10.0.0.3"}, "198.51.100.7"},
		"in two headers":             {"10.0.0.2:5000", []string{"198.51.100.7", "10.0.0.3"}, "198.51.100.7"},
		"a client who pretends":      {"10.0.0.2:5000", []string{"203.0.113.9, 198.51.100.7"}, "198.51.100.7"},
		"pretends to be a proxy":     {"10.0.0.2:5000", []string{"203.0.113.9, 10.0.0.9, 198.51.100.7"}, "198.51.100.7"},
		"one of our own":             {"10.0.0.2:5000", []string{"10.0.0.7, 10.0.0.3"}, "10.0.0.7"},
		"nonsense":                   {"10.0.0.2:5000", []string{"unknown"}, "10.0.0.2"},
		"nonsense before the client": {"10.0.0.2:5000", []string{"<script>, 198.51.100.7"}, "198.51.100.7"},
		"nonsense between":           {"10.0.0.2:5000", []string{"198.51.100.7, _hidden, 10.0.0.3"}, "10.0.0.3"},
		"with a port":                {"10.0.0.2:5000", []string{"198.51.100.7:4711"}, "198.51.100.7"},
		"IPv6":                       {"[fd00::2]:5000", []string{"2001:db8::7"}, "2001:db8::7"},
		"IPv6 with a port":           {"[fd00::2]:5000", []string{"[2001:db8::7]:4711"}, "2001:db8::7"},
		"IPv4 in IPv6":               {"[::ffff:10.0.0.2]:5000", []string{"::ffff:198.51.100.7"}, "198.51.100.7"},
		"a proxy on the link":        {"[fe80::2%eth0]:5000", []string{"198.51.100.7"}, "198.51.100.7"},
		"an empty header":            {"10.0.0.2:5000", []string{""}, "10.0.0.2"},
		"a comma too many":           {"10.0.0.2:5000", []string{"198.51.100.7,"}, "10.0.0.2"},
	} {
		r := &http.Request{RemoteAddr: tt.from, Header: http.Header{"X-Forwarded-For": tt.forwarded}}
		if got := trusted.client(r); got != netip.MustParseAddr(tt.want) {
			t.Errorf("%s: from %s, forwarded for %q: the client is %s, want %s", name, tt.from, tt.forwarded, got, tt.want)
		}
	}
}

func TestParseNetwork(t *testing.T) {
	for text, want := range map[string]string{
		"10.1.2.3/8": "10.0.0.0/8", "192.0.2.1": "192.0.2.1/32", "::1": "::1/128", "fd00::/8": "fd00::/8",
		"::ffff:10.0.0.0/104": "10.0.0.0/8", "::ffff:192.0.2.1": "192.0.2.1/32", "0.0.0.0/0": "0.0.0.0/0",
	} {
		if got, err := ParseNetwork(text); err != nil || got.String() != want {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "everybody", "10.0.0.0/33", "10.0.0", "fe80::1%eth0", "proxy.example", "10.0.0.1:80", "::ffff:0:0/95"} {
		if got, err := ParseNetwork(text); err == nil {
			t.Errorf("%q was taken for %v", text, got)
		}
	}
}
