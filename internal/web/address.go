package web

import (
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// errNetwork is an operator's slip.
var errNetwork = errors.New("must be an address or a network, as 10.0.0.0/8")

// ParseNetwork reads a network, or an address as the network of itself alone.
func ParseNetwork(text string) (netip.Prefix, error) {
	network, err := netip.ParsePrefix(text)
	if err != nil {
		addr, err := netip.ParseAddr(text)
		if err != nil || addr.Zone() != "" {
			return netip.Prefix{}, errNetwork
		}
		network = netip.PrefixFrom(addr, addr.BitLen())
	}
	if network.Addr().Is4In6() { // addresses are compared as IPv4
		if network.Bits() < 96 {
			return netip.Prefix{}, errNetwork
		}
		network = netip.PrefixFrom(network.Addr().Unmap(), network.Bits()-96)
	}
	return network.Masked(), nil
}

// proxies are the networks whose word about where a request comes from is
// believed.
type proxies []netip.Prefix

// client is the address from which a request comes. A proxy appends to
// X-Forwarded-For whom it was asked by, so the list is read from its end, as
// long as the one who wrote is one of ours: the first stranger is the client.
// What stands before that anybody may have made up. The address is not valid
// where the connection has none.
func (p proxies) client(r *http.Request) netip.Addr {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	client := from.Addr().Unmap()
	said := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, text := range slices.Backward(said) {
		if !p.include(client) {
			break
		}
		next, err := parseForwarded(strings.TrimSpace(text))
		if err != nil {
			break // then whoever passed it on counts
		}
		client = next
	}
	return client
}

func (p proxies) include(a netip.Addr) bool {
	a = a.WithZone("")
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(a) })
}

// parseForwarded reads one entry of X-Forwarded-For. Some proxies add the port.
func parseForwarded(text string) (netip.Addr, error) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap(), nil
	}
	a, err := netip.ParseAddr(text)
	return a.Unmap(), err
}

// household is what one address stands for: itself, or in IPv6 the 2^64
// addresses that every connection to the internet comes with.
func household(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	if !a.Is6() {
		return a.String()
	}
	return netip.PrefixFrom(a, 64).Masked().String()
}
