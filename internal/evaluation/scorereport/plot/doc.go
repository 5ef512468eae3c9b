// Package plot draws bars as SVG that stands within an HTML page: without
// scripts, styles or anything from elsewhere. Colours are the page's, by the
// classes s0 to s7; every number also stands as text on or beside its bar, and
// all of them in the label that a screen reader reads.
package plot
