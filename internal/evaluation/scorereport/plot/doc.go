// Package plot draws bars as SVG within an HTML page: without
// scripts, styles or anything from elsewhere. Colours are the page's, by the
// classes s0 to s7; every number is also a text on or next to its bar, and
// all of them in the label that a screen reader reads.
package plot
