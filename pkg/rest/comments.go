package rest

import (
	"slices"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/bird"
)

// withComments returns what a dataset says of a database, with the comments that
// the database itself has on the columns of tables of which the dataset says
// nothing (COMMENT ON COLUMN in Postgres).
func withComments(info *bird.Database, schema *engine.Schema) *bird.Database {
	out := *info
	out.Tables = slices.Clone(info.Tables)
	for _, t := range schema.Tables {
		if info.Table(t.Name) != nil {
			continue
		}
		about := &bird.Table{Name: t.Name}
		for _, c := range t.Columns {
			if c.Comment != "" {
				about.Columns = append(about.Columns, &bird.Column{Name: c.Name, Description: bird.Description{Description: c.Comment}})
			}
		}
		if len(about.Columns) > 0 {
			out.Tables = append(out.Tables, about)
		}
	}
	return &out
}
