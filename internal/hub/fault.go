package hub

import (
	"fmt"
	"runtime/debug"
)

// contain turns a panic into an error: a fault of ours costs one command, not
// every game of the node.
func contain(do func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	return do()
}
