// Package usecases embeds the fixture of queries in the manner of Shorten et al.
// (Querying Databases with Function Calling, 2025), in BIRD's layout: five invented
// use cases, each a database of three collections, each of these with four
// properties: a text of prose to search, a text that groups well, a number and a
// boolean. They are a restaurant guide, clinics, a platform for courses, a travel
// agency and art museums. A few values are NULL, many are equal.
//
// There are no questions: the grid of package querygrid makes them. Load it with
// bird.Options.AllDatabases.
//
// Everything is made by go generate from the words in gen, which are written by
// hand; schema/*.sql is what it makes of them, to be read.
package usecases

//go:generate go run ../../internal/dev/gen/usecases

import (
	"embed"
	"io/fs"
)

//go:embed dev.json dev_tables.json dev_databases
var files embed.FS

// FS returns the fixture's folder, for bird.Options.FS. It is read-only and may be
// used by several goroutines.
func FS() fs.FS { return files }
