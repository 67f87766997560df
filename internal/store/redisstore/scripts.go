package redisstore

import (
	"context"
	"embed"

	"github.com/redis/go-redis/v9"
)

//go:embed *.lua
var sources embed.FS

// scripts are the Lua files, each with its digest.
type scripts struct {
	append, extend, read, claim, pair, searches, unpair, settle, attend, beat script
	jobs                                                                      jobScripts
}

type script struct{ source, digest string }

func loadScripts() scripts {
	load := func(name string) script {
		src, err := sources.ReadFile(name + ".lua")
		if err != nil {
			panic(err) // it is embedded, or the build is broken
		}
		return script{string(src), redis.NewScript(string(src)).Hash()}
	}
	return scripts{
		append:   load("append"),
		extend:   load("extend"),
		read:     load("read"),
		claim:    load("claim"),
		pair:     load("pair"),
		searches: load("searches"),
		unpair:   load("unpair"),
		settle:   load("settle"),
		attend:   load("attend"),
		beat:     load("beat"),
		jobs:     jobScripts{ask: load("ask"), enlist: load("enlist"), crew: load("crew")},
	}
}

// call runs a script in the pipeline that all goroutines share. A server that
// does not know the script gets all of it: then nothing has run yet, so
// calling again cannot do anything twice.
//
// When ctx ends first the script may run nevertheless.
func (s *Store) call(ctx context.Context, script script, keys []string, args ...any) (*redis.Cmd, error) {
	return script.call(keys, args, func(all []any) (*redis.Cmd, error) {
		return run(ctx, s.servers, keys[0], func(ctx context.Context) *redis.Cmd { return redis.NewCmd(ctx, all...) })
	})
}

// callHere is call as long as the slot is where it is thought to be, whole: else
// it is an error that is displaced.
func (s *Store) callHere(ctx context.Context, script script, keys []string, args ...any) (*redis.Cmd, error) {
	return s.callHolder(ctx, server.run, script, keys, args)
}

// callAlone is callHere for one goroutine that calls often: no other's commands
// go with it.
func (s *Store) callAlone(ctx context.Context, script script, keys []string, args ...any) (*redis.Cmd, error) {
	return s.callHolder(ctx, server.runAlone, script, keys, args)
}

func (s *Store) callHolder(
	ctx context.Context, run func(server, context.Context, redis.Cmder) error, script script, keys []string, args []any,
) (*redis.Cmd, error) {
	return script.call(keys, args, func(all []any) (*redis.Cmd, error) {
		to, err := s.servers.holder(ctx, keys[0])
		if err != nil {
			return nil, err
		}
		cmd := redis.NewCmd(ctx, all...)
		if err = run(to, ctx, cmd); err != nil && !displaced(err) {
			s.servers.redirect(ctx, keys[0], err, 0) // a cluster may have failed over
		}
		return cmd, err
	})
}

// callMoving is call for a slot that callHere did not find where it was thought to
// be, whole: the room may have moved before its slot. Who follows it listens where
// the slot is, on the channel that is the first key, and is told to look.
func (s *Store) callMoving(ctx context.Context, script script, keys []string, args ...any) (*redis.Cmd, error) {
	cmd, err := s.call(ctx, script, keys, args...)
	if err == nil && !s.servers.whole() {
		s.say(ctx, keys[0])
	}
	return cmd, err
}

// displaced reports whether an error says that nothing has run, as not all keys
// are there.
func displaced(err error) bool {
	if err == nil {
		return false
	}
	for _, prefix := range []string{"MOVED ", "ASK ", "TRYAGAIN ", "CROSSSLOT "} {
		if redis.HasErrorPrefix(err, prefix) {
			return true
		}
	}
	return false
}

// call sends the script's digest, or else its source.
func (s script) call(keys []string, args []any, send func(all []any) (*redis.Cmd, error)) (*redis.Cmd, error) {
	all := make([]any, 0, 3+len(keys)+len(args))
	all = append(all, "evalsha", s.digest, len(keys))
	for _, k := range keys {
		all = append(all, k)
	}
	all = append(all, args...)
	cmd, err := send(all)
	if err != nil && redis.HasErrorPrefix(err, "NOSCRIPT") {
		all[0], all[1] = "eval", s.source
		cmd, err = send(all)
	}
	return cmd, err
}
