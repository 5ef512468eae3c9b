// Program recipe plans the statement in its arguments on a table of prices, and prints
// the calls and the answer.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/planner/emit"
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/planner/rewrite"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(sql string) error {
	schema := &engine.Schema{Tables: []*engine.Table{{Name: "goods", RowID: true, Columns: []engine.Column{{Name: "name"}, {Name: "price", Affinity: value.AffinityInteger}}}}}
	db := tools.NewMemory()
	if err := db.Add("goods", []tools.ColumnInfo{{Name: "name"}, {Name: "price", Type: "INTEGER"}}, [][]value.Value{{value.Str("tea"), value.Int(7)}, {value.Str("salt"), value.Int(5)}}); err != nil {
		return err
	}
	query, err := sqltree.Read(sql, schema)
	if err != nil {
		return err
	}
	p, err := plan.Build(query, schema, plan.Options{})
	if err != nil {
		return err
	}
	rewrite.Apply(p, schema)
	sequence, err := emit.Emit(p, schema, false)
	if err != nil {
		return err
	}
	for _, c := range sequence.Calls {
		arguments, err := json.Marshal(c.Arguments)
		if err != nil {
			return err
		}
		fmt.Printf("%s %s\n", c.Name, arguments)
	}
	rows, err := sequence.Run(context.Background(), tools.NewSession(db, tools.Options{}))
	fmt.Println(rows)
	return err
}
