// Package sample embeds a small dataset in BIRD's layout: three invented
// databases with the awkward things of real data, and questions on them whose
// SQL uses every construct that is common in such datasets. The databases are
// a city library, a chain of coffee roasteries and a bird-watching club.
//
// The SQLite files, dev_tables.json and the indexes of stored values (.find,
// see package find) are made from schema/*.sql by go generate; everything else
// is written by hand.
package sample

//go:generate go run ../../internal/dev/gen/bird

import (
	"embed"
	"io/fs"
)

//go:embed dev.json dev_tables.json dev_databases
var files embed.FS

// FS returns the dataset's folder, for bird.Options.FS. It is read-only and
// may be used by several goroutines.
func FS() fs.FS { return files }
