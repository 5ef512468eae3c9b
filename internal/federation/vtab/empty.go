package vtab

import (
	"embed"

	"github.com/birdcall/birdcall/pkg/bird"
)

// empty.sqlite is a database without tables, of one page of 512 bytes.
//
//go:embed empty.sqlite
var files embed.FS

// Empty returns a database without tables, for statements that read APIs alone.
func Empty() *bird.Database {
	return &bird.Database{ID: "apis", FS: files, Name: "empty.sqlite"}
}
