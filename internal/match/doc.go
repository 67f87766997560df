// Package match is the state machine of a room: two seats, a board, clocks and
// what players may ask of each other.
//
// A room is a log of events. Decide takes the state, a command and a time, and
// answers with the events that follow or with the rule that forbids it; Apply
// folds an event into the state. Neither reads a clock, the network or a store,
// so the same log always gives the same state, and every path can be tested by
// calling a function.
//
// A seat is named by the colour that is played on it; a rematch swaps the
// players between the seats.
package match
