// Package scripted is a server that speaks OpenAI's chat completions and answers
// by a script, instead of a model: for tests, and for examples that need no
// model. Its answers carry the header X-Birdcall-Simulated.
//
// A script has what is answered to a question, which the request has somewhere in
// its messages. Where a question has several answers they are for one turn after
// the other of a dialogue; which turn it is, the server reads off the request, so
// that it does not matter who asked before.
//
// A Plan makes requests fail in the ways in which endpoints do.
package scripted
