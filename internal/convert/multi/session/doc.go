// Package session runs the calls of samples over two databases: a Session those of
// tools on tables, and Endpoints those of endpoints. Both run the call of the tool
// that compares two numbers, which package multi describes.
package session
