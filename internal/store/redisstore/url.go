package redisstore

import (
	"errors"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	// patience bounds each dial, read and write, unless the URL says otherwise.
	patience = 2 * time.Second

	sentinelPort = "26379"
)

// A mode is how servers stand together.
type mode string

const (
	oneServer mode = ""
	sentinel  mode = "sentinel"
	cluster   mode = "cluster"
)

// An address is what a URL says.
type address struct {
	mode    mode
	name    string // the URL without user, password and parameters
	options redis.UniversalOptions
}

// Every error about a URL is one of these: the URL may hold a password.
var (
	errScheme = errors.New("bad URL: it should begin with redis, redis+sentinel or redis+cluster (rediss for TLS), and ://")
	errOne    = errors.New("bad URL: it should look like redis://[user:password@]host[:port][/number]")
	errMaster = errors.New("bad URL: it should look like redis+sentinel://[user:password@]host[:port],host[:port]/master[/number] with any number of hosts")
	errSlots  = errors.New("bad URL: it should look like redis+cluster://[user:password@]host[:port],host[:port] with any number of hosts")
)

// Describe returns the URL without its password, or says what is wrong with it.
func Describe(url string) (string, error) {
	a, err := parseURL(url)
	return a.name, err
}

// parseURL reads redis://, redis+sentinel:// and redis+cluster:// URLs, with
// rediss for TLS. The parameters are those of redis.ParseURL; for Sentinel
// also sentinel_username and sentinel_password, as the sentinels have a
// password of their own.
func parseURL(raw string) (address, error) {
	scheme, rest, ok := strings.Cut(raw, "://")
	base, m, _ := strings.Cut(scheme, "+")
	a := address{mode: mode(m)}
	wrong, known := map[mode]error{oneServer: errOne, sentinel: errMaster, cluster: errSlots}[a.mode]
	if !ok || !known || (base != "redis" && base != "rediss") || (m == "") != (base == scheme) {
		return address{}, errScheme
	}
	rest, query, _ := strings.Cut(rest, "?")
	authority, path, _ := strings.Cut(rest, "/")
	at := strings.LastIndex(authority, "@")
	user, hosts := authority[:at+1], strings.Split(authority[at+1:], ",")
	a.name = scheme + "://" + authority[at+1:]
	o := &a.options
	switch a.mode {
	case oneServer:
		if len(hosts) > 1 {
			return address{}, wrong
		}
	case sentinel:
		o.MasterName, path, _ = strings.Cut(path, "/")
		if o.MasterName == "" {
			return address{}, wrong
		}
		a.name += "/" + o.MasterName
	case cluster:
		if path != "" {
			return address{}, wrong
		}
	}
	if path != "" {
		a.name += "/" + path
	}
	parameters, err := url.ParseQuery(query)
	if err != nil {
		return address{}, wrong
	}
	if a.mode == sentinel {
		o.SentinelUsername, o.SentinelPassword = parameters.Get("sentinel_username"), parameters.Get("sentinel_password")
		parameters.Del("sentinel_username")
		parameters.Del("sentinel_password")
	}
	for _, host := range hosts {
		u, err := url.Parse("redis://" + host)
		if err != nil {
			return address{}, wrong
		}
		bare := u.Hostname()
		if bare == "" || u.Host != host || strings.Contains(bare, ":") && host[0] != '[' {
			return address{}, wrong
		}
		if a.mode == sentinel && u.Port() == "" {
			host = net.JoinHostPort(bare, sentinelPort)
		}
		one, err := redis.ParseURL(base + "://" + user + host + "/" + path + "?" + parameters.Encode())
		if err != nil {
			return address{}, wrong
		}
		o.Addrs = append(o.Addrs, one.Addr)
		a.take(one)
	}
	return a, nil
}

// leastPool is room for a lane of each partition, and for the waits beside them.
const leastPool = partitions + 4

// take sets what a URL may set, and what every connection of ours must have.
func (a *address) take(one *redis.Options) {
	o := &a.options
	o.Username, o.Password, o.DB = one.Username, one.Password, one.DB
	o.Protocol, o.ClientName, o.TLSConfig = one.Protocol, one.ClientName, one.TLSConfig
	if o.Protocol == 0 {
		o.Protocol = 2 // in 3 the driver looks for notifications before each answer, and we want none
	}
	o.PoolFIFO, o.PoolSize, o.MinIdleConns, o.MaxIdleConns = one.PoolFIFO, one.PoolSize, one.MinIdleConns, one.MaxIdleConns
	o.MaxActiveConns, o.MaxConcurrentDials = one.MaxActiveConns, one.MaxConcurrentDials
	if o.PoolSize > 0 {
		o.PoolSize = max(o.PoolSize, leastPool)
	}
	o.PipelinePoolSize = one.PipelinePoolSize
	o.PipelineReadBufferSize, o.PipelineWriteBufferSize = one.PipelineReadBufferSize, one.PipelineWriteBufferSize
	o.ConnMaxIdleTime, o.ConnMaxLifetime, o.ConnMaxLifetimeJitter = one.ConnMaxIdleTime, one.ConnMaxLifetime, one.ConnMaxLifetimeJitter
	o.DialTimeout = orPatience(one.DialTimeout)
	o.ReadTimeout = orPatience(one.ReadTimeout)
	o.WriteTimeout = orPatience(one.WriteTimeout)
	o.PoolTimeout = orPatience(one.PoolTimeout)
	o.DialerRetries = 1
	o.MaxRetries = -1 // see the package comment
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	if a.mode != oneServer && o.TLSConfig != nil {
		o.TLSConfig.ServerName = "" // each server has its own
	}
}

func orPatience(d time.Duration) time.Duration {
	if d == 0 {
		return patience
	}
	return d
}
