package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/birdcall/birdcall/internal/db/sqlite"
)

const (
	perRun  = 1000                   // queries that sqlsmith writes at a time
	maxRuns = 200                    // for one database
	limit   = 300 * time.Millisecond // for SQLite to answer a query
)

// question is a query in the plain layout of pkg/bird.
type question struct {
	ID       int    `json:"question_id"`
	Question string `json:"question"`
	SQL      string `json:"sql"`
	DB       string `json:"db"`
}

// writeDataset writes a folder with databases and about n queries for them, the
// same number for each.
func writeDataset(ctx context.Context, smith *smith, dir string, n, seed int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	names, err := writeDatabases(ctx, dir)
	if err != nil {
		return err
	}
	var questions []question
	for i, name := range names {
		kept, err := keep(ctx, smith, filepath.Join(dir, name+".sqlite"), n*(i+1)/len(names)-n*i/len(names), seed)
		if err != nil {
			return err
		}
		for _, sql := range kept {
			questions = append(questions, question{len(questions), "What does the query answer?", sql, name})
		}
		fmt.Printf("%6d queries on %s\n", len(kept), name)
	}
	text, err := json.MarshalIndent(questions, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "questions.json"), text, 0o644)
}

// keep returns n different queries that SQLite answers in time, or fewer if
// sqlsmith does not find them.
func keep(ctx context.Context, smith *smith, path string, n, seed int) ([]string, error) {
	db, err := sqlite.Open(ctx, sqlite.Location{Path: path}, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	var kept []string
	known := map[string]bool{}
	for i := range maxRuns {
		queries, err := smith.queries(ctx, path, seed+i, perRun)
		if err != nil {
			return nil, err
		}
		for _, sql := range queries {
			if len(kept) == n {
				return kept, nil
			}
			if !known[sql] && answers(ctx, db, sql) {
				kept = append(kept, sql)
			}
			known[sql] = true
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
	}
	return kept, nil
}

func answers(ctx context.Context, db *sqlite.DB, sql string) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, err := db.Query(ctx, sql)
	return err == nil
}
