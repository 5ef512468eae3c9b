// Package stats sets the numbers of a converted dataset next to those of the
// datasets of Elder et al. (arXiv:2506.11266, tables 3 and 4), the paper below.
package stats
