package boltstore_test

import (
	"testing"

	"gomokud/internal/store/boltstore"
	"gomokud/internal/store/storetest"
)

func BenchmarkAppend(b *testing.B) {
	storetest.BenchAppend(b, open(b, b.TempDir(), boltstore.Options{}))
}
