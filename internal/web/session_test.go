package web

import "testing"

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
		if same := household(tt.a) == household(tt.b); same != tt.same {
			t.Errorf("%s and %s: one household %v, want %v", tt.a, tt.b, same, tt.same)
		}
	}
}
