//go:build !linux

package ai

// lowerPriority does nothing where priorities are not kept by thread.
func lowerPriority() error { return nil }

func onMainThread() bool { return false }
