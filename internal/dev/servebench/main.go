// Command bench helps to measure the service against handlers written by hand with
// gin for two queries: those that one would write, on database/sql, and the least that
// there can be, on the service's own prepared statements.
//
//	bench make DIR        writes a dataset of one table and two questions
//	bench bare DIR ADDR   answers /point?id=500 and /list?limit=100 on it, and on
//	                      database/sql /sql/point?id=500 and /sql/list?limit=100
//
// The handlers written by hand run in the same http.Server, and have no checks,
// formats, limits, ids, logs or metrics.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/serving/server"
	"github.com/birdcall/birdcall/pkg/value"
)

const (
	pointSQL = "SELECT name, price FROM item WHERE id = "
	listSQL  = "SELECT id, name, price FROM item ORDER BY id LIMIT "
)

func main() {
	var err error
	switch args := os.Args[1:]; {
	case len(args) == 2 && args[0] == "make":
		err = makeDataset(args[1])
	case len(args) == 3 && args[0] == "bare":
		err = bare(filepath.Join(args[1], "bench.sqlite"), args[2])
	default:
		err = errors.New("use: bench make DIR, or bench bare DIR ADDR")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

// makeDataset writes a dataset in the plain layout.
func makeDataset(dir string) (err error) {
	path, err := filepath.Abs(filepath.Join(dir, "bench.sqlite"))
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file://"+(&url.URL{Path: path}).EscapedPath())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, statement := range []string{
		"CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL)",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) INSERT INTO item SELECT i, 'item number ' || i, i * 0.25 FROM n",
	} {
		if _, err := db.Exec(statement); err != nil {
			return err
		}
	}
	questions := `[
{"question_id": 1, "db_id": "bench", "question": "What is item 500?", "query": "` + pointSQL + `500"},
{"question_id": 2, "db_id": "bench", "question": "What are the first hundred items?", "query": "` + listSQL + `100"}
]
`
	return os.WriteFile(filepath.Join(dir, "questions.json"), []byte(questions), 0o644)
}

// bare serves the two handlers until it is killed.
func bare(path, addr string) error {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Location{Path: path}, sqlite.Options{})
	if err != nil {
		return err
	}
	pool := db.NewPool(sqlite.PoolOptions{})
	point, err := pool.Prepare(ctx, pointSQL+"?1")
	if err != nil {
		return err
	}
	list, err := pool.Prepare(ctx, listSQL+"?1")
	if err != nil {
		return err
	}
	gin.SetMode(gin.ReleaseMode)
	g := gin.New()
	g.GET("/point", func(c *gin.Context) {
		handle(c, pool, point, c.Query("id"), func(body []byte, r *sqlite.Row) []byte {
			body = append(strconv.AppendQuote(append(body, `{"name":`...), string(r.Raw(0))), `,"price":`...)
			return append(strconv.AppendFloat(body, r.Float64(1), 'g', -1, 64), '}')
		})
	})
	g.GET("/list", func(c *gin.Context) {
		handle(c, pool, list, c.Query("limit"), func(body []byte, r *sqlite.Row) []byte {
			body = append(strconv.AppendInt(append(body, `{"id":`...), r.Int64(0), 10), `,"name":`...)
			body = append(strconv.AppendQuote(body, string(r.Raw(1))), `,"price":`...)
			return append(strconv.AppendFloat(body, r.Float64(2), 'g', -1, 64), '}')
		})
	})
	plainDB, err := sql.Open("sqlite", "file://"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro")
	if err != nil {
		return err
	}
	defer plainDB.Close()
	plainDB.SetMaxOpenConns(4) // as the service has
	plainDB.SetMaxIdleConns(4)
	plainPoint, err := plainDB.Prepare(pointSQL + "?")
	if err != nil {
		return err
	}
	defer plainPoint.Close()
	plainList, err := plainDB.Prepare(listSQL + "?")
	if err != nil {
		return err
	}
	defer plainList.Close()
	plain(g, plainPoint, plainList)
	s := server.NewHTTPServer(g, 5*time.Second)
	s.Addr = addr
	return s.ListenAndServe()
}

// handle answers with the rows of a statement that takes one number.
func handle(c *gin.Context, pool *sqlite.Pool, s *sqlite.Statement, given string, row func([]byte, *sqlite.Row) []byte) {
	n, err := strconv.ParseInt(given, 10, 64)
	if err != nil {
		c.Status(http.StatusBadRequest)
		return
	}
	body := []byte(`{"data":[`)
	rows := 0
	err = pool.Run(c.Request.Context(), s, []value.Value{value.Int(n)}, func(r *sqlite.Row) bool {
		if rows++; rows > 1 {
			body = append(body, ',')
		}
		body = row(body, r)
		return true
	})
	if err != nil {
		c.Status(http.StatusInternalServerError)
		return
	}
	c.Data(http.StatusOK, "application/json; charset=utf-8", append(body, "]}\n"...))
}

// item is a row as encoding/json writes it.
type item struct {
	ID    int64   `json:"id,omitempty"`
	Name  string  `json:"name"`
	Price float64 `json:"price"`
}

// plain adds the handlers on database/sql.
func plain(g *gin.Engine, point, list *sql.Stmt) {
	g.GET("/sql/point", func(c *gin.Context) {
		var one item
		if err := point.QueryRowContext(c.Request.Context(), c.Query("id")).Scan(&one.Name, &one.Price); err != nil {
			c.Status(http.StatusInternalServerError)
			return
		}
		c.JSON(http.StatusOK, gin.H{"data": []item{one}})
	})
	g.GET("/sql/list", func(c *gin.Context) {
		n, err := strconv.Atoi(c.Query("limit"))
		if err != nil {
			c.Status(http.StatusBadRequest)
			return
		}
		items, err := itemsOf(list.QueryContext(c.Request.Context(), n))
		if err != nil {
			c.Status(http.StatusInternalServerError)
			return
		}
		c.JSON(http.StatusOK, gin.H{"data": items})
	})
}

// itemsOf reads all rows.
func itemsOf(rows *sql.Rows, err error) (items []item, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one item
		if err := rows.Scan(&one.ID, &one.Name, &one.Price); err != nil {
			return nil, err
		}
		items = append(items, one)
	}
	return items, rows.Err()
}
