package postgres_test

import (
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/pkg/value"
)

var benchmarks = []struct{ name, sql string }{
	{"point", "SELECT id, customer, placed, total FROM shop.orders WHERE id = $1"},
	{"100rows", "SELECT id, customer, placed, total FROM shop.orders WHERE id >= $1 ORDER BY id LIMIT 100"},
}

const loaded = "INSERT INTO shop.orders SELECT n, 1 + n % 2, '2024-01-01', n FROM generate_series(101, 100000) AS n; ANALYZE shop.orders"

// BenchmarkRun is what the service does for each request, on 4 connections. The
// program in the folder bench has it next to handlers written by hand.
func BenchmarkRun(b *testing.B) {
	s := start(b)
	s.Exec(loaded)
	for _, test := range benchmarks {
		b.Run(test.name, func(b *testing.B) {
			db := open(b, s, postgres.Options{Connections: 4})
			statement, err := db.Prepare(b.Context(), test.sql)
			if err != nil {
				b.Fatal(err)
			}
			b.SetParallelism(2)
			b.RunParallel(func(pb *testing.PB) {
				var body []byte
				for n := int64(1); pb.Next(); n = n%90_000 + 1 {
					body = body[:0]
					if err := statement.Run(b.Context(), []value.Value{value.Int(n)}, func(r engine.Row) bool {
						for i := range 4 {
							body = r.AppendJSON(append(body, ','), i)
						}
						return true
					}); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
