package main

import (
	"errors"
	"io"
	"os"
)

// replacement is a file that takes the place of another when it is complete.
type replacement struct {
	*os.File
	name string
}

// replace begins one beside the file that it is to replace, which stays until
// then; early, so that hours of work do not end in a folder that is not there.
func replace(name string) (*replacement, error) {
	f, err := os.Create(name + ".part")
	if err != nil {
		return nil, err
	}
	return &replacement{f, name}, nil
}

// commit puts what write writes in the place of the old file.
func (r *replacement) commit(write func(io.Writer) error) error {
	if err := errors.Join(write(r), r.File.Close()); err != nil {
		return err
	}
	return os.Rename(r.Name(), r.name)
}

// Close gives up what is not complete.
func (r *replacement) Close() error {
	r.File.Close()
	if err := os.Remove(r.Name()); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
