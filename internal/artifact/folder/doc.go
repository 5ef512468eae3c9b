// Package folder reads the folders that convert writes: the records of each
// database, in any format of files and any format of tools, the tools that
// records name by a file, and what names that say nothing stand for.
package folder
