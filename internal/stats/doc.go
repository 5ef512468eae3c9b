// Package stats sets the numbers of a converted dataset beside those of the
// paper's datasets (tables 3 and 4).
package stats
