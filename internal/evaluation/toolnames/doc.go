// Package toolnames helps to run the calls of models as their tool list has them:
// the labels of results, tools that are not listed, and what is wrong with a call
// in the names of the list.
package toolnames
