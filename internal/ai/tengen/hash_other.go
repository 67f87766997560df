//go:build !linux

package tengen

func (t *hashTable) advise() {}
