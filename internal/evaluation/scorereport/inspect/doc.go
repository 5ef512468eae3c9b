// Package inspect writes samples as a task for Inspect, the evaluation framework
// of the UK AI Security Institute (https://inspect.aisi.org.uk). Inspect asks the
// model and keeps its log; the task writes what the model called into a file
// that evaluate scores.
//
// Nothing here runs Inspect. The files say so, and which names of its API they
// take for granted.
package inspect
