package main

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/testkit/scripted"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// TestExample runs the example of docs/evaluation.md and holds what it prints
// against what is there. Run with -update, it writes it there.
func TestExample(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(root, "internal", "dev", "scripted", "example.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	script, err := scripted.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(&scripted.Server{Script: script})
	defer server.Close()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if _, err := pipeline.Run(context.Background(), pipeline.Options{
		Dataset: dataset, Variant: record.SLOT, Out: "out", Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf,
	}); err != nil {
		t.Fatal(err)
	}
	printed, err := runLine(command(), "run", "--dataset", filepath.Join("out", "slot"), "--model", "scripted", "--base-url", server.URL+"/v1")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "docs", "evaluation.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const mark, fence = "cmd/evaluate tests it -->\n\n```\n", "```\n"
	before, rest, ok := strings.Cut(string(page), mark)
	_, after, ok2 := strings.Cut(rest, fence)
	if !ok || !ok2 {
		t.Fatal("the page has no place for the example")
	}
	golden.Equal(t, path, before+mark+filepath.ToSlash(printed)+fence+after)
}
