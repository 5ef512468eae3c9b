package rest

import (
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/pgsql"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
)

// language is what is done with the SQL of an engine.
type language struct {
	// template makes the template of a statement.
	template func(sql string, schema *engine.Schema) (*template.Template, error)
	// fixClock writes a statement that reads an instant in the place of the clock,
	// and says whether it read the clock.
	fixClock func(sql string, asOf time.Time) (fixed string, changed bool, err error)
	// parse reads a statement without resolving its names.
	parse func(sql string) (*sqltree.Query, error)
}

var languages = [...]language{
	engine.SQLite: {
		template: template.New, fixClock: template.FixClock, parse: sqltree.Parse,
	},
	engine.Postgres: {
		template: template.NewPostgres, fixClock: pgsql.FixClock, parse: parsePostgres,
	},
}

// language returns what is done with the SQL of the database.
func (d *Database) language() *language { return &languages[d.db.Dialect()] }

func parsePostgres(sql string) (*sqltree.Query, error) {
	s, err := pgsql.Parse(sql)
	if err != nil {
		return nil, err
	}
	return s.Query, nil
}
