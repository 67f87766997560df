package hub

import (
	"errors"
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

// errFault stands for a panic that has been logged.
var errFault = errors.New("hub: a fault of ours")

// contain does something with a room whose token the caller holds. A panic costs
// this room its state, as what is left of it is not to be trusted: the log will
// tell. It is logged here, since who comes on nobody's command may only try again.
func (r *room) contain(do func() error) error {
	whole := false
	err := contain(func() error {
		err := do()
		whole = true
		return err
	})
	if !whole {
		r.drop()
		r.hub.log.Error("a fault of ours in a room", "room", r.id, "err", err)
		return errFault
	}
	return err
}
