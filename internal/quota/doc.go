// Package quota bounds what each household of the internet may use of a node.
// Who that is, its callers say; what it remembers of them is bounded, too.
package quota
