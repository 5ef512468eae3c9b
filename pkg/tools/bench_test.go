package tools_test

import (
	"context"
	"testing"

	"github.com/birdcall/birdcall/internal/dev/toolbench"
)

// BenchmarkTools runs each tool on a million rows.
func BenchmarkTools(b *testing.B) {
	ctx := context.Background()
	t, err := toolbench.Table(toolbench.Rows)
	if err != nil {
		b.Fatal(err)
	}
	lines, err := toolbench.Lines(ctx, t)
	if err != nil {
		b.Fatal(err)
	}
	for _, line := range lines {
		b.Run(line.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := line.Run(ctx); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
