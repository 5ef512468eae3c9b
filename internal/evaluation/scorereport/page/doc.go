// Package page writes scores as one HTML file that needs nothing else: no
// network, no fonts, no libraries. It is read without scripts; the one that is
// in it filters the failed samples.
//
// Most of what the page shows was written by a model, which may be hostile. All
// of it is escaped by html/template, and the page's Content-Security-Policy
// allows no script, style, image or request but the style and the script that
// are in the file, by their hashes.
package page
