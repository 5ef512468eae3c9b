// Command bench helps to measure the service on a Postgres server against handlers
// that one would write by hand with pgx, which send the same transaction at once.
//
//	bench make URL         makes the table item and the role reader
//	bench hand URL ADDR N  answers /point?id=500 and /list?id=500 with pgx, on N connections
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	pointSQL = "SELECT id, name, price FROM bench.item WHERE id = $1"
	listSQL  = "SELECT id, name, price FROM bench.item WHERE id >= $1 ORDER BY id LIMIT 100"
)

func main() {
	ctx := context.Background()
	var err error
	switch args := os.Args[1:]; {
	case len(args) == 2 && args[0] == "make":
		err = makeTable(ctx, args[1])
	case len(args) == 4 && args[0] == "hand":
		var connections int
		if connections, err = strconv.Atoi(args[3]); err == nil {
			err = byHand(ctx, args[1], args[2], connections)
		}
	default:
		err = errors.New("use: bench make URL, or bench hand URL ADDR N")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

func makeTable(ctx context.Context, url string) error {
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close(ctx) }() // what was done is done
	for _, statement := range []string{
		"CREATE ROLE reader LOGIN",
		"CREATE SCHEMA bench",
		"CREATE TABLE bench.item (id bigint PRIMARY KEY, name text, price double precision)",
		"INSERT INTO bench.item SELECT n, 'item number ' || n, n + 0.25 FROM generate_series(1, 100000) AS n",
		"GRANT USAGE ON SCHEMA bench TO reader",
		"GRANT SELECT ON bench.item TO reader",
		"VACUUM ANALYZE bench.item",
	} {
		if _, err := c.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// reader appends the rows that start at an id to a body.
type reader func(ctx context.Context, id int64, body []byte) ([]byte, error)

// serve answers with what the two readers write until it is killed.
func serve(addr string, point, list reader) error {
	mux := http.NewServeMux()
	for path, read := range map[string]reader{"/point": point, "/list": list} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			id, err := strconv.ParseInt(r.URL.Query().Get("id"), 10, 64)
			if err != nil {
				http.Error(w, "id is not a number", http.StatusBadRequest)
				return
			}
			body, err := read(r.Context(), id, []byte(`{"data":[`))
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			_, _ = w.Write(append(body, "]}\n"...)) // the client may be gone
		})
	}
	s := &http.Server{Addr: addr, Handler: mux, ReadHeaderTimeout: time.Second}
	return s.ListenAndServe()
}

func byHand(ctx context.Context, url, addr string, connections int) error {
	free := make(chan *pgx.Conn, connections)
	for range connections {
		c, err := pgx.Connect(ctx, url)
		if err != nil {
			return err
		}
		free <- c
	}
	read := func(sql string) reader {
		return func(ctx context.Context, id int64, body []byte) ([]byte, error) {
			c := <-free
			defer func() { free <- c }()
			// With the request's context, pgx closes a connection whenever a client goes.
			ctx = context.WithoutCancel(ctx)
			return readByHand(ctx, c, sql, id, body)
		}
	}
	return serve(addr, read(pointSQL), read(listSQL))
}

func readByHand(ctx context.Context, c *pgx.Conn, sql string, id int64, body []byte) (_ []byte, err error) {
	batch := &pgx.Batch{}
	batch.Queue("BEGIN READ ONLY")
	batch.Queue("SET LOCAL statement_timeout = 5000")
	batch.Queue(sql, id)
	batch.Queue("COMMIT")
	results := c.SendBatch(ctx, batch)
	defer func() { err = errors.Join(err, results.Close()) }()
	for range 2 {
		if _, err := results.Exec(); err != nil {
			return nil, err
		}
	}
	rows, err := results.Query()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for first := true; rows.Next(); first = false {
		var id int64
		var name string
		var price float64
		if err := rows.Scan(&id, &name, &price); err != nil {
			return nil, err
		}
		if !first {
			body = append(body, ',')
		}
		body = strconv.AppendInt(append(body, `{"id":`...), id, 10)
		body = strconv.AppendQuote(append(body, `,"name":`...), name)
		body = append(strconv.AppendFloat(append(body, `,"price":`...), price, 'g', -1, 64), '}')
	}
	return body, rows.Err()
}
