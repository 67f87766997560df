// Package lab is the laboratory in which engines are measured: a referee that
// plays engines against each other from balanced openings and trusts none of
// them, and the arithmetic that says how much a result means.
//
// Games come in pairs: both play the same opening, with colours swapped, so that
// an opening that favours a side favours nobody. With budgets of nodes or depth
// the same match with the same seed is the same games; with times it is not,
// and games that are played at once take time from each other.
package lab
