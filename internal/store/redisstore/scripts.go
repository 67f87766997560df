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
	append, read, claim, pair, unpair, attend, beat script
	jobs                                            jobScripts
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
		append: load("append"),
		read:   load("read"),
		claim:  load("claim"),
		pair:   load("pair"),
		unpair: load("unpair"),
		attend: load("attend"),
		beat:   load("beat"),
		jobs:   jobScripts{ask: load("ask"), enlist: load("enlist"), crew: load("crew")},
	}
}

// call runs a script in the pipeline that all goroutines share. A server that
// does not know the script gets all of it: then nothing has run yet, so
// calling again cannot do anything twice.
//
// When ctx ends first the script may run nevertheless.
func (s *Store) call(ctx context.Context, script script, keys []string, args ...any) (*redis.Cmd, error) {
	cmd, err := s.submit(ctx, "evalsha", script.digest, keys, args)
	if redis.HasErrorPrefix(err, "NOSCRIPT") {
		cmd, err = s.submit(ctx, "eval", script.source, keys, args)
	}
	return cmd, err
}

func (s *Store) submit(ctx context.Context, verb, script string, keys []string, args []any) (*redis.Cmd, error) {
	all := make([]any, 0, 3+len(keys)+len(args))
	all = append(all, verb, script, len(keys))
	for _, k := range keys {
		all = append(all, k)
	}
	all = append(all, args...)
	return run(ctx, s.servers, keys[0], func(ctx context.Context) *redis.Cmd { return redis.NewCmd(ctx, all...) })
}
