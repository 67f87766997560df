// Package rules is the ground floor: the board, its lines, what wins and what
// Black may not play under renju.
//
// It knows neither players nor time. A Board says where the stones are; a Rule
// says whether the stone just placed completes a winning row; Forbidden judges
// a point for Black as the Renju International Federation (RIF) defines it, to
// any depth of its recursion.
//
// Reading a Board never changes it, so any number of goroutines may read one
// as long as none places or removes a stone. Placing, removing and judging
// allocate nothing.
package rules
