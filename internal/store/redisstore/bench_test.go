package redisstore_test

import (
	"testing"

	"gomokud/internal/store/redisstore"
	"gomokud/internal/store/redistest"
	"gomokud/internal/store/storetest"
)

func BenchmarkAppend(b *testing.B) {
	server := redistest.Start(b)
	storetest.BenchAppend(b, open(b, server.URL, redisstore.Options{}))
}

func BenchmarkAppendInCluster(b *testing.B) {
	c := redistest.StartCluster(b, 0)
	storetest.BenchAppend(b, open(b, c.URL, redisstore.Options{}))
}
