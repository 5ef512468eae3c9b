package rest

import (
	"github.com/birdcall/birdcall/internal/sql/language"
)

// language returns what is done with the SQL of the database.
func (d *Database) language() *language.Language { return language.Of(d.db.Dialect()) }
